// A game of a match under way: its clocks, and when it is ended before the rules end it.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "arena/played.h"
#include "arena/player.h"
#include "core/error.h"
#include "core/game.h"
#include "core/params.h"

namespace gounki::arena {

// A clock for a whole game: seconds at its start, and what each move adds.
struct TimeControl {
  double seconds = 0.0, increment = 0.0;
  bool operator==(const TimeControl&) const = default;
};
// From "60+0.5" or "60".
Expected<TimeControl> parse_time_control(std::string_view text);
std::string to_string(const TimeControl& control);

// When games end before the rules end them. Each such game is marked (Ending).
struct TableConfig {
  int ply_cap = 400;
  bool end_proven = false;
  double win_value = 0.0;
  int win_plies = 8;
  double draw_value = 0.0;
  int draw_plies = 20;
  int draw_from = 80;
  int time_margin = 10;

  bool operator==(const TableConfig&) const = default;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = TableConfig;
    visit("ply_cap", &C::ply_cap, Range{1, 10'000},
          "A game that reaches this ply is adjudicated a draw and counted as capped.");
    visit("end_proven", &C::end_proven, Range{},
          "End a game as soon as a player has proven its result by the rules.");
    visit("win_value", &C::win_value, Range{0, 1},
          "A game is won when both players value it at this or more for the same side, from 0 to 1, for "
          "win_plies plies in a row; 0 for never.");
    visit("win_plies", &C::win_plies, Range{2, 1000}, "Plies in a row that this takes.");
    visit("draw_value", &C::draw_value, Range{0, 1},
          "A game is drawn when both players value it no further from 0 than this for draw_plies plies "
          "in a row; 0 for never.");
    visit("draw_plies", &C::draw_plies, Range{2, 1000}, "Plies in a row that this takes.");
    visit("draw_from", &C::draw_from, Range{0, 10'000}, "The first ply that counts for it.");
    visit("time_margin", &C::time_margin, Range{0, 60'000},
          "Milliseconds that a player may overstep its clock by before it loses on time.");
  }
};

// Clocks by side; none where a side has none.
using TimeControls = std::array<std::optional<TimeControl>, 2>;

class Table {
 public:
  Table(const Game& opening, const TableConfig& config, const TimeControls& controls = {});

  const Game& game() const { return game_; }
  Side side_to_move() const { return game_.position().side_to_move(); }
  bool over() const { return over_; }
  // For the side to move; none where it has no clock. A side without one has "for ever", a day.
  std::optional<Clocks> clocks() const;

  // The choice of the side to move, which took so many seconds, in a game that is not over. An error
  // says that a move without a fault is not legal.
  Expected<void> play(const Choice& choice, double seconds);
  // The game, which must be over.
  const PlayedGame& played() const { return played_; }

 private:
  void end(Outcome result, Ending ending);
  void end_by_fault(Fault fault, const std::string& text);
  bool loses_on_time(double seconds);
  void adjudicate(const Choice& choice, Side mover);

  TableConfig config_;
  Game game_;
  PlayedGame played_;
  bool over_ = false;
  TimeControls controls_;
  std::array<double, 2> left_{};  // seconds on the clocks
  // Plies in a row whose players saw White, Black, or nobody ahead.
  int for_white_ = 0, for_black_ = 0, for_draw_ = 0;
};

}  // namespace gounki::arena
