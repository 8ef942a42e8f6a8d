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

// A move's mean when every walk that is on its way there has lost so much; minus infinity for a move
// that loses.
double q_with_virtual_loss(const Child& child, double virtual_loss) {
  if (child.proof.known()) return child.proof.is_loss() ? kMinus : child.proof.value().v;
  if (child.in_flight == 0) return child.q();
  const double lost = virtual_loss * child.in_flight;
  return (child.value_sum - lost) / (child.visits + lost);
}

double visits_of(const Child& child) {
  return static_cast<double>(child.visits) + child.in_flight;
}

}  // namespace

double spread_factor(const Child& entered, const SearchConfig& config) {
  if (config.cpuct_stdev_scale <= 0.0) return 1.0;
  const double prior = config.cpuct_stdev_prior;
  const double variance = value_variance(entered.value_sum, entered.square_sum, entered.visits,
                                         prior * prior, config.cpuct_stdev_weight);
  return exploration_factor(std::sqrt(variance), prior, config.cpuct_stdev_scale);
}

PuctChoice::PuctChoice(const Tree& tree, const Node& node, const Child& entered, int walks,
                       double forced, const SearchConfig& config)
    : tree_(tree), node_(node), config_(config), forced_(forced),
      value_(entered.visits == 0 ? 0.0 : -entered.value_sum / entered.visits),
      // One of the visits through `entered` evaluated the node.
      visits_(entered.visits + entered.in_flight - 1.0 - walks + (walks - 1) / 2.0),
      explore_(exploration(spread_factor(entered, config) *
                               cpuct_at(config.cpuct, config.cpuct_growth,
                                        config.cpuct_growth_base, visits_),
                           visits_)) {}

double PuctChoice::score(const Child& child, double prior) const {
  const double visits = visits_of(child);
  const double score = q_with_virtual_loss(child, config_.virtual_loss) +
                       explore_ * prior / (1.0 + visits);
  return forced_ > 0.0 && visits < forced_visits(forced_, prior, visits_) ? score + kForced : score;
}

double PuctChoice::untried_score(int tried, double visited_mass) const {
  if (tried == node_.edge_count) return kMinus;
  return first_play_value(value_, config_.fpu_reduction, visited_mass) +
         explore_ * tree_.edges(node_)[static_cast<std::size_t>(tried)].prior();
}

int PuctChoice::only(bool may_grow) const {
  const Edge* edge = tree_.edges(node_).data();
  double best_score = kMinus, visited_mass = 0.0;
  int best = kNoMove, slot = 0;
  for (const Child& child : tree_.children(node_)) {
    const double prior = edge[slot].prior();
    visited_mass += prior;
    if (const double s = score(child, prior); s > best_score) {
      best_score = s;
      best = slot;
    }
    ++slot;
  }
  return may_grow && untried_score(slot, visited_mass) > best_score ? slot : best;
}

void PuctChoice::begin() {
  for (const Child& child : tree_.children(node_)) changed(tried_, child);
}

void PuctChoice::changed(int slot, const Child& child) {
  const auto at = static_cast<std::size_t>(slot);
  const double prior = tree_.edges(node_)[at].prior();
  scores_[at] = score(child, prior);
  if (slot < tried_) return;
  ++tried_;
  visited_mass_ += prior;
}

int PuctChoice::next(bool may_grow) const {
  // Four at a time, which do not wait for each other.
  std::array<double, 4> greatest;
  greatest.fill(kMinus);
  int slot = 0;
  for (; slot + 4 <= tried_; slot += 4)
    for (std::size_t lane = 0; lane < 4; ++lane)
      greatest[lane] = std::max(greatest[lane], scores_[static_cast<std::size_t>(slot) + lane]);
  for (; slot < tried_; ++slot)
    greatest[0] = std::max(greatest[0], scores_[static_cast<std::size_t>(slot)]);
  const double best_score = *std::max_element(greatest.begin(), greatest.end());

  if (may_grow && untried_score(tried_, visited_mass_) > best_score) return tried_;
  if (best_score == kMinus) return kNoMove;
  return static_cast<int>(std::find(scores_.begin(), scores_.end(), best_score) - scores_.begin());
}

int select_gumbel(const Tree& tree, const Node& node, bool may_grow, const SearchConfig& config) {
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
    s.prior = prior_of(edge[slot]);
    s.visits = static_cast<int>(child.visits) + child.in_flight;
    s.valued = child.visits > 0 || child.proof.known();
    s.loses = child.proof.is_loss();
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
  const ValueWeight value_weight = config.value_weight();
  const double scale = value_weight.scale(most_visits);
  // exp(sigma), less the greatest sigma so that it cannot overflow; what underflows is spared.
  const auto weight = [&](double q) {
    const double x = scale * (value_weight.rescaled(q, least, greatest) - 1.0);
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
