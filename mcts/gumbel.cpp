#include "mcts/gumbel.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace gounki::mcts {

void round_sizes(int moves, int simulations, std::vector<int>& sizes) {
  assert(moves >= 1 && simulations >= 1);
  sizes.clear();
  if (moves == 1) return sizes.assign(static_cast<std::size_t>(simulations), 1);
  const int halvings = std::bit_width(static_cast<unsigned>(moves - 1));  // ceil(log2 moves)
  int left = simulations;
  for (int size = moves; left > 0; size = std::max(2, size / 2)) {
    const int rounds = std::max(1, simulations / (halvings * size));
    for (int round = 0; round < rounds && left > 0; ++round) {
      sizes.push_back(std::min(size, left));
      left -= sizes.back();
    }
  }
}

PerMove<double> completed_q(std::span<const Arm> arms, double raw_value) {
  int visits = 0;
  double visited_prior = 0.0, weighted_q = 0.0;
  for (const Arm& arm : arms) {
    if (arm.visits == 0) continue;
    visits += arm.visits;
    visited_prior += arm.prior;
    weighted_q += arm.prior * arm.q;
  }
  const double without_visit = mixed_value(raw_value, visits, visited_prior, weighted_q);
  PerMove<double> out;
  for (const Arm& arm : arms) out.push_back(arm.visits > 0 ? arm.q : without_visit);
  return out;
}

PerMove<double> sigma_of_completed_q(std::span<const Arm> arms, double raw_value,
                                     const ValueWeight& weight) {
  PerMove<double> out = completed_q(arms, raw_value);
  if (out.empty()) return out;
  int most_visits = 0;
  for (const Arm& arm : arms) most_visits = std::max(most_visits, arm.visits);
  const auto [least, greatest] = std::minmax_element(out.begin(), out.end());
  const double low = *least, high = *greatest, scale = weight.scale(most_visits);
  for (double& q : out) q = scale * weight.rescaled(q, low, high);
  return out;
}

PerMove<double> improved_policy(std::span<const Arm> arms, double raw_value,
                                const ValueWeight& weight) {
  PerMove<double> out = sigma_of_completed_q(arms, raw_value, weight);
  if (out.empty()) return out;
  const double most = *std::max_element(out.begin(), out.end());
  double sum = 0.0;
  // prior * exp(sigma) is exp(logit + sigma), and needs no logarithm of a prior of zero. If the
  // moves with the greatest sigma have no prior, everything could vanish; the priors are kept then.
  for (std::size_t i = 0; i < arms.size(); ++i)
    sum += out[i] = arms[i].prior * std::exp(out[i] - most);
  for (std::size_t i = 0; i < arms.size(); ++i) out[i] = sum > 0.0 ? out[i] / sum : arms[i].prior;
  return out;
}

}  // namespace gounki::mcts
