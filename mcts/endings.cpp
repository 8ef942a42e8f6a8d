#include "mcts/endings.h"

#include <algorithm>

#include "core/paths.h"

namespace gounki::mcts {

bool wins_at_once(const Position& position, Move move) {
  // No stack climbs more than three ranks in one turn.
  const bool near_exit = move.from().rank() >= 5;
  const bool last_enemy = position.enemy().count() == 1 && !move.how().deploys();
  if (!near_exit && !last_enemy) return false;
  const Landings landed = landings(move, position.stack_on(move.from()));
  return landed.exits() || (last_enemy && position.enemy().contains(landed.back().square()));
}

std::optional<Move> winning_move(const Position& position, const MoveList& moves) {
  const auto* found = std::find_if(moves.begin(), moves.end(), [&position](Move move) {
    return wins_at_once(position, move);
  });
  if (found == moves.end()) return std::nullopt;
  return *found;
}

}  // namespace gounki::mcts
