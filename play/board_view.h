// The board for people: as text for the terminal and as a drawing.
#pragma once

#include <string>

#include "core/game.h"
#include "core/position.h"

namespace gounki::play {

struct BoardStyle {
  bool flip = false;     // Black at the bottom
  bool symbols = false;  // □ ○ for White, ■ ● for Black, in place of letters
  bool color = false;    // escape sequences of a terminal
  Bitboard marked;       // squares to point at, not as the mover sees them
};

// The board with its coordinates, stacks in letters (squares first; White's in upper case), and
// under it what each side has left. Ends in a newline.
std::string board_view(const Position& position, const BoardStyle& style = {});
// The same as a drawing of its own, an SVG document.
std::string board_svg(const Position& position, const BoardStyle& style = {});

// The squares that the last move of a game left or landed on, to be marked.
Bitboard squares_of_last_move(const Game& game);

}  // namespace gounki::play
