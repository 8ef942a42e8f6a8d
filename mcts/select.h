// Which move a walk takes at a node: the rules of both algorithms. They pass over proven losses.
#pragma once

#include <cstdint>
#include <span>

#include "mcts/config.h"
#include "mcts/tree.h"

namespace gounki::mcts {

// In place of a child's number: no move is left to take, because others are proving that all lose,
// or because the tree is full and none was tried.
constexpr int kNoMove = -1;

// What cpuct is multiplied with at the node behind a child, for the spread of its values.
double spread_factor(const Child& entered, const SearchConfig& config);

// A node where some walks choose their moves one after the other.
//
// All choices give the number of a child, node.tried() for the best edge without one, or kNoMove.
class PuctChoice {
 public:
  // `entered` is the child through which the walks came to the node; they are in its `in_flight`.
  // `forced` is the k of forced playouts (Wu 2019, section 3.2), 0 for none. Unless `may_grow`, only
  // children are chosen.
  PuctChoice(const Tree& tree, const Node& node, const Child& entered, int walks, double forced,
             const SearchConfig& config);

  // `extra`, if not empty, are walks that have chosen each child and are not in its `in_flight` yet.
  int next(std::span<const std::uint16_t> extra, bool may_grow);

 private:
  const Tree& tree_;
  const Node& node_;
  const SearchConfig& config_;
  double forced_;
  double cpuct_factor_, value_;
  int visits_;  // of the moves, those under way included
};

// The deterministic rule of a Gumbel search below its root (the paper's section 5): visits come to
// be spread like the improved policy. Visits under way count as visits.
int select_gumbel(const Tree& tree, const Node& node, std::span<const std::uint16_t> extra,
                  bool may_grow, const SearchConfig& config);

}  // namespace gounki::mcts
