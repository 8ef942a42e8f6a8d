#include "core/text.h"

#include <catch2/catch.hpp>

using namespace gounki;

TEST_CASE("characters are counted, not bytes") {
  const std::string_view text = "caf\xC3\xA9 \xE2\x80\x93x";
  CHECK(character_number(text, 0) == 1);
  CHECK(character_number(text, 3) == 4);
  CHECK(character_number(text, 5) == 5);   // the space behind two bytes of one character
  CHECK(character_number(text, 9) == 7);
  CHECK(character_number(text, text.size()) == 8);
}

TEST_CASE("a place in a text of several lines") {
  const std::string_view text = "ab\ncaf\xC3\xA9!\n";
  CHECK(line_and_column(text, 0) == "line 1, column 1");
  CHECK(line_and_column(text, 2) == "line 1, column 3");
  CHECK(line_and_column(text, 3) == "line 2, column 1");
  CHECK(line_and_column(text, 8) == "line 2, column 5");
  CHECK(line_and_column(text, text.size()) == "line 3, column 1");
}

TEST_CASE("what stands there is shown so that it can be seen") {
  const std::string_view text("a \n\0\xC3\"", 6);
  const std::vector<std::string> shown{"\"a\"",     "\" \"",      "byte 0x0A", "byte 0x00",
                                       "byte 0xC3", "\"\"\"", "the end",   "the end"};
  for (std::size_t at = 0; at < shown.size(); ++at) CHECK(found_at(text, at) == shown[at]);
}

TEST_CASE("words stand between spaces and control characters") {
  CHECK(words_of("").empty());
  CHECK(words_of(" \t\n").empty());
  CHECK(words_of(" one\ttwo\r\nthree ") == std::vector<std::string>{"one", "two", "three"});
}

TEST_CASE("a cursor walks, looks ahead and goes back") {
  Cursor cursor("a  b");
  CHECK(cursor.accept('a'));
  CHECK_FALSE(cursor.accept('b'));
  CHECK(cursor.next() == 'b');
  CHECK(cursor.character() == 4);
  cursor.advance();
  CHECK(cursor.at_end());
  CHECK(cursor.peek() == '\0');
  CHECK_FALSE(cursor.accept('\0'));
  CHECK(cursor.found() == "the end");
  cursor.go_to(0);
  CHECK(cursor.peek() == 'a');
}
