// The tree of a search as data: nodes, the moves from them, and what is known of the moves that
// were tried. Who walks in it and why is the business of mcts/walker.cpp.
//
// Several workers may use a tree at once, each below nodes of its own: they share no data but the
// memory that they carve nodes, edges and children from, each with an arena of its own.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "core/movegen.h"
#include "mcts/pool.h"
#include "mcts/proof.h"
#include "mcts/value.h"

namespace gounki::mcts {

// A move from a node with its prior, so packed that the greatest of some edges, as a number, has
// the greatest prior, and of equal priors the smallest policy index.
//
// Bits 0-15: 65535 - the policy index. Bits 16-31: the prior as a float without sign, with 5 bits
// of exponent (2^-31 … 2^0) and 11 of mantissa: 3 digits of any prior that matters, half a float's
// bytes.
class Edge {
 public:
  constexpr Edge() = default;
  constexpr Edge(Move move, float prior)
      : bits_(pack(prior) << 16 | (0xFFFFu - static_cast<std::uint32_t>(move.index()))) {}

  constexpr Move move() const {
    return Move::from_index(static_cast<int>(0xFFFFu - (bits_ & 0xFFFFu)));
  }
  constexpr float prior() const {
    const std::uint32_t code = bits_ >> 16;
    return code == 0 ? 0.0f : std::bit_cast<float>((code << 12) + kLeast);
  }
  constexpr auto operator<=>(const Edge&) const = default;

  // Where the edge is free (mcts/pool.h).
  void set_link(std::uint32_t index) { bits_ = index; }
  std::uint32_t link() const { return bits_; }

 private:
  static constexpr std::uint32_t kLeast = (127u - 31u) << 23;  // 2^-31, which stands for 0
  static constexpr std::uint32_t pack(float prior) {
    const std::uint32_t rounded = std::bit_cast<std::uint32_t>(std::min(prior, 1.0f)) + (1u << 11);
    return prior > 0.0f && rounded > kLeast ? (rounded - kLeast) >> 12 : 0;
  }
  std::uint32_t bits_ = 0;
};

static_assert(sizeof(Edge) == 4);
static_assert(Edge(Move::from_index(2047), 1.0f).prior() == 1.0f);
static_assert(Edge(Move::from_index(7), 0.25f).move() == Move::from_index(7));
static_assert(Edge(Move::from_index(7), 0.5f) > Edge(Move::from_index(3), 0.25f));
static_assert(Edge(Move::from_index(3), 0.5f) > Edge(Move::from_index(7), 0.5f));

// What is known of a move that was tried. Values are for the side that makes the move.
//
// The sums are doubles: after a million visits a float could no longer take up another value.
struct Child {
  static constexpr std::uint32_t kNoNode = ~std::uint32_t{0};
  // There was no memory for a node.
  static constexpr std::uint32_t kNoRoom = kNoNode - 1;

  double value_sum = 0.0;
  double square_sum = 0.0;  // of the same values
  std::uint32_t visits = 0;
  // The position after the move, kNoRoom, or kNoNode where a proof made a node needless.
  std::uint32_t node = kNoNode;
  // Where the children go on, if this is the last of its block.
  std::uint32_t next_block = kNoNode;
  // Walks that went this way and are not backed up yet.
  std::uint16_t in_flight = 0;
  Proof proof;

  // The mean of the visits, or the proven value. 0 without either.
  double q() const {
    if (proof.known()) return proof.value().v;
    return visits == 0 ? 0.0 : value_sum / visits;
  }
  void set_link(std::uint32_t index) { next_block = index; }
  std::uint32_t link() const { return next_block; }
};

static_assert(sizeof(Child) == 32);

// A position of the tree, which its path from the root alone knows. Its edges lie in one piece:
// first those that were tried, each with the child of the same number, in the order of the first
// visits; then the best of the others; then the rest.
struct Node {
  std::uint32_t edges = 0;
  std::uint32_t children = 0;  // the first block
  float value = 0.0f;          // the evaluator's, for the side to move
  std::uint8_t edge_count = 0;
  std::uint8_t child_count = 0;
  bool waiting = true;         // for its evaluation

  void set_link(std::uint32_t index) { edges = index; }
  std::uint32_t link() const { return edges; }
};

static_assert(sizeof(Node) == 16);

// The children of a node lie in blocks of 2, 2, 4, 8 … places, of which no place is for more than
// the node has edges; so they never move, and most nodes, which have few, take little.
constexpr bool begins_block(int slot) {
  return slot != 1 && (slot & (slot - 1)) == 0;
}
constexpr std::uint32_t block_size(int first_slot, int edges) {
  return static_cast<std::uint32_t>(std::min(std::max(first_slot, 2), edges - first_slot));
}
static_assert(begins_block(0) && !begins_block(1) && begins_block(2) && !begins_block(3));
static_assert(block_size(0, 40) == 2 && block_size(0, 1) == 1 && block_size(32, 40) == 8);

// The children that a node has now, in the order of their edges.
template <class T>
class ChildRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = T*;
    using reference = T&;

    Iterator() = default;
    Iterator(const Pool<Child>* pool, T* child, int slot, int count)
        : pool_(pool), child_(child), slot_(slot), count_(count) {}
    T& operator*() const { return *child_; }
    T* operator->() const { return child_; }
    Iterator& operator++() {
      if (++slot_ == count_) return *this;
      child_ = begins_block(slot_) ? pool_->at(child_->next_block) : child_ + 1;
      return *this;
    }
    Iterator operator++(int) { Iterator before = *this; ++*this; return before; }
    bool operator==(const Iterator& other) const { return slot_ == other.slot_; }

   private:
    const Pool<Child>* pool_ = nullptr;
    T* child_ = nullptr;
    int slot_ = 0, count_ = 0;
  };

  ChildRange(const Pool<Child>& pool, std::uint32_t first, int count)
      : pool_(&pool), first_(first), count_(count) {}
  Iterator begin() const {
    return {pool_, count_ == 0 ? nullptr : pool_->at(first_), 0, count_};
  }
  Iterator end() const { return {pool_, nullptr, count_, count_}; }
  int size() const { return count_; }
  bool empty() const { return count_ == 0; }
  T& operator[](int slot) const {
    T* child = pool_->at(first_);
    // Over whole blocks to the one that holds the slot.
    int block = 0;
    for (int next = 2; next <= slot; block = next, next *= 2)
      child = pool_->at(child[next - block - 1].next_block);
    return child[slot - block];
  }

 private:
  const Pool<Child>* pool_;
  std::uint32_t first_;
  int count_;
};

class Tree {
 public:
  static constexpr std::uint32_t kNone = Child::kNoNode;

  explicit Tree(int workers = 1);

  // Bytes that the tree may hold; 0 for no limit. What is held already stays.
  void set_memory_limit(std::size_t bytes) { budget_.set_limit(bytes); }
  std::size_t bytes_held() const { return budget_.held(); }
  // Some worker, or this one, has asked for memory in vain since the tree was cleared or pruned.
  bool full() const;
  bool full(int worker) const { return arenas_[static_cast<std::size_t>(worker)]->full; }
  std::int64_t node_count() const;

  void clear();
  // Forgets everything but a node of the tree and what is below it.
  void keep_only(std::uint32_t root, std::uint32_t kept);

  // A node that waits for its evaluation; kNone when the tree is full.
  std::uint32_t add_node(const MoveList& moves, int worker = 0);
  // Gives a waiting node what the evaluator said; priors in the order of the moves it was made
  // with.
  void evaluate(std::uint32_t node, MoverValue value, std::span<const float> priors);
  // New priors, in the order of `moves`, for a node that may have children.
  void set_priors(Node& node, const MoveList& moves, std::span<const float> priors);
  // Makes a child of the best edge without one; none when the tree is full.
  Child* add_child(Node& node, int worker = 0);
  // Makes this move, which has no child yet, the best edge without one.
  void bring_forward(Node& node, Move move);

  Node& node(std::uint32_t index) { return *nodes_.at(index); }
  const Node& node(std::uint32_t index) const { return *nodes_.at(index); }
  ChildRange<Child> children(const Node& node) {
    return {children_, node.children, node.child_count};
  }
  ChildRange<const Child> children(const Node& node) const {
    return {children_, node.children, node.child_count};
  }
  std::span<const Edge> edges(const Node& node) const {
    return {edges_.at(node.edges), node.edge_count};
  }

  // What the proofs of its children prove of a node, for its side to move.
  Proof proof_of(const Node& node) const;

 private:
  // The memory of one worker, on cache lines of its own.
  struct alignas(128) WorkerArenas {
    Arena<Node> nodes;
    Arena<Edge> edges;
    Arena<Child> children;
    std::int64_t node_count = 0;
    bool full = false;

    std::uint32_t or_full(std::uint32_t block);
  };

  void sort_out_best(Node& node);
  template <class T>
  WorkerArenas& arenas_of(std::uint32_t block);
  void give_back(std::uint32_t node);

  MemoryBudget budget_;
  Pool<Node> nodes_;
  Pool<Edge> edges_;
  Pool<Child> children_;
  std::vector<std::unique_ptr<WorkerArenas>> arenas_;
};

}  // namespace gounki::mcts
