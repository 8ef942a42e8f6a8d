// What readers of text share: where they stand, what stands there, and how to say both to people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gounki {

// Some editors put it before a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }
constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The words between spaces and control characters.
std::vector<std::string> words_of(std::string_view text);

// The place of text[at] for people: characters (not bytes) count from 1.
int character_number(std::string_view text, std::size_t at);
// The same in a text of several lines: "line 3, column 5".
std::string line_and_column(std::string_view text, std::size_t at);
// What stands at text[at], in quotes, or "the end": for messages.
std::string found_at(std::string_view text, std::size_t at);

// Reads a text from left to right.
class Cursor {
 public:
  explicit Cursor(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ >= text_.size(); }
  // The current character, or 0 at the end.
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  void advance() { ++at_; }
  void go_to(std::size_t at) { at_ = at; }
  void skip_spaces() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  // Skips spaces, then peeks.
  char next() {
    skip_spaces();
    return peek();
  }
  // Steps over this character if it is the current one.
  bool accept(char wanted) {
    if (at_end() || peek() != wanted) return false;
    advance();
    return true;
  }

  std::string found() const { return found_at(text_, at_); }
  int character() const { return character_number(text_, at_); }

 private:
  std::string_view text_;
  std::size_t at_;
};

}  // namespace gounki
