#include "mcts/gumbel_root.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace gounki::mcts {
namespace {

// The first `n` of `moves`, best score first; of equal scores the earlier move.
void keep_best(std::vector<int>& moves, std::span<const double> score, int n) {
  std::sort(moves.begin(), moves.end(), [score](int a, int b) {
    return score[a] != score[b] ? score[a] > score[b] : a < b;
  });
  if (static_cast<int>(moves.size()) > n) moves.resize(static_cast<std::size_t>(n));
}

}  // namespace

PerMove<Arm> plain(std::span<const RootArm> arms) {
  PerMove<Arm> out;
  for (const RootArm& arm : arms) out.push_back(arm.arm);
  return out;
}

void GumbelRoot::start(const SearchConfig& config, std::span<const float> priors, double noise,
                       bool long_rounds, Rng& rng) {
  long_rounds_ = long_rounds;
  value_weight_ = config.value_weight();
  most_candidates_ = config.gumbel_moves;
  noisy_logits_.clear();
  for (const float prior : priors) {
    // A prior of zero is as good as forbidden, but it has a logarithm and a place in the order.
    const double logit = std::log(std::max(static_cast<double>(prior), 1e-30));
    noisy_logits_.push_back(noise > 0.0 ? logit + noise * rng.gumbel() : logit);
  }
  candidates_.clear();
  round_.clear();
  next_ = 0;
}

PerMove<double> GumbelRoot::scores(std::span<const RootArm> arms, double raw_value) const {
  PerMove<double> out = sigma_of_completed_q(plain(arms), raw_value, value_weight_);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += noisy_logits_[i];
  return out;
}

void GumbelRoot::draw_candidates(std::span<const RootArm> arms, std::span<const double> score,
                                 int simulations_left) {
  for (int i = 0; i < static_cast<int>(arms.size()); ++i)
    if (!arms[i].proof.is_loss()) candidates_.push_back(i);
  assert(!candidates_.empty());
  const int most = most_candidates_ > 0 ? most_candidates_ : usual_candidates(simulations_left);
  keep_best(candidates_, score, most);
  round_sizes(static_cast<int>(candidates_.size()), simulations_left, sizes_);
  rounds_done_ = 0;
}

void GumbelRoot::plan_round(std::span<const RootArm> arms, double raw_value,
                            int simulations_left) {
  const PerMove<double> score = scores(arms, raw_value);
  std::erase_if(candidates_, [arms](int i) { return arms[i].proof.is_loss(); });
  if (candidates_.empty()) draw_candidates(arms, score, simulations_left);
  // Visits that proofs have saved lengthen the last phase.
  const int size = rounds_done_ < sizes_.size() ? sizes_[rounds_done_] : 2;
  ++rounds_done_;
  keep_best(candidates_, score, size);
  round_ = candidates_;
  next_ = 0;
  if (!long_rounds_) return;
  for (; rounds_done_ < sizes_.size() && sizes_[rounds_done_] == size; ++rounds_done_)
    round_.insert(round_.end(), candidates_.begin(), candidates_.end());
}

}  // namespace gounki::mcts
