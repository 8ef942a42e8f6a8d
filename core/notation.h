// The written forms of positions and moves (docs/rules.md). Each reader is the inverse of its printer
// and accepts more than that; its errors say what was expected and at which character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/movegen.h"
#include "core/position.h"

namespace gounki {

// "<board> <side> <quiet> <ply>".
std::string to_string(const Position& position);
// The word "start" stands for the start; the counters may be left out. The position is valid
// (Position::validate) when it comes back.
Expected<Position> parse_position(std::string_view text);

// The canonical form of a move that is legal in `position`, such as "c2*c3,d4,e5".
std::string to_string(Move move, const Position& position);
// Reads a move generously and finds the one legal move that it names.
Expected<Move> parse_move(std::string_view text, const Position& position, const Rules& rules = {});

// The same for longer texts: reads the move that begins at text[at] and sets `at` behind it, or to
// the character at which the text is wrong, which the error leaves to the caller to say. A deployment
// takes as many landings as its stack has pieces, what follows is left.
Expected<Move> read_move(std::string_view text, std::size_t& at, const Position& position,
                         const Rules& rules = {});

// A square as "a1"; absolute, not as a mover sees it.
std::string to_string(Square absolute);
// The letters of a stack, squares first, in upper case: "SSR".
std::string to_string(Stack stack);
// The board in eight lines with coordinates, for people.
std::string board_text(const Position& position);

}  // namespace gounki
