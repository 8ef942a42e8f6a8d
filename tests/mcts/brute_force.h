// What is true of a position by trying everything, and games near their end to ask that of.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "core/game.h"
#include "core/random.h"
#include "mcts/search.h"

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

// How many proofs of a result brute force has confirmed.
struct Confirmed {
  int wins = 0, losses = 0, draws = 0, moves = 0;
};

// Holds what was proven of a position against brute force, where that is quick. Throws when it was wrong.
inline void check_proof(Game& game, float value, int plies, Confirmed& confirmed) {
  if (plies > 5 || (value == 0.0f && plies > 3)) return;
  const Exact exact = solve(game, value == 0.0f ? 4 : plies);
  if (exact == exact_of(value))
    ++(value > 0 ? confirmed.wins : value < 0 ? confirmed.losses : confirmed.draws);
  // A draw may take longer to be seen by brute force, since the lines beside it do.
  else if (value != 0.0f || exact != Exact::Unknown)
    throw std::runtime_error("a proof is wrong");
}

// Throws when a result contradicts itself.
inline void check_sane(const SearchResult& result) {
  const auto require = [](bool right, const char* what) {
    if (!right) throw std::runtime_error(what);
  };
  double policy = 0.0;
  std::int64_t visits = 0;
  for (const MoveStats& stats : result.moves) {
    policy += stats.policy;
    visits += stats.visits;
    require(stats.policy >= 0.0f, "a policy below 0");
    require(std::abs(stats.q.v) <= 1.0f, "a value out of range");
    require(stats.lower_bound.v <= stats.q.v, "a bound above the mean");
  }
  require(std::abs(policy - 1.0) < 1e-4, "a policy that is no distribution");
  require(visits == result.visits, "visits that no move has");
  require(std::abs(result.value.v) <= 1.0f, "a root's value out of range");
  require(result.ranking.size() == result.moves.size(), "a ranking that is none");
  const MoveStats& best = result.moves[static_cast<std::size_t>(result.ranking[0])];
  require(best.move == result.best, "the best move does not lead the ranking");
  if (!result.proven) return;
  require(best.proven, "the best move of a proven position is not proven");
  require(best.q.v == result.value.v, "the best move does not keep the result");
  require(best.policy > 0.0f, "the policy leaves the best move out");
}

// Throws when a result of the game contradicts itself, or a proof in it is wrong.
inline Confirmed check_result(Game game, const SearchResult& result) {
  check_sane(result);
  Confirmed confirmed;
  if (result.proven) check_proof(game, result.value.v, result.plies, confirmed);
  for (const MoveStats& stats : result.moves) {
    if (!stats.proven) continue;
    ++confirmed.moves;
    game.play(stats.move);
    check_proof(game, -stats.q.v, stats.plies - 1, confirmed);
    game.undo();
  }
  return confirmed;
}

}  // namespace gounki::mcts::testing
