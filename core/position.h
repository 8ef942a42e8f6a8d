// A position: a plain value of bitboards with a hash. It knows how pieces are put and moved, not
// which moves are legal (core/movegen.h) nor what came before it (core/game.h).
#pragma once

#include <cstdint>

#include "core/error.h"
#include "core/move.h"
#include "core/types.h"

namespace gounki {

// The board is kept as the side to move sees it, going up the ranks: after a move it is flipped, so
// move generation, the encoder and the policy index know one direction only.
class Position {
 public:
  // Simple pieces of one side. A game begins with 16; made-up positions may hold some more.
  static constexpr int kMaxPieces = 24;

  // An empty board with White to move.
  Position() = default;
  static Position start();

  Side side_to_move() const { return side_; }
  // Plies in a row without a capture and without a step forward.
  int quiet_plies() const { return quiet_; }
  // Plies from the start of the game.
  int ply() const { return ply_; }

  // As the side to move sees them.
  Bitboard own() const { return own_; }
  Bitboard enemy() const { return enemy_; }
  Bitboard occupied() const { return own_ | enemy_; }
  Stack stack_on(Square seen_by_mover) const;
  // The squares, of either side, whose stack holds exactly `n` (0 … 3) squares or rounds. An empty
  // square holds 0 of each.
  Bitboard with_squares(int n) const { return exactly(n, squares_low_, squares_high_); }
  Bitboard with_rounds(int n) const { return exactly(n, rounds_low_, rounds_high_); }

  // As the board is printed: White at the bottom.
  Stack stack_at(Square absolute) const { return stack_on(absolute.seen_by(side_)); }
  bool has_stack_of(Side side, Square absolute) const {
    return (side == side_ ? own_ : enemy_).contains(absolute.seen_by(side_));
  }

  // The game has ended and the side that moved last has won: by leaving the board or by capturing
  // the last stack. Draws need the history: core/game.h.
  bool is_lost() const { return exited_ || own_.empty(); }
  // Whether the last move left the board (not part of the written form of a position).
  bool exited() const { return exited_; }

  // The board and the side to move, hashed; 64 bits, the same on every machine.
  std::uint64_t hash() const { return hash_; }
  // The same board with the same side to move, whatever the counters say.
  bool same_board(const Position& other) const;

  // The position after a move that is trusted to be legal; for moves that are not, see
  // play_checked in core/movegen.h.
  Position after(Move move) const;
  // The position mirrored a<->h, with the same side to move.
  Position mirrored() const;

  // For those who build positions: the parser, and tests. `put` overwrites what stood there.
  void put(Square absolute, Side owner, Stack stack);
  void set_side_to_move(Side side);
  void set_counters(int quiet_plies, int ply);

  // Everything that must hold of a position, whoever made it: no two stacks on one square, 1 to 3
  // pieces in a stack, at most kMaxPieces a side, the side that is not to move still on the board, the
  // hash equal to the one computed afresh.
  Expected<void> validate() const;
  std::uint64_t computed_hash() const;

  bool operator==(const Position&) const = default;

 private:
  static Bitboard exactly(int n, Bitboard low, Bitboard high) {
    return (n & 1 ? low : ~low) & (n & 2 ? high : ~high);
  }
  void set_stack(Square seen, Side owner, Stack stack);
  void flip();

  // One bit a square. The number of squares of the stack there, in two bits, and of rounds.
  Bitboard squares_low_, squares_high_, rounds_low_, rounds_high_;
  Bitboard own_, enemy_;
  std::uint64_t hash_ = 0;
  std::uint16_t quiet_ = 0;
  std::uint16_t ply_ = 0;
  Side side_ = Side::White;
  bool exited_ = false;
};

static_assert(sizeof(Position) == 64, "a position fills one cache line");

}  // namespace gounki
