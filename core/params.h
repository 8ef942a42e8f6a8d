// Parameters, each declared once. A config struct has
//
//   template <class Visit> static void describe(Visit&& visit) {
//     visit("visits", &SearchConfig::visits, {1, 1'000'000}, "Simulations for each move.");
//     …
//   }
//
// and the TOML reader, the players' text form, --help, the recorded config and the documentation all
// come from that. The default is the member's initializer.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/error.h"

namespace gounki {

// The values a number may take, both ends included. Not used for booleans and strings.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

// One parameter of a config, as text, for help pages and records.
struct ParamInfo {
  std::string name;
  std::string type;     // "integer", "number", "true or false", "text"
  std::string value;    // as TOML writes it
  Range range;
  std::string help;
};

template <class Config>
std::vector<ParamInfo> describe_params(const Config& config = {});

// Sets one parameter from text ("visits", "400"). An error names the nearest known key, the type
// expected, or the range.
template <class Config>
Expected<void> set_param(Config& config, std::string_view key, std::string_view value);

// The known name that is closest to `key` by edit distance.
std::string nearest_name(std::string_view key, const std::vector<std::string>& known);

namespace params_detail {

template <class T>
constexpr bool is_text = std::is_same_v<T, std::string>;

std::string to_toml(bool value);
std::string to_toml(float value);
std::string to_toml(double value);
std::string to_toml(std::int64_t value);
std::string to_toml(const std::string& value);

Expected<bool> parse_bool(std::string_view text);
Expected<double> parse_number(std::string_view text, Range range);
Expected<std::int64_t> parse_integer(std::string_view text, Range range);

template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, bool>) return "true or false";
  else if constexpr (std::integral<T>) return "integer";
  else if constexpr (std::floating_point<T>) return "number";
  else return "text";
}

template <class T>
std::string value_text(const T& value) {
  if constexpr (std::is_same_v<T, bool>) return to_toml(value);
  else if constexpr (std::integral<T>) return to_toml(static_cast<std::int64_t>(value));
  else return to_toml(value);
}

// What a member of type T can hold of a range; TOML's integers have 64 bits and a sign.
template <class T>
Range held_by(Range range) {
  return {std::max(range.min, static_cast<double>(std::numeric_limits<T>::lowest())),
          std::min(range.max, static_cast<double>(std::numeric_limits<T>::max()))};
}

template <class T>
Expected<void> assign(T& target, std::string_view text, Range range) {
  if constexpr (is_text<T>) {
    target = std::string(text);
  } else {
    const auto value = [&] {
      if constexpr (std::is_same_v<T, bool>) return parse_bool(text);
      else if constexpr (std::integral<T>) return parse_integer(text, held_by<T>(range));
      else return parse_number(text, held_by<T>(range));
    }();
    if (!value) return tl::make_unexpected(value.error());
    target = static_cast<T>(*value);
  }
  return {};
}

}  // namespace params_detail

template <class Config>
std::vector<ParamInfo> describe_params(const Config& config) {
  std::vector<ParamInfo> out;
  Config::describe([&](const char* name, auto member, Range range, const char* help) {
    using T = std::remove_cvref_t<decltype(config.*member)>;
    out.push_back({name, params_detail::type_name<T>(), params_detail::value_text<T>(config.*member),
                   range, help});
  });
  return out;
}

template <class Config>
Expected<void> set_param(Config& config, std::string_view key, std::string_view value) {
  std::vector<std::string> known;
  bool found = false;
  Expected<void> result;
  Config::describe([&](const char* name, auto member, Range range, const char*) {
    known.push_back(name);
    if (key != name) return;
    found = true;
    result = params_detail::assign(config.*member, value, range);
  });
  if (known.empty()) return fail("unknown key \"" + std::string(key) + "\", there are none here");
  if (!found)
    return fail("unknown key \"" + std::string(key) + "\", did you mean \"" +
                nearest_name(key, known) + "\"?");
  if (!result) return fail(std::string(key) + ": " + result.error().message);
  return {};
}

}  // namespace gounki
