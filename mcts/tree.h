// The tree of a search as data: nodes, the moves from them, and what is known of the moves that
// were tried. Who walks in it and why is the business of mcts/search.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/error.h"
#include "core/movegen.h"
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
// The sum is a double: after a million visits a float could no longer take up another value.
struct Child {
  static constexpr std::uint32_t kNoNode = ~std::uint32_t{0};

  double value_sum = 0.0;
  std::uint32_t visits = 0;
  // The position after the move, or kNoNode where a proof made it needless.
  std::uint32_t node = kNoNode;
  float prior = 0.0f;
  // Walks that went this way and are not backed up yet.
  std::uint16_t in_flight = 0;
  Proof proof;

  // The mean of the visits, of which there is one, or the proven value.
  double q() const { return proof.known() ? proof.value().v : value_sum / visits; }
};

static_assert(sizeof(Child) == 24);

// A position of the tree, which its path from the root alone knows. Its edges lie in one piece:
// first those that were tried, each with the child of the same number, in the order of the first
// visits; then the best of the others; then the rest.
struct Node {
  std::uint32_t edges = 0;
  std::uint32_t children = 0;
  float value = 0.0f;  // the evaluator's, for the side to move
  std::uint8_t edge_count = 0;
  std::uint8_t child_count = 0;
  std::uint8_t room = 0;  // for children: none, or 1 << room
  bool waiting = true;    // for its evaluation
};

static_assert(sizeof(Node) == 16);

// An arena whose elements never move. `clear` keeps the memory.
template <class T>
class Pool {
 public:
  static constexpr std::uint32_t kChunk = std::bit_floor(32768u / static_cast<unsigned>(sizeof(T)));

  // The index of the first of `n` elements that lie side by side, with whatever was in them.
  std::uint32_t allocate(std::uint32_t n) {
    assert(n >= 1 && n <= kChunk);
    if (end_ % kChunk + n > kChunk || end_ % kChunk == 0) open_chunk();
    const std::uint32_t first = end_;
    end_ += n;
    return first;
  }
  T* at(std::uint32_t index) { return chunks_[index / kChunk].get() + index % kChunk; }
  const T* at(std::uint32_t index) const { return chunks_[index / kChunk].get() + index % kChunk; }

  std::uint32_t size() const { return end_; }
  void clear() { end_ = 0; }
  std::size_t bytes_held() const { return chunks_.size() * kChunk * sizeof(T); }

 private:
  void open_chunk() {
    const std::uint32_t next = (end_ + kChunk - 1) / kChunk;
    if (next >= ~std::uint32_t{0} / kChunk)
      throw Failure("the search tree is full: search with fewer visits");
    if (next == chunks_.size()) chunks_.push_back(std::make_unique_for_overwrite<T[]>(kChunk));
    end_ = next * kChunk;
  }

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::uint32_t end_ = 0;
};

class Tree {
 public:
  static constexpr std::uint32_t kRoot = 0;

  void clear();
  // A node that waits for its evaluation.
  std::uint32_t add_node(const MoveList& moves);
  // Gives a waiting node what the evaluator said; priors in the order of the moves it was made
  // with.
  void evaluate(std::uint32_t node, MoverValue value, std::span<const float> priors);
  // Makes a child of the best edge without one.
  Child& add_child(Node& node);
  // Makes this move, which has no child yet, the best edge without one.
  void bring_forward(Node& node, Move move);

  Node& node(std::uint32_t index) { return *nodes_.at(index); }
  const Node& node(std::uint32_t index) const { return *nodes_.at(index); }
  std::span<Child> children(const Node& node) {
    return {node.room == 0 ? nullptr : children_.at(node.children), node.child_count};
  }
  std::span<const Child> children(const Node& node) const {
    return {node.room == 0 ? nullptr : children_.at(node.children), node.child_count};
  }
  std::span<const Edge> edges(const Node& node) const {
    return {edges_.at(node.edges), node.edge_count};
  }

  // What the proofs of its children prove of a node, for its side to move.
  Proof proof_of(const Node& node) const;

  std::int64_t node_count() const { return nodes_.size(); }
  std::size_t bytes_held() const;

 private:
  void sort_out_best(Node& node);
  void make_room(Node& node);

  Pool<Node> nodes_;
  Pool<Edge> edges_;
  Pool<Child> children_;
  // Blocks of 1 << room children that a node has outgrown.
  std::array<std::vector<std::uint32_t>, 9> outgrown_;
};

}  // namespace gounki::mcts
