#include "mcts/tree.h"

namespace gounki::mcts {

void Tree::clear() {
  nodes_.clear();
  edges_.clear();
  children_.clear();
  for (auto& blocks : outgrown_) blocks.clear();
}

std::uint32_t Tree::add_node(const MoveList& moves) {
  const std::uint32_t index = nodes_.allocate(1);
  Node& node = *nodes_.at(index);
  node = Node();
  node.edge_count = static_cast<std::uint8_t>(moves.size());
  node.edges = edges_.allocate(node.edge_count);
  Edge* edges = edges_.at(node.edges);
  for (int i = 0; i < moves.size(); ++i) edges[i] = Edge(moves[i], 0.0f);
  return index;
}

void Tree::evaluate(std::uint32_t index, MoverValue value, std::span<const float> priors) {
  Node& node = *nodes_.at(index);
  assert(node.waiting && priors.size() == node.edge_count);
  Edge* edges = edges_.at(node.edges);
  for (std::size_t i = 0; i < priors.size(); ++i) edges[i] = Edge(edges[i].move(), priors[i]);
  node.value = value.v;
  node.waiting = false;
  sort_out_best(node);
}

// Edges are sorted no further than walks ask for: most nodes see few of their moves tried.
void Tree::sort_out_best(Node& node) {
  if (node.child_count >= node.edge_count) return;
  Edge* edges = edges_.at(node.edges);
  Edge* first = edges + node.child_count;
  std::iter_swap(first, std::max_element(first, edges + node.edge_count));
}

void Tree::bring_forward(Node& node, Move move) {
  Edge* edges = edges_.at(node.edges);
  Edge* first = edges + node.child_count;
  Edge* found = std::find_if(first, edges + node.edge_count,
                             [move](Edge edge) { return edge.move() == move; });
  assert(found != edges + node.edge_count);
  std::iter_swap(first, found);
}

Child& Tree::add_child(Node& node) {
  assert(node.child_count < node.edge_count && !node.waiting);
  if (node.room == 0 || node.child_count == 1 << node.room) make_room(node);
  Child& child = *children_.at(node.children + node.child_count);
  child = Child();
  child.prior = edges_.at(node.edges)[node.child_count].prior();
  ++node.child_count;
  sort_out_best(node);
  return child;
}

void Tree::make_room(Node& node) {
  const int room = node.room + 1;
  std::uint32_t block;
  if (outgrown_[room].empty()) {
    block = children_.allocate(1u << room);
  } else {
    block = outgrown_[room].back();
    outgrown_[room].pop_back();
  }
  if (node.room != 0) {
    std::copy_n(children_.at(node.children), node.child_count, children_.at(block));
    outgrown_[node.room].push_back(node.children);
  }
  node.children = block;
  node.room = static_cast<std::uint8_t>(room);
}

Proof Tree::proof_of(const Node& node) const {
  return proof_from_moves(children(node), node.child_count == node.edge_count,
                          [](const Child& child) { return child.proof; });
}

std::size_t Tree::bytes_held() const {
  return nodes_.bytes_held() + edges_.bytes_held() + children_.bytes_held();
}

}  // namespace gounki::mcts
