// Moves that end the game at once.
#pragma once

#include <optional>

#include "core/movegen.h"
#include "core/position.h"

namespace gounki::mcts {

// Whether this legal move leaves the board or captures the last enemy stack.
bool wins_at_once(const Position& position, Move move);

// The first move of the list, which holds legal moves, that wins at once.
std::optional<Move> winning_move(const Position& position, const MoveList& moves);

}  // namespace gounki::mcts
