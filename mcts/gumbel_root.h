// How a Gumbel search spends its visits among the moves of the root: candidates drawn by prior and
// noise, then halved again and again (mcts/gumbel.h has the formulas).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/random.h"
#include "mcts/config.h"
#include "mcts/gumbel.h"
#include "mcts/tree.h"

namespace gounki::mcts {

// A move of the root as it stands, in the order of the legal moves.
struct RootArm {
  Arm arm;
  Proof proof;
  double walk_prior = 0.0;  // the prior that walks see, with noise
  double value_sum = 0.0, square_sum = 0.0;
};

// The arms without what only the root knows of them.
PerMove<Arm> plain(std::span<const RootArm> arms);

class GumbelRoot {
 public:
  // Draws noise of the scale `noise`, one number for each move in their order. With `long_rounds` rounds
  // of the same moves are played as one, for many walks at once; moves are then ranked less often.
  void start(const SearchConfig& config, std::span<const float> priors, double noise, bool long_rounds,
             Rng& rng);

  // Whether the round is over; the next one is planned from what all visits before it have found.
  bool round_over() const { return next_ == round_.size(); }
  // Begins the next round: ranks the candidates, drops those that lose by proof or fall behind, and
  // when none is left draws new ones from the other moves. Some move must not be a proven loss.
  void plan_round(std::span<const RootArm> arms, double raw_value, int simulations_left);
  // The number of the legal move to visit next. A move that was proven lost since the round was
  // planned is not visited for it: the caller asks again.
  int upcoming() const { return round_[next_]; }
  void next() { ++next_; }

  // Noise + logit + sigma(completed q): the rank of each move.
  PerMove<double> scores(std::span<const RootArm> arms, double raw_value) const;

 private:
  void draw_candidates(std::span<const RootArm> arms, std::span<const double> score,
                       int simulations_left);

  ValueWeight value_weight_;
  int most_candidates_ = 0;  // 0 for as many as the visits are worth
  bool long_rounds_ = false;
  std::vector<double> noisy_logits_;
  std::vector<int> candidates_;
  std::vector<int> sizes_;      // of the rounds planned
  std::size_t rounds_done_ = 0;
  std::vector<int> round_;      // moves to visit in this round
  std::size_t next_ = 0;
};

}  // namespace gounki::mcts
