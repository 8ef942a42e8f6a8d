// A game: a position with the moves that led to it, so that repetitions can be counted.
#pragma once

#include <vector>

#include "core/error.h"
#include "core/movegen.h"
#include "core/position.h"

namespace gounki {

enum class Outcome : std::uint8_t { Ongoing, WhiteWins, BlackWins, Draw };

constexpr Outcome win_for(Side side) {
  return side == Side::White ? Outcome::WhiteWins : Outcome::BlackWins;
}

class Game {
 public:
  explicit Game(const Position& first = Position::start(), const Rules& rules = {});

  const Rules& rules() const { return rules_; }
  const Position& position() const { return positions_.back(); }
  // All positions from the first to the current one.
  const std::vector<Position>& positions() const { return positions_; }
  const std::vector<Move>& moves() const { return moves_; }

  // How often the current position (board and side to move) occurred before in this game.
  int repetitions() const { return repetitions_; }
  Outcome outcome() const;
  bool is_over() const { return outcome() != Outcome::Ongoing; }
  // Empty when the game is over.
  MoveList legal_moves() const;

  // Plays a move that is trusted to be legal, in a game that is not over.
  void play(Move move);
  Expected<void> play_checked(Move move);
  // Takes the last move back; there must be one.
  void undo();

 private:
  int count_repetitions() const;

  Rules rules_;
  std::vector<Position> positions_;
  std::vector<Move> moves_;
  int repetitions_ = 0;
};

}  // namespace gounki
