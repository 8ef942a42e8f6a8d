// The texts that other public Gounki programs read and write (docs/formats.md, "Other programs").
//
// Moves: "b2-b3", captures and stackings not marked; "b2+b3-b4" a deployment that begins with squares,
// "b2*c3-d4" one that begins with rounds; "g8#" whatever leaves the board from g8, be it a move or a
// deployment. That last text is the only one that several moves can share, and all of them win at
// once.
//
// Boards: 64 codes, one a line, from a1, b1 … to h8. They say nothing of the side to move.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/game.h"
#include "core/record.h"

namespace gounki {

// The text of a move that is legal in `position`.
std::string to_public_text(Move move, const Position& position);

// The legal moves that this text names, in the order of legal_moves(): none or one, or all moves that
// leave the board from one square. An error when the text has not the form of a move.
Expected<std::vector<Move>> public_moves_named(std::string_view text, const Position& position,
                                               const Rules& rules = {});

// A game's moves, one a line. Tags, comments and a result that the moves do not make are left out, and
// so is the position that the game begins with.
std::string to_public_text(const GameRecord& record);

struct PublicGames {
  std::vector<GameRecord> games;
  // What the text left open and how it was read, each with line and column.
  std::vector<std::string> notes;
};
// Reads games: moves with spaces or line ends between them, an empty line between two games. All
// begin at `first`. A game has the result that its moves make, or none. An error names line, column
// and ply.
Expected<PublicGames> parse_public_games(std::string_view text,
                                         const Position& first = Position::start(),
                                         const Rules& rules = {});

// The board's 64 lines.
std::string to_public_board(const Position& position);
// Reads boards of 64 codes each, with spaces or line ends between the codes. An error names line and
// column.
Expected<std::vector<Position>> parse_public_boards(std::string_view text,
                                                    Side side_to_move = Side::White);

}  // namespace gounki
