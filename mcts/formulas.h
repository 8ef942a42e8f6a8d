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

// How likely a move is drawn, in units of the most visited one: visits to the power 1/temperature.
inline double visit_weight(int visits, int most_visits, double temperature) {
  if (visits == 0) return 0.0;
  return std::pow(static_cast<double>(visits) / most_visits, 1.0 / temperature);
}

}  // namespace gounki::mcts
