#include <catch2/catch.hpp>

#include "play/markup.h"
#include "xml_check.h"

namespace gounki::play {
namespace {

TEST_CASE("markup has no effect in escaped text") {
  CHECK(escaped("<b a=\"1\" c='2'>&amp;") == "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;");
  CHECK(escaped("½ ✓\n\t") == "½ ✓\n\t");
  CHECK(escaped(std::string("a\0b\x1b", 4)) == "a\uFFFDb\uFFFD");
  for (int c = 0; c < 128; ++c) {
    const std::string text = escaped(std::string(1, static_cast<char>(c)));
    CHECK(xml_error("<a b=\"" + text + "\">" + text + "</a>") == "");
  }
}

TEST_CASE("a text is shortened in its middle by characters") {
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdef", 5) == "ab…ef");
  CHECK(shortened("ääööüü", 4) == "ä…üü");
}

TEST_CASE("the check of markup sees what is wrong") {
  CHECK(xml_error("<!DOCTYPE html>\n<a b=\"&lt;\" c=\"\">x<d/></a>") == "");
  for (const char* wrong : {"<a>", "</a>", "<a><b></a></b>", "<a b=c></a>", "<a b=\"<\"/>", "<a>&nbsp;</a>",
                            "<a>&</a>", "<a b=\"1\" b=\"2\"/>", "<>", "<a", "<a b=\"/>", "<a>\x01</a>"})
    CHECK(xml_error(wrong) != "");
}

}  // namespace
}  // namespace gounki::play
