#include "mcts/tree.h"

#include <thread>

namespace gounki::mcts {
namespace {

// Holds a node's lock, which is held for some dozen instructions; not taken without others.
class NodeLock {
 public:
  NodeLock(Node& node, bool shared) : node_(node), shared_(shared) {
    if (!shared_) return;
    for (int spins = 0; node_.locked.exchange(true, std::memory_order_acquire); ++spins)
      if (spins > 100) std::this_thread::yield();
  }
  ~NodeLock() {
    if (shared_) node_.locked.store(false, std::memory_order_release);
  }
  NodeLock(const NodeLock&) = delete;
  NodeLock& operator=(const NodeLock&) = delete;

 private:
  Node& node_;
  bool shared_;
};

}  // namespace

void Child::reset() {
  value_sum.set(0.0);
  square_sum.set(0.0);
  visits.set(0);
  node.store(kNoNode, std::memory_order_relaxed);
  next_block = kNoNode;
  in_flight.set(0);
  proof.store(Proof(), std::memory_order_relaxed);
}

void Child::copy_from(const Child& other) {
  value_sum.set(other.value_sum);
  square_sum.set(other.square_sum);
  visits.set(other.visits);
  node.store(other.node.load(std::memory_order_relaxed), std::memory_order_relaxed);
  in_flight.set(other.in_flight);
  proof.store(other.proof.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

void Node::reset() {
  edges = children = 0;
  value = 0.0f;
  edge_count = 0;
  child_count.store(0, std::memory_order_relaxed);
  waiting.store(true, std::memory_order_relaxed);
  locked.store(false, std::memory_order_relaxed);
}

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
    arenas->node_count.set(0);
  }
  full_ = false;
}

std::uint32_t Tree::or_full(std::uint32_t block) {
  if (block == kNone) full_.store(true, std::memory_order_relaxed);
  return block;
}

std::uint32_t Tree::add_node(const MoveList& moves, int worker) {
  WorkerArenas& arenas = *arenas_[static_cast<std::size_t>(worker)];
  const auto count = static_cast<std::uint8_t>(moves.size());
  const std::uint32_t edges = or_full(arenas.edges.allocate(count, edges_, budget_));
  if (edges == kNone) return kNone;
  const std::uint32_t index = or_full(arenas.nodes.allocate(1, nodes_, budget_));
  if (index == kNone) {
    arenas.edges.give_back(edges, count, edges_);
    return kNone;
  }
  Node& node = *nodes_.at(index);
  node.reset();
  node.edge_count = count;
  node.edges = edges;
  Edge* edge = edges_.at(edges);
  for (const Move move : moves) *edge++ = Edge(move, 0.0f);
  arenas.node_count.set(arenas.node_count + 1);
  return index;
}

void Tree::evaluate(std::uint32_t index, MoverValue value, std::span<const float> priors) {
  Node& node = *nodes_.at(index);
  assert(node.is_waiting() && priors.size() == node.edge_count);
  Edge* edges = edges_.at(node.edges);
  for (std::size_t i = 0; i < priors.size(); ++i) edges[i] = Edge(edges[i].move(), priors[i]);
  node.value = value.v;
  sort_out_best(node, 0);
  node.waiting.store(false, std::memory_order_release);
}

void Tree::set_priors(Node& node, const MoveList& moves, std::span<const float> priors) {
  assert(moves.size() == node.edge_count);
  Edge* edges = edges_.at(node.edges);
  for (int i = 0; i < node.edge_count; ++i) {
    const auto* move = std::find(moves.begin(), moves.end(), edges[i].move());
    edges[i] = Edge(*move, priors[static_cast<std::size_t>(move - moves.begin())]);
  }
  sort_out_best(node, node.tried());
}

// Edges are sorted no further than walks ask for: most nodes see few of their moves tried.
void Tree::sort_out_best(Node& node, int tried) {
  if (tried >= node.edge_count) return;
  Edge* edges = edges_.at(node.edges);
  Edge* first = edges + tried;
  std::iter_swap(first, std::max_element(first, edges + node.edge_count));
}

void Tree::bring_forward(Node& node, Move move) {
  Edge* edges = edges_.at(node.edges);
  Edge* first = edges + node.tried();
  Edge* found = std::find_if(first, edges + node.edge_count,
                             [move](Edge edge) { return edge.move() == move; });
  assert(found != edges + node.edge_count);
  std::iter_swap(first, found);
}

Child* Tree::add_child(Node& node, int tried, int worker) {
  const NodeLock lock(node, shared());
  if (node.tried() != tried) return nullptr;
  assert(tried < node.edge_count && !node.is_waiting());
  Child* last = tried == 0 ? nullptr : &children(node)[tried - 1];
  Child* child = begins_block(tried) ? nullptr : last + 1;
  if (child == nullptr) {
    const std::uint32_t block = or_full(arenas_[static_cast<std::size_t>(worker)]->children.allocate(
        block_size(tried, node.edge_count), children_, budget_));
    if (block == kNone) return nullptr;
    (tried == 0 ? node.children : last->next_block) = block;
    child = children_.at(block);
  }
  child->reset();
  child->in_flight.set(1);
  sort_out_best(node, tried + 1);
  // The child and the best of the edges that are left are in place before others may see them.
  node.child_count.store(static_cast<std::uint8_t>(tried + 1), std::memory_order_release);
  return child;
}

Proof Tree::proof_of(Node& node) const {
  const NodeLock lock(node, shared());
  return proof_from_moves(children(node), node.tried() == node.edge_count,
                          [](const Child& child) { return child.proven(); });
}

void Tree::keep_only(std::uint32_t root, std::uint32_t kept) {
  std::vector<std::uint32_t> discarded{root};
  std::size_t worker = 0;
  while (!discarded.empty()) {
    const std::uint32_t index = discarded.back();
    discarded.pop_back();
    for (const Child& child : children(node(index))) {
      const std::uint32_t below = child.node.load(std::memory_order_relaxed);
      if (below < Child::kNoRoom && below != kept) discarded.push_back(below);
    }
    give_back(index, *arenas_[worker]);
    worker = (worker + 1) % arenas_.size();
  }
  full_ = false;
}

void Tree::give_back(std::uint32_t index, WorkerArenas& arenas) {
  const Node& node = *nodes_.at(index);
  std::uint32_t block = node.children;
  const int tried = node.tried();
  for (int slot = 0; slot < tried; slot = std::max(2, 2 * slot)) {
    const std::uint32_t size = block_size(slot, node.edge_count);
    const std::uint32_t next = children_.at(block + size - 1)->next_block;
    arenas.children.give_back(block, size, children_);
    block = next;
  }
  arenas.edges.give_back(node.edges, node.edge_count, edges_);
  arenas.nodes.give_back(index, 1, nodes_);
  arenas.node_count.set(arenas.node_count - 1);
}

}  // namespace gounki::mcts
