#include "mcts/select.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mcts/formulas.h"
#include "mcts/gumbel.h"

namespace gounki::mcts {
namespace {

constexpr double kMinus = -std::numeric_limits<double>::infinity();
// Puts a move that is owed a forced playout before all others.
constexpr double kForced = 1e3;
// Stands in for a prior of zero, so that a move of great value without one still weighs something.
constexpr double kLeastPrior = 1e-9;

double prior_of(Edge edge) { return std::max<double>(edge.prior(), kLeastPrior); }

// A move's mean when every walk that is on its way there has lost so much.
double q_with_virtual_loss(const Child& child, int under_way, double virtual_loss) {
  const Proof proof = child.proven();
  if (proof.known()) return proof.value().v;
  const double lost = virtual_loss * under_way, visits = child.visits.get() + lost;
  return visits > 0.0 ? (child.value_sum - lost) / visits : 0.0;
}

int extra_of(std::span<const std::uint16_t> extra, int slot) {
  return extra.empty() ? 0 : extra[static_cast<std::size_t>(slot)];
}

}  // namespace

double spread_factor(const Child& entered, const SearchConfig& config) {
  if (config.cpuct_stdev_scale <= 0.0) return 1.0;
  const double prior = config.cpuct_stdev_prior;
  const double variance =
      value_variance(entered.value_sum, entered.square_sum, std::max(1u, entered.visits.get()),
                     prior * prior, config.cpuct_stdev_weight);
  return exploration_factor(std::sqrt(variance), prior, config.cpuct_stdev_scale);
}

PuctChoice::PuctChoice(const Tree& tree, const Node& node, const Child& entered, int walks,
                       double forced, const SearchConfig& config)
    : tree_(tree), node_(node), config_(config), forced_(forced) {
  const std::uint32_t visits = std::max<std::uint32_t>(entered.visits, 1);
  value_ = -entered.value_sum / visits;
  // One of the visits through `entered` evaluated the node.
  visits_ = std::max(0, static_cast<int>(visits) + entered.in_flight - 1 - walks);
  cpuct_factor_ = spread_factor(entered, config);
}

int PuctChoice::next(std::span<const std::uint16_t> extra, bool may_grow) {
  const double cpuct =
      cpuct_factor_ * cpuct_at(config_.cpuct, config_.cpuct_growth, config_.cpuct_growth_base,
                               visits_);
  const double explore = exploration(cpuct, visits_);
  const auto children = tree_.children(node_);
  const Edge* edge = tree_.edges(node_).data();

  double best_score = kMinus, visited_mass = 0.0;
  int best = kNoMove;
  int slot = 0;
  for (const Child& child : children) {
    const double prior = edge[slot].prior();
    visited_mass += prior;
    if (!child.proven().is_loss()) {
      const int under_way = child.in_flight + extra_of(extra, slot);
      const double tried = child.visits.get() + static_cast<double>(under_way);
      double score = q_with_virtual_loss(child, under_way, config_.virtual_loss) +
                     explore * prior / (1.0 + tried);
      if (forced_ > 0.0 && tried < forced_visits(forced_, prior, visits_)) score += kForced;
      if (score > best_score) {
        best_score = score;
        best = slot;
      }
    }
    ++slot;
  }
  ++visits_;
  if (slot == node_.edge_count || !may_grow) return best;
  const double score = first_play_value(value_, config_.fpu_reduction, visited_mass) +
                       explore * edge[slot].prior();
  return score > best_score ? slot : best;
}

int select_gumbel(const Tree& tree, const Node& node, std::span<const std::uint16_t> extra,
                  bool may_grow, const SearchConfig& config) {
  const auto children = tree.children(node);
  if (children.empty()) return may_grow ? 0 : kNoMove;
  const Edge* edge = tree.edges(node).data();

  // The formulas of mcts/gumbel.h over the children; the moves without one share one completed
  // value, so all of them together weigh what is left of the priors. What is under way has a visit,
  // but no value yet.
  struct Seen {
    double q, prior;
    int visits;
    bool valued, loses;
  };
  std::array<Seen, MoveList::kCapacity> seen;
  double visited_prior = 0.0, weighted_q = 0.0, tried_prior = 0.0;
  double least = std::numeric_limits<double>::infinity(), greatest = kMinus;
  int visits = 0, most_visits = 0, slot = 0;
  bool some_unvalued = false;
  for (const Child& child : children) {
    Seen& s = seen[slot];
    const Proof proof = child.proven();
    s.prior = prior_of(edge[slot]);
    s.visits = static_cast<int>(child.visits) + child.in_flight + extra_of(extra, slot);
    s.valued = child.visits > 0 || proof.known();
    s.loses = proof.is_loss();
    visits += s.visits;
    most_visits = std::max(most_visits, s.visits);
    tried_prior += s.prior;
    if (s.valued) {
      s.q = child.q();
      visited_prior += s.prior;
      weighted_q += s.prior * s.q;
      least = std::min(least, s.q);
      greatest = std::max(greatest, s.q);
    }
    some_unvalued = some_unvalued || !s.valued;
    ++slot;
  }
  const int tried = slot;
  const bool some_untried = tried < node.edge_count;
  const double mixed = mixed_value(node.value, visits, visited_prior, weighted_q);
  if (some_untried || some_unvalued) {
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
  double total = std::max(kLeastPrior, 1.0 - tried_prior) * untried_weight;
  std::array<double, MoveList::kCapacity> weights;
  for (slot = 0; slot < tried; ++slot) {
    const Seen& s = seen[slot];
    total += weights[slot] = s.prior * (s.valued ? weight(s.q) : weight(mixed));
  }

  double best_score = kMinus;
  int best = kNoMove;
  const auto consider = [&](int move, double share, double child_visits) {
    const double score = share / total - child_visits / (1.0 + visits);
    if (score > best_score) {
      best_score = score;
      best = move;
    }
  };
  for (slot = 0; slot < tried; ++slot)
    if (!seen[slot].loses) consider(slot, weights[slot], seen[slot].visits);
  if (some_untried && may_grow) consider(tried, edge[tried].prior() * untried_weight, 0.0);
  return best;
}

}  // namespace gounki::mcts
