// Positions for tests: random walks from the start, and positions with colours exchanged.
#pragma once

#include <cstdint>
#include <vector>

#include "core/game.h"
#include "core/random.h"

namespace gounki::mcts::testing {

// A game of up to `plies` random moves that is not over.
inline Game random_game(std::uint64_t seed, int plies) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    Rng rng(derive_seed({seed, attempt}));
    Game game;
    while (!game.is_over() && static_cast<int>(game.moves().size()) < plies) {
      const MoveList moves = game.legal_moves();
      game.play(moves[static_cast<int>(rng.below(static_cast<std::uint64_t>(moves.size())))]);
    }
    if (!game.is_over()) return game;
  }
}

inline std::vector<Position> random_positions(int count, std::uint64_t seed) {
  std::vector<Position> out;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t own_seed = derive_seed({seed, static_cast<std::uint64_t>(i)});
    out.push_back(random_game(own_seed, 4 + i % 40).position());
  }
  return out;
}

// The same position with White's stacks Black's and the board turned round.
inline Position colours_exchanged(const Position& p) {
  Position out;
  out.set_side_to_move(~p.side_to_move());
  for (const Side side : {Side::White, Side::Black})
    for (int i = 0; i < 64; ++i)
      if (p.has_stack_of(side, Square(i)))
        out.put(Square(i).flipped(), ~side, p.stack_at(Square(i)));
  out.set_counters(p.quiet_plies(), p.ply());
  return out;
}

}  // namespace gounki::mcts::testing
