#include "core/text.h"

#include <algorithm>

namespace gounki {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const bool separates = c == ' ' || is_control(c);
    if (!separates && !inside) words.emplace_back();
    if (!separates) words.back() += c;
    inside = !separates;
  }
  return words;
}

int character_number(std::string_view text, std::size_t at) {
  int number = 1;
  for (const char c : text.substr(0, at)) number += (c & 0xC0) != 0x80;  // UTF-8 goes on
  return number;
}

std::string line_and_column(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return "line " + std::to_string(line) + ", column " +
         std::to_string(character_number(text.substr(start), at - start));
}

std::string found_at(std::string_view text, std::size_t at) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  if (at >= text.size()) return "the end";
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte >= 0x20 && byte < 0x7F) return std::string("\"") + text[at] + '"';
  return std::string("byte 0x") + kHex[byte >> 4] + kHex[byte & 15];
}

}  // namespace gounki
