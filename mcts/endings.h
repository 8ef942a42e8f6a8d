// What the rules decide near the end of a game: moves that win at once, draws by repetition and by
// quiet plies, and a short exact look ahead.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/movegen.h"
#include "core/position.h"
#include "mcts/proof.h"

namespace gounki::mcts {

// Whether this legal move leaves the board or captures the last enemy stack.
bool wins_at_once(const Position& position, Move move);

// Whether the side to move has such a move.
bool can_win_at_once(const Position& position, const Rules& rules);

// The first move of the list, which holds legal moves, that wins at once.
std::optional<Move> winning_move(const Position& position, const MoveList& moves);

// A line of play is the positions one after the other, from any point of the game on.
using Line = std::vector<Position>;

// How often the last position of a line occurred before in it.
int repetitions(std::span<const Position> line);

// Whether the rules call the last position of a line a draw.
bool is_draw(std::span<const Position> line, const Rules& rules);

// What three plies prove of each of these legal moves, for the side that makes it: wins in one or
// three plies, losses in two, draws at once. Finds every win in one ply, and when there is none
// every win in three and every loss in two. `line` ends with the position, and is left as it was.
std::vector<Proof> look_ahead(Line& line, const MoveList& moves, const Rules& rules);

}  // namespace gounki::mcts
