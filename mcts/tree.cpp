#include "mcts/tree.h"

namespace gounki::mcts {

Tree::Tree(int workers) {
  for (int i = 0; i < workers; ++i) arenas_.push_back(std::make_unique<WorkerArenas>());
}

std::int64_t Tree::node_count() const {
  std::int64_t count = 0;
  for (const auto& arenas : arenas_) count += arenas->node_count;
  return count;
}

void Tree::clear() {
  nodes_.clear();
  edges_.clear();
  children_.clear();
  for (const auto& arenas : arenas_) {
    arenas->nodes.clear();
    arenas->edges.clear();
    arenas->children.clear();
    arenas->node_count = 0;
    arenas->full = false;
  }
}

bool Tree::full() const {
  return std::any_of(arenas_.begin(), arenas_.end(), [](const auto& a) { return a->full; });
}

std::uint32_t Tree::WorkerArenas::or_full(std::uint32_t block) {
  full = full || block == kNone;
  return block;
}

std::uint32_t Tree::add_node(const MoveList& moves, int worker) {
  WorkerArenas& arenas = *arenas_[static_cast<std::size_t>(worker)];
  const auto count = static_cast<std::uint8_t>(moves.size());
  const std::uint32_t edges = arenas.or_full(arenas.edges.allocate(count, edges_, budget_));
  if (edges == kNone) return kNone;
  const std::uint32_t index = arenas.or_full(arenas.nodes.allocate(1, nodes_, budget_));
  if (index == kNone) {
    arenas.edges.give_back(edges, count, edges_);
    return kNone;
  }
  Node& node = *nodes_.at(index);
  node = Node();
  node.edge_count = count;
  node.edges = edges;
  Edge* edge = edges_.at(edges);
  for (const Move move : moves) *edge++ = Edge(move, 0.0f);
  ++arenas.node_count;
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

void Tree::set_priors(Node& node, const MoveList& moves, std::span<const float> priors) {
  assert(moves.size() == node.edge_count);
  Edge* edges = edges_.at(node.edges);
  for (int i = 0; i < node.edge_count; ++i) {
    const auto* move = std::find(moves.begin(), moves.end(), edges[i].move());
    edges[i] = Edge(*move, priors[static_cast<std::size_t>(move - moves.begin())]);
  }
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

Child* Tree::add_child(Node& node, int worker) {
  assert(node.child_count < node.edge_count && !node.waiting);
  const int slot = node.child_count;
  Child* last = slot == 0 ? nullptr : &children(node)[slot - 1];
  Child* child = begins_block(slot) ? nullptr : last + 1;
  if (child == nullptr) {
    WorkerArenas& arenas = *arenas_[static_cast<std::size_t>(worker)];
    const std::uint32_t size = block_size(slot, node.edge_count);
    const std::uint32_t block =
        arenas.or_full(arenas.children.allocate(size, children_, budget_));
    if (block == kNone) return nullptr;
    (slot == 0 ? node.children : last->next_block) = block;
    child = children_.at(block);
  }
  *child = Child();
  ++node.child_count;
  sort_out_best(node);
  return child;
}

Proof Tree::proof_of(const Node& node) const {
  return proof_from_moves(children(node), node.child_count == node.edge_count,
                          [](const Child& child) { return child.proof; });
}

void Tree::keep_only(std::uint32_t root, std::uint32_t kept) {
  std::vector<std::uint32_t> discarded{root};
  while (!discarded.empty()) {
    const std::uint32_t index = discarded.back();
    discarded.pop_back();
    for (const Child& child : children(node(index)))
      if (child.node < Child::kNoRoom && child.node != kept) discarded.push_back(child.node);
    give_back(index);
  }
  // Where there is no new memory what is free has to fit nodes of any size.
  for (const auto& arenas : arenas_) {
    if (!arenas->full) continue;
    arenas->edges.join_free(edges_);
    arenas->children.join_free(children_);
    arenas->full = false;
  }
}

// Neighbours go to the same worker, so that they can be joined.
template <class T>
Tree::WorkerArenas& Tree::arenas_of(std::uint32_t block) {
  return *arenas_[block / Pool<T>::kChunk % arenas_.size()];
}

void Tree::give_back(std::uint32_t index) {
  const Node& node = *nodes_.at(index);
  std::uint32_t block = node.children;
  for (int slot = 0; slot < node.child_count; slot = std::max(2, 2 * slot)) {
    const std::uint32_t size = block_size(slot, node.edge_count);
    const std::uint32_t next = children_.at(block + size - 1)->next_block;
    arenas_of<Child>(block).children.give_back(block, size, children_);
    block = next;
  }
  arenas_of<Edge>(node.edges).edges.give_back(node.edges, node.edge_count, edges_);
  WorkerArenas& arenas = arenas_of<Node>(index);
  arenas.nodes.give_back(index, 1, nodes_);
  --arenas.node_count;
}

}  // namespace gounki::mcts
