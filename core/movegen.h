// Legal moves. One generation answers every question about them: it finds, for each template at
// once, the squares from which that template is legal. The list, the count and the legality check
// only read these sets.
#pragma once

#include <array>
#include <cstdint>

#include "core/error.h"
#include "core/fixed_list.h"
#include "core/move.h"
#include "core/position.h"

namespace gounki {

// What the rules leave open, each with a switch.
struct Rules {
  // A stack may bounce back to the square that it left, which passes the turn.
  bool null_moves = true;
  // A draw when a position occurs for the third time.
  bool repetition_draw = true;
  // A draw after 100 plies in a row without a capture and without a step forward.
  bool quiet_draw = true;

  static constexpr int kQuietLimit = 100;
  bool operator==(const Rules&) const = default;
};

// For each template the squares, as the mover sees them, from which it is legal.
using Origins = std::array<Bitboard, Template::kCount>;

// A list of moves that lives on the stack. No stack has more than 8.5 moves for each of its simple
// pieces (the 17 of a square with a round).
class MoveList {
 public:
  static constexpr int kCapacity = 208;
  static_assert(2 * kCapacity >= 17 * Position::kMaxPieces);
  void add(Move move) { moves_.push_back(move); }
  int size() const { return static_cast<int>(moves_.size()); }
  bool empty() const { return moves_.empty(); }
  Move operator[](int i) const { return moves_[static_cast<std::size_t>(i)]; }
  const Move* begin() const { return moves_.begin(); }
  const Move* end() const { return moves_.end(); }
  const Move* data() const { return moves_.data(); }

 private:
  FixedList<Move, kCapacity> moves_;
};

// Every legal template, also those that describe a move which a smaller template describes too.
// Nothing is legal once the game is lost; draws are the game's business.
Origins generate_all_templates(const Position& position, const Rules& rules = {});
// The same without the duplicates: each move once, under the smallest of its templates.
Origins generate(const Position& position, const Rules& rules = {});

// The legal moves, ordered by template, then by square.
MoveList legal_moves(const Position& position, const Rules& rules = {});
int count_legal_moves(const Position& position, const Rules& rules = {});
// Of these the moves that capture, in the same order. No rule switch concerns them.
MoveList legal_captures(const Position& position);
bool is_legal(const Position& position, Move move, const Rules& rules = {});

// The one move in the list that this policy index describes: the index itself, or the smaller one of
// a move that several templates describe. An error when the index is not legal.
Expected<Move> move_from_policy_index(const Position& position, int index, const Rules& rules = {});
// The same move on the mirrored board, as the mirrored position lists it.
Move mirrored_move(const Position& position, Move move);

// Plays a move that may be illegal.
Expected<Position> play_checked(const Position& position, Move move, const Rules& rules = {});

// The number of leaves of the tree of legal moves of this depth. Draws do not end a line.
std::uint64_t perft(const Position& position, int depth, const Rules& rules = {});

}  // namespace gounki
