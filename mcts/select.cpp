#include "mcts/select.h"

#include <array>
#include <cmath>
#include <limits>

#include "mcts/formulas.h"
#include "mcts/gumbel.h"

namespace gounki::mcts {
namespace {

constexpr double kMinus = -std::numeric_limits<double>::infinity();
// Stands in for a prior of zero, so that a move of great value without one still weighs something.
constexpr double kLeastPrior = 1e-9;

double prior_of(const Child& child) { return std::max<double>(child.prior, kLeastPrior); }

// A move's mean when every walk that is on its way there has lost so much.
double q_with_virtual_loss(const Child& child, double virtual_loss) {
  if (child.proof.known() || child.in_flight == 0) return child.q();
  const double lost = virtual_loss * child.in_flight;
  return (child.value_sum - lost) / (child.visits + lost);
}

}  // namespace

int select_puct(const Tree& tree, const Node& node, const Child& entered,
                const SearchConfig& config) {
  // Of the visits through `entered` one evaluated the node, and one is the walk that is choosing.
  const int visits = static_cast<int>(entered.visits) + entered.in_flight - 2;
  const double explore = exploration(
      cpuct_at(config.cpuct, config.cpuct_growth, config.cpuct_growth_base, visits), visits);

  double best_score = kMinus, visited_mass = 0.0;
  int best = node.child_count;
  int slot = 0;
  for (const Child& child : tree.children(node)) {
    visited_mass += child.prior;
    if (!child.proof.is_loss()) {
      const double score =
          q_with_virtual_loss(child, config.virtual_loss) +
          explore * child.prior / (1.0 + child.visits + child.in_flight);
      if (score > best_score) {
        best_score = score;
        best = slot;
      }
    }
    ++slot;
  }
  if (slot == node.edge_count) return best;
  const double value = -entered.value_sum / entered.visits;
  const double score = first_play_value(value, config.fpu_reduction, visited_mass) +
                       explore * tree.edges(node)[slot].prior();
  return score > best_score ? slot : best;
}

int select_gumbel(const Tree& tree, const Node& node, const SearchConfig& config) {
  const auto children = tree.children(node);
  if (children.empty()) return 0;

  // The formulas of mcts/gumbel.h over the children; the moves without one share one completed
  // value, so all of them together weigh what is left of the priors.
  double visited_prior = 0.0, weighted_q = 0.0;
  double least = std::numeric_limits<double>::infinity(), greatest = kMinus;
  int visits = 0, most_visits = 0;
  for (const Child& child : children) {
    const double q = child.q();
    visits += static_cast<int>(child.visits);
    most_visits = std::max(most_visits, static_cast<int>(child.visits));
    visited_prior += prior_of(child);
    weighted_q += prior_of(child) * q;
    least = std::min(least, q);
    greatest = std::max(greatest, q);
  }
  const bool some_untried = node.child_count < node.edge_count;
  const double mixed = mixed_value(node.value, visits, visited_prior, weighted_q);
  if (some_untried) {
    least = std::min(least, mixed);
    greatest = std::max(greatest, mixed);
  }
  const double scale = sigma_scale(config.gumbel_c_visit, config.gumbel_c_scale, most_visits);
  // exp(sigma), less the greatest sigma so that it cannot overflow; what underflows is spared.
  const auto weight = [&](double q) {
    const double x = scale * (rescaled(q, least, greatest) - 1.0);
    return x < -700.0 ? 0.0 : std::exp(x);
  };

  const double untried_weight = some_untried ? weight(mixed) : 0.0;
  double total = std::max(kLeastPrior, 1.0 - visited_prior) * untried_weight;
  std::array<double, MoveList::kCapacity> weights;
  int slot = 0;
  for (const Child& child : children)
    total += weights[slot++] = prior_of(child) * weight(child.q());

  double best_score = kMinus;
  int best = node.child_count;
  const auto consider = [&](int move, double share, double child_visits) {
    const double score = share / total - child_visits / (1.0 + visits);
    if (score > best_score) {
      best_score = score;
      best = move;
    }
  };
  slot = 0;
  for (const Child& child : children) {
    if (!child.proof.is_loss()) consider(slot, weights[slot], child.visits);
    ++slot;
  }
  if (some_untried) consider(slot, tree.edges(node)[slot].prior() * untried_weight, 0.0);
  return best;
}

}  // namespace gounki::mcts
