// What the search makes of the root's moves: their values, the policy target, and which one to play.
#include <algorithm>
#include <numeric>

#include "mcts/formulas.h"
#include "mcts/search_state.h"
#include "mcts/select.h"

namespace gounki::mcts {
PerMove<RootArm> SearchState::root_arms() const {
  PerMove<RootArm> arms(static_cast<std::size_t>(moves.size()));
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const double prior = root_evaluation ? root_evaluation->priors[i] : 1.0 / moves.size();
    arms[i].arm.prior = arms[i].walk_prior = prior;
    arms[i].proof = proofs[i];
  }

  const auto edges = tree.edges(root());
  int slot = 0;
  for (const Child& child : tree.children(root())) {
    const Edge edge = edges[static_cast<std::size_t>(slot++)];
    if (child.visits == 0) continue;
    const auto* move = std::find(moves.begin(), moves.end(), edge.move());
    RootArm& arm = arms[static_cast<std::size_t>(move - moves.begin())];
    arm.arm.visits = static_cast<int>(child.visits);
    arm.arm.q = child.q();
    if (child.proof.known()) arm.proof = child.proof;
    arm.walk_prior = edge.prior();
    arm.value_sum = child.value_sum;
    arm.square_sum = child.square_sum;
  }
  return arms;
}

Proof SearchState::proven_by(std::span<const RootArm> arms) const {
  if (!config().prove) return {};
  return proof_from_moves(arms, true, [](const RootArm& arm) { return arm.proof; });
}

// PUCT: the share of the visits, without those that were forced. Gumbel: the improved policy. Proofs go
// before both: all mass is on the quickest wins, and none on losses unless every move loses.
PerMove<double> SearchState::policy(std::span<const RootArm> arms) const {
  PerMove<double> out(arms.size(), 0.0);
  const Proof proof = proven_by(arms);
  if (proof.is_win()) {
    for (std::size_t i = 0; i < arms.size(); ++i) out[i] = arms[i].proof == proof ? 1.0 : 0.0;
  } else {
    out = config().is_gumbel() ? improved_policy(plain(arms), root().value, config().value_weight())
                               : unforced_visits(arms);
    const bool all_lose = proof.is_loss();
    const auto may_play = [&](std::size_t i) { return all_lose || !arms[i].proof.is_loss(); };
    double sum = 0.0;
    for (std::size_t i = 0; i < out.size(); ++i) sum += out[i] = may_play(i) ? out[i] : 0.0;
    // No visit went to a move that is left: nothing is known but the priors.
    if (sum <= 0.0)
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = may_play(i) ? std::max(arms[i].arm.prior, 1e-9) : 0.0;
  }
  double sum = 0.0;
  for (const double p : out) sum += p;
  for (double& p : out) p /= sum;
  return out;
}

// The visits of each move of a PUCT search, less those that forced playouts alone have brought it.
PerMove<double> SearchState::unforced_visits(std::span<const RootArm> arms) const {
  PerMove<double> out;
  double total = 0.0;
  for (const RootArm& arm : arms) {
    out.push_back(arm.arm.visits);
    total += arm.arm.visits;
  }
  if (config().forced_playouts <= 0.0) return out;
  const auto best = std::max_element(out.begin(), out.end()) - out.begin();
  const double explore = exploration(
      cpuct_at(config().cpuct, config().cpuct_growth, config().cpuct_growth_base, total) *
          spread_factor(entrance, config()),
      total);
  const RootArm& most = arms[static_cast<std::size_t>(best)];
  const double best_score = most.arm.q + explore * most.walk_prior / (1.0 + most.arm.visits);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (static_cast<std::ptrdiff_t>(i) == best || arms[i].proof.known()) continue;
    const double forced = forced_visits(config().forced_playouts, arms[i].walk_prior, total);
    out[i] = pruned_visits(arms[i].arm.visits, arms[i].arm.q, arms[i].walk_prior, explore, forced,
                           best_score);
  }
  return out;
}

// Each move's value for the root's side: its mean, what is proven, or what stands in for it.
PerMove<double> SearchState::estimates(std::span<const RootArm> arms) const {
  PerMove<double> out = completed_q(plain(arms), root().value);
  for (std::size_t i = 0; i < arms.size(); ++i)
    if (arms[i].proof.known()) out[i] = arms[i].proof.value().v;
  return out;
}

// Each move's weight in a draw by temperature, in units of the likeliest: by its visits, or by its share
// of the improved policy after a Gumbel search, whose last two have as many visits as each other. None for
// moves that have no visit or lose.
PerMove<double> SearchState::draw_weights(std::span<const RootArm> arms, double temperature) const {
  PerMove<double> out = config().is_gumbel() ? policy(arms) : PerMove<double>(arms.size());
  double most = 0.0;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (!config().is_gumbel()) out[i] = arms[i].arm.visits;
    if (arms[i].arm.visits == 0 || arms[i].proof.is_loss()) out[i] = 0.0;
    most = std::max(most, out[i]);
  }
  for (double& weight : out) weight = draw_weight(weight, most, temperature);
  return out;
}

int SearchState::choose(std::span<const RootArm> arms) const {
  const Proof proof = proven_by(arms);
  const bool decided = proof.is_loss() || proof.is_win();
  const double temperature = temperature_at(config().temperature, config().temperature_end,
                                            config().temperature_halflife, root_position().ply());
  // Below this every move but the first is out of reach.
  constexpr double kColdest = 1e-2;
  if (!decided && temperature > kColdest) {
    const PerMove<double> weights = draw_weights(arms, temperature);
    if (*std::max_element(weights.begin(), weights.end()) > 0.0) {
      Rng rng(derive_seed({seed, 1}));
      return rng.pick(weights);
    }
  }

  const std::vector<int> order = ranked(arms);
  if (config().is_gumbel() || config().choice != "lcb" || decided) return order.front();
  int most_visits = 0;
  for (const RootArm& arm : arms)
    if (!arm.proof.is_loss()) most_visits = std::max(most_visits, arm.arm.visits);
  // The greatest lower bound among the moves with visits enough; of equals the first in the order.
  const auto bound = [&](int i) {
    const RootArm& arm = arms[static_cast<std::size_t>(i)];
    const bool able =
        !arm.proof.is_loss() && arm.arm.visits >= config().lcb_least_visits * most_visits;
    return able ? lower_bound_of(arm) : -2.0;
  };
  return *std::max_element(order.begin(), order.end(),
                           [&](int a, int b) { return bound(a) < bound(b); });
}

double SearchState::lower_bound_of(const RootArm& arm) const {
  if (arm.proof.known()) return arm.proof.value().v;
  return lower_bound(arm.value_sum, arm.square_sum, arm.arm.visits, config().lcb_stdevs);
}

// The moves' numbers, best first: the quickest wins, then by visits what does not lose, then the
// slowest losses. Between equal visits decides the score that led the halving, or the value.
std::vector<int> SearchState::ranked(std::span<const RootArm> arms) const {
  const PerMove<double> score = config().is_gumbel() && root_evaluation
                                        ? gumbel.scores(arms, root().value)
                                        : estimates(arms);
  std::vector<int> order(arms.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int k) {
    const RootArm &a = arms[static_cast<std::size_t>(i)], &b = arms[static_cast<std::size_t>(k)];
    if (rank_of(a.proof) != rank_of(b.proof)) return rank_of(a.proof) < rank_of(b.proof);
    if (a.arm.visits != b.arm.visits) return a.arm.visits > b.arm.visits;
    const double x = score[static_cast<std::size_t>(i)], y = score[static_cast<std::size_t>(k)];
    return x != y ? x > y : a.arm.prior > b.arm.prior;
  });
  return order;
}

}  // namespace gounki::mcts
