// What is true of a position by trying everything, and games near their end to ask that of.
#pragma once

#include <cstdint>

#include "core/game.h"
#include "core/random.h"

namespace gounki::mcts::testing {

enum class Exact { Loss, Draw, Win, Unknown };

inline Exact turned(Exact e) {
  return e == Exact::Win ? Exact::Loss : e == Exact::Loss ? Exact::Win : e;
}

// The result for the side to move as far as `plies` plies show, by trying everything.
inline Exact solve(Game& game, int plies) {
  const Outcome outcome = game.outcome();
  if (outcome == Outcome::Draw) return Exact::Draw;
  if (outcome != Outcome::Ongoing) return Exact::Loss;
  if (plies == 0) return Exact::Unknown;
  bool unknown = false, draw = false;
  for (const Move move : game.legal_moves()) {
    game.play(move);
    const Exact here = turned(solve(game, plies - 1));
    game.undo();
    if (here == Exact::Win) return here;
    unknown = unknown || here == Exact::Unknown;
    draw = draw || here == Exact::Draw;
  }
  return unknown ? Exact::Unknown : draw ? Exact::Draw : Exact::Loss;
}

// Few stacks far from their goals, some quiet plies from a draw, with a history of moves to and
// fro.
inline Game sparse_game(std::uint64_t seed) {
  Rng rng(seed);
  for (;;) {
    Position position;
    for (const Side side : {Side::White, Side::Black}) {
      const int stacks = static_cast<int>(1 + rng.below(2));
      for (int i = 0; i < stacks; ++i) {
        const Stack kinds[] = {Stack(1, 0), Stack(2, 0), Stack(0, 1), Stack(0, 2), Stack(1, 1)};
        position.put(Square(static_cast<int>(8 * (1 + rng.below(6)) + rng.below(8))), side,
                     kinds[rng.below(5)]);
      }
    }
    if (rng.below(2) == 0) position.set_side_to_move(Side::Black);
    position.set_counters(static_cast<int>(rng.below(2) == 0 ? 0 : 90 + rng.below(10)), 100);
    if (position.own().empty() || position.enemy().empty()) continue;
    Game game(position);
    for (int ply = 0; ply < 9 && !game.is_over(); ++ply) {
      MoveList quiet;
      for (const Move move : game.legal_moves())
        if (game.position().after(move).quiet_plies() > 0) quiet.add(move);
      if (quiet.empty() || rng.below(8) == 0) break;
      game.play(quiet[static_cast<int>(rng.below(static_cast<std::uint64_t>(quiet.size())))]);
    }
    if (!game.is_over()) return game;
  }
}

inline Exact exact_of(float value) {
  return value > 0 ? Exact::Win : value < 0 ? Exact::Loss : Exact::Draw;
}

}  // namespace gounki::mcts::testing
