// One position to learn from: what self-play hands to the learner. It keeps the position and the
// moves, not planes; encoding happens when it is learned from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/error.h"
#include "core/move.h"
#include "core/position.h"
#include "mcts/value.h"
#include "nn/network.h"

namespace gounki::selfplay {

struct PolicyEntry {
  Move move;
  float probability = 0.0f;
  bool operator==(const PolicyEntry&) const = default;
};

// Values and results are from the point of view of the side to move.
struct Sample {
  static constexpr int kUnknownPlies = -1;

  Position position;
  std::int64_t game = 0;           // number of the game in the run
  std::vector<PolicyEntry> policy; // every legal move, in the order of legal_moves(); sums to 1
  Move played;                     // the move that was made
  std::optional<Move> reply;       // the opponent's next, as the opponent sees it, if the game went on
  float root_value = 0.0f;         // the search's, -1 … 1
  bool exact = false;              // the search proved root_value: 1, 0 or -1 by the rules
  float weight = 1.0f;             // how often it is learned from, beside others
  std::int32_t plies_left = kUnknownPlies;  // from here to the end of the game
  std::int8_t result = 0;          // 1 won, 0 drawn or capped, -1 lost
  std::uint8_t repetitions = 0;    // how often the position occurred before in its game
  bool capped = false;             // the game was stopped before its end

  bool operator==(const Sample&) const = default;
};

// Everything that must hold of a sample, whoever made it.
Expected<void> validate(const Sample& sample);

// The sample of the mirrored position, its moves mirrored and in their canonical order again.
Sample mirrored(const Sample& sample);

struct TargetOptions {
  double value_mix = 0;      // weight of the search's value in the value target
  bool exact_values = true;  // proven values stand in place of what the game came to
};

// The value target: the game's result, mixed with the search's value v, which counts as won with
// (1 + v) / 2 and lost with the rest; or what was proven. A capped game's result is a draw.
mcts::WinDrawLoss value_target(const Sample& sample, const TargetOptions& options);

// One row of a batch for each sample, all of the same weight: weights decide how often a sample is
// drawn.
nn::Batch make_batch(std::span<const Sample> samples, const TargetOptions& options);

}  // namespace gounki::selfplay
