// One position to learn from: what self-play hands to the learner. It keeps the position and the
// moves, not planes; encoding happens when it is learned from.
#pragma once

#include <cstdint>
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
  float root_value = 0.0f;         // the search's, -1 … 1
  float weight = 1.0f;             // in the loss
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

// The value target: the game's result, mixed with the search's value at weight `value_mix`. A
// search value v counts as won with (1 + v) / 2 and lost with the rest. A capped game's result is a
// draw.
mcts::WinDrawLoss value_target(const Sample& sample, double value_mix);

// One row of a batch for each sample.
nn::Batch make_batch(std::span<const Sample> samples, double value_mix);

}  // namespace gounki::selfplay
