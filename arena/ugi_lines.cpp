#include "arena/ugi_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gounki::arena {
namespace {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Words one after another.
class Words {
 public:
  explicit Words(std::span<const std::string> words) : words_(words) {}
  bool at_end() const { return at_ >= words_.size(); }
  // "" at the end.
  std::string next() { return at_end() ? std::string() : words_[at_++]; }
  // All words up to one of these, joined by spaces.
  std::string until(std::span<const std::string_view> keys) {
    std::string out;
    while (!at_end() && std::find(keys.begin(), keys.end(), words_[at_]) == keys.end())
      out += (out.empty() ? "" : " ") + words_[at_++];
    return out;
  }

 private:
  std::span<const std::string> words_;
  std::size_t at_ = 0;
};

std::optional<UgiScore> read_score(Words& words) {
  const std::string kind = words.next();
  const auto number = number_of<std::int64_t>(words.next());
  if (!number || (kind != "cp" && kind != "mate")) return std::nullopt;
  return UgiScore{kind == "mate", *number};
}

std::string integer_text(double number) {
  return std::to_string(static_cast<std::int64_t>(number));
}

}  // namespace

UgiScore ugi_score(mcts::MoverValue value, mcts::Proof proof) {
  if (proof.is_win()) return {true, proof.plies()};
  if (proof.is_loss()) return {true, -proof.plies()};
  const double score = kUgiScoreScale * std::atanh(static_cast<double>(value.v));
  return {false, std::lround(std::clamp<double>(score, -kMostUgiScore, kMostUgiScore))};
}

mcts::MoverValue value_of(const UgiScore& score) {
  if (score.mate) return {score.number > 0 ? 1.0f : -1.0f};
  return {static_cast<float>(std::tanh(static_cast<double>(score.number) / kUgiScoreScale))};
}

std::string to_string(const UgiScore& score) {
  return (score.mate ? "mate " : "cp ") + std::to_string(score.number);
}

UgiInfo read_ugi_info(std::span<const std::string> words) {
  UgiInfo info;
  for (Words rest(words); !rest.at_end();) {
    const std::string key = rest.next();
    if (key == "pv" || key == "string") break;  // the line's end belongs to them
    if (key == "score") info.score = read_score(rest);
    if (key == "depth") info.depth = number_of<int>(rest.next());
    if (key == "nodes") info.nodes = number_of<std::int64_t>(rest.next());
    if (key == "multipv") info.multipv = number_of<int>(rest.next()).value_or(1);
  }
  return info;
}

std::string to_string(const UgiOption& option) {
  std::string out = "option name " + option.name + " type " + option.type;
  if (option.type != "button")
    out += " default " + (option.value.empty() ? "<empty>" : option.value);
  if (option.type == "spin")
    out += " min " + integer_text(option.range.min) + " max " + integer_text(option.range.max);
  for (const std::string& choice : option.choices) out += " var " + choice;
  return out;
}

std::optional<UgiOption> read_ugi_option(std::span<const std::string> words) {
  static constexpr std::string_view kKeys[] = {"name", "type", "default", "min", "max", "var"};
  UgiOption option;
  Words rest(words);
  for (rest.next(); !rest.at_end();) {
    const std::string key = rest.next();
    if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) return std::nullopt;
    const std::string value = rest.until(kKeys);
    if (key == "name") option.name = value;
    if (key == "type") option.type = value;
    if (key == "default") option.value = value == "<empty>" ? "" : value;
    if (key == "min") option.range.min = number_of<double>(value).value_or(option.range.min);
    if (key == "max") option.range.max = number_of<double>(value).value_or(option.range.max);
    if (key == "var") option.choices.push_back(value);
  }
  if (option.name.empty()) return std::nullopt;
  return option;
}

Expected<void> check_ugi_value(const UgiOption& option, const std::string& value) {
  const auto wrong = [&](const std::string& expected) {
    return fail(option.name + ": expected " + expected + ", found \"" + value + "\"");
  };
  if (option.type == "spin") {
    const auto number = number_of<std::int64_t>(value);
    if (!number) return wrong("an integer");
    const auto n = static_cast<double>(*number);
    if (n < option.range.min || n > option.range.max)
      return wrong(integer_text(option.range.min) + " to " + integer_text(option.range.max));
  }
  if (option.type == "check" && value != "true" && value != "false") return wrong("true or false");
  if (option.type == "combo" &&
      std::find(option.choices.begin(), option.choices.end(), value) == option.choices.end()) {
    std::string choices;
    for (const std::string& choice : option.choices)
      choices += (choices.empty() ? "" : " or ") + choice;
    return wrong(choices.empty() ? "a choice that the engine lists" : choices);
  }
  return {};
}

}  // namespace gounki::arena
