// A strict reader of what our pages and drawings may hold: elements that nest, quoted attributes that
// are there once, the five entities, no stray "<" or "&".
#pragma once

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gounki::play {

class XmlCheck {
 public:
  explicit XmlCheck(std::string_view text) : text_(text) {}

  // Empty, or what is wrong and where.
  std::string error() {
    if (text_.starts_with("<!DOCTYPE html>")) at_ = 15;
    while (error_.empty() && at_ < text_.size()) peek() == '<' ? tag() : character();
    if (error_.empty() && !open_.empty()) fail(open_.back() + " is not closed");
    return error_;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }
  void fail(const std::string& what) {
    if (error_.empty()) error_ = what + " at " + std::string(rest().substr(0, 60));
  }
  std::string name() {
    const std::size_t begin = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '-' || peek() == ':') ++at_;
    if (at_ == begin) fail("no name");
    return std::string(text_.substr(std::min(begin, text_.size()), at_ - begin));
  }
  void spaces() {
    while (peek() == ' ' || peek() == '\n') ++at_;
  }
  void character() {
    const char c = peek();
    if (c == '&') {
      bool known = false;
      for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
        known |= rest().starts_with(entity);
      if (!known) fail("an unknown entity");
    }
    if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') fail("a control character");
    ++at_;
  }
  void tag() {
    ++at_;
    if (peek() == '/') {
      ++at_;
      const std::string closed = name();
      if (open_.empty() || open_.back() != closed) fail("</" + closed + "> is not open");
      else open_.pop_back();
    } else {
      open_.push_back(name());
      attributes();
      if (peek() == '/') open_.pop_back(), ++at_;
    }
    if (peek() != '>') fail("no >");
    ++at_;
  }
  void attributes() {
    std::set<std::string> seen;
    for (spaces(); error_.empty() && peek() != '>' && peek() != '/'; spaces()) {
      if (!seen.insert(name()).second) fail("an attribute is there twice");
      if (!rest().starts_with("=\"")) return fail("no =\"");
      for (at_ += 2; error_.empty() && at_ < text_.size() && peek() != '"';)
        peek() == '<' ? fail("< in an attribute") : character();
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  std::string error_;
};

inline std::string xml_error(std::string_view text) { return XmlCheck(text).error(); }

}  // namespace gounki::play
