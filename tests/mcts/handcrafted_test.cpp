#include "mcts/handcrafted.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/notation.h"
#include "core/paths.h"
#include "tests/mcts/positions.h"

namespace gounki::mcts {
namespace {

int score_of(const char* text) { return handcrafted_score(parse_position(text).value()); }

bool can_exit(const Position& position) {
  const MoveList moves = legal_moves(position);
  return std::any_of(moves.begin(), moves.end(),
                     [&](Move move) { return position.after(move).exited(); });
}

int pieces(const Position& position, Bitboard stacks) {
  int count = 0;
  for (const Square square : stacks) count += position.stack_on(square).size();
  return count;
}

int material_score(const Position& p) { return 100 * (pieces(p, p.own()) - pieces(p, p.enemy())); }

// The move after which the opponent stands worst; ties are drawn from `rng`.
template <class Score>
Move greedy_move(const Game& game, Score&& score, Rng& rng) {
  Move best;
  int best_score = 1 << 20, ties = 0;
  for (const Move move : game.legal_moves()) {
    const Position next = game.position().after(move);
    const int theirs = next.is_lost() ? -(1 << 19) : score(next);
    if (theirs > best_score) continue;
    if (theirs < best_score) ties = 0;
    best_score = theirs;
    if (rng.below(static_cast<std::uint64_t>(++ties)) == 0) best = move;
  }
  return best;
}

TEST_CASE("the score is the same for both colours and on the mirrored board") {
  for (const Position& position : testing::random_positions(500, 1)) {
    const int score = handcrafted_score(position);
    CHECK(handcrafted_score(testing::colours_exchanged(position)) == score);
    CHECK(handcrafted_score(position.mirrored()) == score);
    CHECK(std::abs(score) < kMaxScore);
    const float value = handcrafted_value(position).v;
    CHECK(std::abs(value) <= 1.0f);
    CHECK((value > 0) == (score > 0));
  }
}

TEST_CASE("a decided score for an exit is right, and few exits are missed") {
  int exits = 0, seen = 0;
  for (const Position& position : testing::random_positions(4000, 2)) {
    const bool claimed = handcrafted_score(position) == kMaxScore - 1;
    if (claimed) {
      INFO(to_string(position));
      CHECK(can_exit(position));
    }
    exits += can_exit(position);
    seen += claimed;
  }
  CHECK(exits > 100);
  CHECK(seen >= exits * 95 / 100);
}

TEST_CASE("the score knows the race, material and threats") {
  // Neither side can stop the other: who needs fewer moves wins, and with equal numbers the mover.
  CHECK(score_of("x8/x8/x8/R,x7/x7,r/x8/x8/x8 w") > kDecidedScore);
  CHECK(score_of("x8/x8/x8/R,x7/x7,r/x8/x8/x8 b") > kDecidedScore);
  CHECK(score_of("x8/x8/x8/R,x7/x8/x7,r/x8/x8 w") < -kDecidedScore);
  CHECK(score_of("x8/x8/x8/RR,x7/x8/x7,r/x8/x8 w") > kDecidedScore);
  // A piece more, everything else alike.
  const char* even = "x8/s,r,s,x5/x8/x8/x8/x8/S,R,S,x5/x8 w";
  const char* more = "x8/s,r,s,x5/x8/x8/x8/x8/S,R,S,R,x4/x8 w";
  CHECK(score_of(more) > score_of(even) + 80);
  // The same stacks, with a triple of the enemy on a square that can be captured.
  const char* safe = "x8/s,r,s,x5/x8/x7,ssr/x8/x8/S,R,S,x5/x8 w";
  const char* hanging = "x8/s,r,s,x5/x8/x,ssr,x6/R,x7/x8/S,x,S,x5/x8 w";
  CHECK(score_of(hanging) > score_of(safe) + 80);
}

TEST_CASE("one ply with the score beats one ply with material alone") {
  double score = 0.0;
  constexpr int kPairs = 40;
  for (int pair = 0; pair < kPairs; ++pair) {
    const Game opening = testing::random_game(static_cast<std::uint64_t>(100 + pair), 6);
    for (const Side side : {Side::White, Side::Black}) {
      Game game = opening;
      Rng rng(static_cast<std::uint64_t>(pair));
      while (!game.is_over() && game.moves().size() < 300)
        game.play(game.position().side_to_move() == side
                      ? greedy_move(game, handcrafted_score, rng)
                      : greedy_move(game, material_score, rng));
      score += game.outcome() == win_for(side) ? 1.0 : game.outcome() == win_for(~side) ? 0.0 : 0.5;
    }
  }
  CHECK(score / (2 * kPairs) > 0.85);
}

}  // namespace
}  // namespace gounki::mcts
