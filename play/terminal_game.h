// A game between a person at a terminal and a player.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "arena/player.h"
#include "core/game.h"
#include "core/record.h"
#include "play/board_view.h"

namespace gounki::play {

class TerminalGame {
 public:
  // With `ponder` the opponent thinks while the person does, if it can.
  TerminalGame(Game game, arena::Player& opponent, Side person, std::uint64_t seed,
               BoardStyle style, bool ponder = false);

  // Reads moves and commands until the game is over, the person leaves, the input ends, or the
  // opponent fails.
  void run(std::istream& in, std::ostream& out);

  GameRecord record() const;

 private:
  bool persons_turn() const { return game_.position().side_to_move() == person_; }
  arena::Choice ask_player();
  // False when the opponent failed.
  bool play_opponents_move(std::ostream& out);
  void give_hint(std::ostream& out);
  void show_board(std::ostream& out);
  // One line of input; false when the person leaves.
  bool handle(const std::string& line, std::ostream& out);
  void play_persons_move(const std::string& text, std::ostream& out);
  void list_moves(std::ostream& out) const;
  void take_back(std::ostream& out);
  void save(const std::string& file, std::ostream& out) const;

  const int first_ply_;  // moves that the game began with are not taken back
  Game game_;
  arena::Player& opponent_;
  Side person_;
  std::uint64_t seed_;
  BoardStyle style_;
  const bool ponder_;
  std::optional<Outcome> resigned_;
};

}  // namespace gounki::play
