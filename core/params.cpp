#include "core/params.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace gounki {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Reads the whole of `text`, with an optional plus sign that from_chars does not know.
template <class T>
bool read_whole(std::string_view text, T& value) {
  text = trimmed(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string quoted(std::string_view text) { return params_detail::to_toml(std::string(text)); }

template <class T>
std::string shortest(T value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
}

// TOML tells a float from an integer by its point or its exponent.
template <class T>
std::string shortest_float(T value) {
  std::string text = shortest(value);
  if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// A bound of a range, without ".0" and without an exponent where it is a whole number.
std::string bound_text(double bound) {
  return bound == std::floor(bound) ? shortest(static_cast<std::int64_t>(bound)) : shortest(bound);
}

Error out_of_range(std::string_view text, Range range) {
  // A bound that is only the end of what a type holds tells a reader nothing.
  const auto is_bound = [](double bound) { return std::abs(bound) < 0x1.0p63; };
  std::string expected;
  if (is_bound(range.min) && is_bound(range.max))
    expected = ", expected " + bound_text(range.min) + " to " + bound_text(range.max);
  else if (is_bound(range.min))
    expected = ", expected at least " + bound_text(range.min);
  else if (is_bound(range.max))
    expected = ", expected at most " + bound_text(range.max);
  return Error{std::string(trimmed(text)) + " is out of range" + expected};
}

bool inside(double value, Range range) { return value >= range.min && value <= range.max; }

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<int>(i));
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view key, const std::vector<std::string>& known) {
  const auto closer = [key](const std::string& a, const std::string& b) {
    return edit_distance(key, a) < edit_distance(key, b);
  };
  const auto nearest = std::min_element(known.begin(), known.end(), closer);
  return nearest == known.end() ? std::string() : *nearest;
}

namespace params_detail {

std::string to_toml(bool value) { return value ? "true" : "false"; }
std::string to_toml(float value) { return shortest_float(value); }
std::string to_toml(double value) { return shortest_float(value); }
std::string to_toml(std::int64_t value) { return shortest(value); }

std::string to_toml(const std::string& value) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += std::string("\\") + c;
    else if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (byte < 0x20 || byte == 0x7F)
      out += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15];
    else out += c;
  }
  return out + '"';
}

Expected<bool> parse_bool(std::string_view text) {
  text = trimmed(text);
  if (text == "true") return true;
  if (text == "false") return false;
  return fail("expected true or false, found " + quoted(text));
}

Expected<double> parse_number(std::string_view text, Range range) {
  double value = 0;
  if (!read_whole(text, value) || !std::isfinite(value))
    return fail("expected a number, found " + quoted(trimmed(text)));
  if (!inside(value, range)) return tl::make_unexpected(out_of_range(text, range));
  return value;
}

Expected<std::int64_t> parse_integer(std::string_view text, Range range) {
  std::int64_t value = 0;
  if (!read_whole(text, value)) {
    double number = 0;
    std::string hint;
    if (read_whole(text, number) && number == std::floor(number) && std::abs(number) < 0x1.0p63)
      hint = ", write " + bound_text(number);
    return fail("expected an integer, found " + quoted(trimmed(text)) + hint);
  }
  if (!inside(static_cast<double>(value), range))
    return tl::make_unexpected(out_of_range(text, range));
  return value;
}

}  // namespace params_detail
}  // namespace gounki
