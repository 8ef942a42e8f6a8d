// The formulas of the PUCT search and of the choice of a move, as pure functions. Those of the
// Gumbel search are in mcts/gumbel.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/random.h"

namespace gounki::mcts {

// Exploration grows slowly with the visits of the parent: Silver et al. 2018 (AlphaZero),
// pseudocode, "pb_c", in the form of KataGo's cpuctExplorationLog.
inline double cpuct_at(double cpuct, double growth, double base, double parent_visits) {
  return cpuct + growth * std::log((parent_visits + base) / base);
}

// The exploration term of PUCT without the move's own share prior / (1 + visits): Silver et al.
// 2017 (AlphaGo Zero), Methods, "Select". `parent_visits` counts the visits of the parent's moves.
inline double exploration(double cpuct, double parent_visits) {
  return cpuct * std::sqrt(parent_visits);
}

// What an unvisited move is taken to be worth, first-play urgency: Wu 2019 (KataGo), section 2.
// `visited_mass` is the sum of the priors of the moves visited so far.
inline double first_play_value(double parent_value, double reduction, double visited_mass) {
  return std::max(-1.0, parent_value - reduction * std::sqrt(visited_mass));
}

// Each move's alpha of the root's Dirichlet noise when they sum to `total`: Wu 2019, section 2,
// after Silver et al. 2018, who scale it with the usual number of moves of the game.
inline double noise_alpha(double total, int moves) { return total / moves; }

// One draw of a symmetric Dirichlet distribution.
inline std::vector<double> dirichlet(int n, double alpha, Rng& rng) {
  std::vector<double> out(static_cast<std::size_t>(n));
  double sum = 0.0;
  for (double& x : out) sum += x = rng.gamma(alpha);
  // With tiny alphas every gamma may round to zero; then nothing is known of the draw.
  for (double& x : out) x = sum > 0.0 ? x / sum : 1.0 / n;
  return out;
}

inline double with_noise(double prior, double noise, double weight) {
  return (1.0 - weight) * prior + weight * noise;
}

// Raises a distribution to the power 1/temperature and makes it sum to 1 again.
inline void apply_temperature(std::span<float> distribution, double temperature) {
  if (temperature == 1.0) return;
  double sum = 0.0;
  for (float& p : distribution) {
    p = static_cast<float>(std::pow(static_cast<double>(p), 1.0 / temperature));
    sum += p;
  }
  for (float& p : distribution) p = static_cast<float>(p / sum);
}

// The temperature for the choice of a move at this ply, on its way from `start` to `end`.
inline double temperature_at(double start, double end, double halflife, int ply) {
  return end + (start - end) * std::exp2(-ply / halflife);
}

// How likely a move is drawn, in units of the likeliest: its visits, or its share of a policy, to the
// power 1/temperature.
inline double draw_weight(double amount, double most, double temperature) {
  return amount > 0.0 ? std::pow(amount / most, 1.0 / temperature) : 0.0;
}

// The variance of n values in [-1, 1], given their sum and the sum of their squares, as if
// `prior_weight` further values of variance `prior_variance` had been seen around the same mean:
// few values are not taken for quiet ones, and many speak for themselves. Without values it is the
// prior's; it is never negative, whatever the sums have lost to rounding.
inline double value_variance(double value_sum, double square_sum, double n, double prior_variance,
                             double prior_weight) {
  if (n <= 0.0) return prior_variance;
  const double spread = std::max(0.0, square_sum - value_sum * value_sum / n);
  return (prior_weight * prior_variance + spread) / (prior_weight + n);
}

// What cpuct is multiplied with where the values under a node have this standard deviation. Values
// that differ much take more visits to tell apart than values that hardly move, so exploration is
// worth more there: KataGo's docs/KataGoMethods.md, "Dynamic Variance-Scaled cPUCT". `prior_stdev`
// (above 0) is the usual deviation, whose factor is 1; with a `scale` of 0 every factor is 1, with
// 1 it is proportional to the deviation.
inline double exploration_factor(double stdev, double prior_stdev, double scale) {
  return 1.0 + scale * (stdev / prior_stdev - 1.0);
}

// The visits that a move of the root, once tried, is sure of when noise may have brought it up: Wu
// 2019, section 3.2, "forced playouts". `visits` counts those of all the root's moves.
inline double forced_visits(double k, double prior, double visits) {
  return std::sqrt(k * prior * visits);
}

// What is left of the visits of a move that is not the most visited one when those that PUCT alone
// would not have given are taken out of the policy target: Wu 2019, section 3.2, "policy target
// pruning". Visits are taken away one by one, `forced` of them at most, for as long as the move's
// score q + explore * prior / (1 + what is left) does not come above `best_score`, the score of the
// most visited move with all its visits. A move that is above it already keeps all. One visit that
// is left says nothing and becomes 0. `explore` is cpuct * sqrt(visits of all moves).
inline int pruned_visits(int visits, double q, double prior, double explore, double forced,
                         double best_score) {
  const int least = std::max(0, visits - static_cast<int>(std::min<double>(forced, visits)));
  int left = visits;
  // With one visit fewer the denominator is 1 + (left - 1).
  while (left > least && q + explore * prior / left <= best_score) --left;
  return left <= 1 ? 0 : left;
}

// The mean of a move's values less `stdevs` standard errors, in [-1, 1]. A move that has few visits
// is chosen by it only if its mean is much better, not if it was lucky: the "LCB" by which KataGo
// and Leela Zero choose moves. One value of variance 1, the widest that values in [-1, 1] can have,
// is taken as seen besides. So even where all values agree, the bound stays about stdevs / n under
// the mean; among many that differ it hardly counts. Without a visit the bound is -1.
inline double lower_bound(double value_sum, double square_sum, double n, double stdevs) {
  if (n <= 0.0) return -1.0;
  constexpr double kPriorVariance = 1.0, kPriorWeight = 1.0;
  const double variance = value_variance(value_sum, square_sum, n, kPriorVariance, kPriorWeight);
  return std::clamp(value_sum / n - stdevs * std::sqrt(variance / n), -1.0, 1.0);
}

}  // namespace gounki::mcts
