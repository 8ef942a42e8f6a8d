// Which move a walk takes at a node: the rules of both algorithms. They pass over proven losses.
#pragma once

#include <array>

#include "mcts/config.h"
#include "mcts/tree.h"

namespace gounki::mcts {

// All choices give the number of a child, node.child_count for the best edge without one, or this: no
// move is left to take, because the tree is full, or all children lose.
constexpr int kNoMove = -1;

// What cpuct is multiplied with at the node behind a child, for the spread of its values.
double spread_factor(const Child& entered, const SearchConfig& config);

// The PUCT rule at a node, for one walk or for some that choose their moves one after the other.
class PuctChoice {
 public:
  // `entered` is the child through which the walks came to the node; they are in its `in_flight`.
  // `forced` is the k of forced playouts (Wu 2019, section 3.2), 0 for none. The weight of exploration
  // is that of the walk in the middle.
  PuctChoice(const Tree& tree, const Node& node, const Child& entered, int walks, double forced,
             const SearchConfig& config);

  // The choice of one walk. Unless `may_grow`, only children are chosen.
  int only(bool may_grow) const;

  // The choices of many. Between two the caller puts the walk that has chosen into its child's
  // `in_flight`, makes the child first if it has chosen the best edge without one, and tells of it by
  // `changed`.
  void begin();
  int next(bool may_grow) const;
  void changed(int slot, const Child& child);

 private:
  double score(const Child& child, double prior) const;
  double untried_score(int tried, double visited_mass) const;

  const Tree& tree_;
  const Node& node_;
  const SearchConfig& config_;
  double forced_, value_;
  double visits_;   // of the moves, those under way included
  double explore_;

  // Of many choices.
  int tried_ = 0;
  double visited_mass_ = 0.0;
  std::array<double, MoveList::kCapacity> scores_;
};

// The deterministic rule of a Gumbel search below its root (the paper's section 5): visits come to
// be spread like the improved policy. Visits under way count as visits.
int select_gumbel(const Tree& tree, const Node& node, bool may_grow, const SearchConfig& config);

}  // namespace gounki::mcts
