// The formulas and the schedule of the Gumbel search: Danihelka, Guez, Schrittwieser, Silver,
// "Policy improvement by planning with Gumbel", ICLR 2022.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "mcts/per_move.h"

namespace gounki::mcts {

// One move as the formulas see it. Values are for the side that chooses.
struct Arm {
  double prior = 0.0;
  double q = 0.0;  // mean of its visits; means nothing without a visit
  int visits = 0;
};

// The sizes of the rounds of sequential halving (Karnin, Koren, Somekh 2013): in round k each of
// the best sizes[k] moves is visited once, so it has k visits before. The sizes sum to
// `simulations`; the last round may be cut short. `moves` and `simulations` are at least 1. The vector's
// memory is used again.
void round_sizes(int moves, int simulations, std::vector<int>& sizes);

// Moves to begin with where the config says nothing: 3 for each 8 visits, so that halvings of 6 and 12
// come out even, up to 16; with more than 256 visits one for each 16. Found by matches (docs/search.md):
// too few leave the best move out, too many leave no visits to compare the last.
inline int usual_candidates(int simulations) {
  return std::clamp(3 * simulations / 8, 2, std::max(16, simulations / 16));
}

// The value of a move that has no visit (appendix D): the evaluator's value of the parent mixed
// with the priors' mean over the visited moves. `weighted_q` is the sum of prior * q over those.
inline double mixed_value(double raw_value, int visits, double visited_prior, double weighted_q) {
  if (visits == 0 || visited_prior <= 0.0) return raw_value;
  return (raw_value + visits * (weighted_q / visited_prior)) / (1.0 + visits);
}

// How much values weigh against the priors' logits (equation 8).
struct ValueWeight {
  double c_visit = 50.0, c_scale = 0.1;
  // Values that span less than this are not spread further apart. With 0 the best and the worst move
  // of a node always lie as far apart, and where all moves are as good that is noise; with 2, the
  // widest span there is, a difference of values means the same in each node.
  double least_span = 0.0;

  // What a value rescaled to 0 … 1 is multiplied with before it is added to a logit.
  double scale(int most_visits) const { return (c_visit + most_visits) * c_scale; }
  // A value's place above the least of its node; that of the greatest is 1 where the span is wide.
  double rescaled(double q, double least, double greatest) const {
    constexpr double kEpsilon = 1e-8;
    return (q - least) / std::max({greatest - least, least_span, kEpsilon});
  }
};

// Each move's q, or the mixed value where it has no visit.
PerMove<double> completed_q(std::span<const Arm> arms, double raw_value);
// sigma(completed q) of each move.
PerMove<double> sigma_of_completed_q(std::span<const Arm> arms, double raw_value,
                                     const ValueWeight& weight);
// softmax(logits + sigma(completed q)), the policy target (equation 11). Logits are the logarithms
// of the priors.
PerMove<double> improved_policy(std::span<const Arm> arms, double raw_value,
                                const ValueWeight& weight);

}  // namespace gounki::mcts
