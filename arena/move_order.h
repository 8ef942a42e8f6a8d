// The order in which alpha-beta tries moves: the better the first, the smaller the tree. It changes
// which of equal moves is found, never a score.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/movegen.h"
#include "core/position.h"

namespace gounki::arena {

// Whether a legal move that does not leave the board captures.
bool captures(const Position& position, Move move);

// Moves with their order, handed out best first.
class MoveOrder {
 public:
  MoveOrder() = default;
  // Captures alone, the largest victim first and of its captors the smallest.
  MoveOrder(const Position& position, const MoveList& captures);

  // The order lies within ±2^46. Of equal orders the move of the smaller index comes first.
  void add(Move move, std::int64_t order) {
    items_[size_++] = order * Move::kIndices + (Move::kIndices - 1 - move.index());
  }
  bool empty() const { return next_ == size_; }
  Move take() {
    std::int64_t* const next = items_.data() + next_++;
    std::swap(*next, *std::max_element(next, items_.data() + size_));
    return Move::from_index(Move::kIndices - 1 - static_cast<int>(*next & (Move::kIndices - 1)));
  }

 private:
  std::array<std::int64_t, MoveList::kCapacity> items_;
  int size_ = 0, next_ = 0;
};

// What a search has learned of quiet moves (those that do not capture).
class MoveMemory {
 public:
  static constexpr int kPlies = 64;

  void forget();
  // `best` refuted the position, at this ply with so much depth left.
  void note_refutation(const Position& position, Move best, int depth, int ply);

  // All legal moves; `expected`, where there is one, comes first, then captures, killers, and what refuted often.
  MoveOrder order(const Position& position, const MoveList& legal,
                  std::optional<Move> expected, int ply) const;

 private:
  std::array<std::array<std::optional<Move>, 2>, kPlies> killers_;
  // How often a quiet move refuted its position, by side and policy index.
  std::array<std::array<int, Move::kIndices>, 2> history_;
};

}  // namespace gounki::arena
