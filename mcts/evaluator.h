// What a search asks of an evaluator: many positions at once, each with its legal moves. The tree
// knows nothing of networks or policy indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/movegen.h"
#include "core/position.h"
#include "mcts/value.h"

namespace gounki::mcts {

// A position that a search wants evaluated. It is not over and has at least one legal move.
struct Leaf {
  Position position;
  // How often this position occurred before, in the game and on the way to the leaf: 0 or 1 (a
  // third occurrence is a draw), more where the rules allow more.
  int repetitions = 0;
  // In the order of legal_moves().
  MoveList moves;
};

struct Evaluation {
  WinDrawLoss wdl;
  // Plies until the game ends; negative when the evaluator has no idea.
  float plies_left = -1.0f;
  // One for each legal move, in the order of Leaf::moves; they sum to 1.
  std::vector<float> priors;
};

// Throws a Failure unless the evaluation is one: chances and priors that sum to 1, one prior for each
// of so many moves.
void check(const Evaluation& evaluation, std::size_t moves);

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Evaluates leaves[i] into out[i]; both have the same length. May be called from several threads
  // at once. The result depends on the leaves alone, so a batch gives the same result every time.
  virtual void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) = 0;
  // One line for logs and reports, such as "handcrafted" or "network step-000400 (4x32)".
  virtual std::string name() const = 0;
};

}  // namespace gounki::mcts
