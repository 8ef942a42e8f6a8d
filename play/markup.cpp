#include "play/markup.h"

#include <vector>

namespace gounki::play {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default:
        if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') out += "\uFFFD";
        else out += c;
    }
  }
  return out;
}

std::string shortened(const std::string& text, int characters) {
  std::vector<std::size_t> begins;  // of the characters of UTF-8
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) begins.push_back(i);
  const auto most = static_cast<std::size_t>(characters);
  if (begins.size() <= most) return text;
  const std::size_t head = (most - 1) / 2, tail = most - 1 - head;
  return text.substr(0, begins[head]) + "…" + text.substr(begins[begins.size() - tail]);
}

}  // namespace gounki::play
