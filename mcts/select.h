// Which move a walk takes at a node: the rules of both algorithms. They pass over proven losses;
// the node is not proven itself, so another move is left.
#pragma once

#include "mcts/config.h"
#include "mcts/tree.h"

namespace gounki::mcts {

// Both return the number of a child, or node.child_count for the best edge without one.

// PUCT. `entered` is the child through which the walk came to the node, the walk itself included in
// what it has in flight.
int select_puct(const Tree& tree, const Node& node, const Child& entered,
                const SearchConfig& config);

// The deterministic rule of a Gumbel search below its root (the paper's section 5): visits come to
// be spread like the improved policy.
int select_gumbel(const Tree& tree, const Node& node, const SearchConfig& config);

}  // namespace gounki::mcts
