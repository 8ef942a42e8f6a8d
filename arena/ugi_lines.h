// Parts of the Universal Game Interface's lines, written and read: what our engine says and what the
// player that speaks to other engines understands come from the same place (docs/ugi.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/params.h"
#include "mcts/proof.h"
#include "mcts/value.h"

namespace gounki::arena {

// A score as the protocol has it, for the side to move: "cp 35", or "mate 3", a win within so many
// plies; "mate -4" is a loss.
struct UgiScore {
  bool mate = false;
  std::int64_t number = 0;

  bool operator==(const UgiScore&) const = default;
};

// cp = kScale * atanh(value), value = tanh(cp / kScale). Scores of ours are held within ±kMost,
// where each is still a value of its own: there and back is the same number.
inline constexpr double kUgiScoreScale = 350.0;
inline constexpr int kMostUgiScore = 2000;

// A proof of a win or a loss is a mate.
UgiScore ugi_score(mcts::MoverValue value, mcts::Proof proof = {});
// 1 and -1 for mates; "mate 0" has lost.
mcts::MoverValue value_of(const UgiScore& score);
std::string to_string(const UgiScore& score);

// What an engine's "info" line says, as far as a player wants to know it.
struct UgiInfo {
  std::optional<UgiScore> score;
  std::optional<int> depth;
  std::optional<std::int64_t> nodes;
  int multipv = 1;
};
// The words of the line, "info" the first. What cannot be read is left out.
UgiInfo read_ugi_info(std::span<const std::string> words);

// An option of an engine: its "option" line.
struct UgiOption {
  std::string name;
  std::string type;  // spin, check, string, combo or button
  std::string value = {};  // the default
  Range range = {};  // of a spin
  std::vector<std::string> choices = {};  // of a combo
};
std::string to_string(const UgiOption& option);
// The words of the line, "option" the first; none where it names no option.
std::optional<UgiOption> read_ugi_option(std::span<const std::string> words);
// Whether an engine takes this value. The error says what is expected.
Expected<void> check_ugi_value(const UgiOption& option, const std::string& value);

}  // namespace gounki::arena
