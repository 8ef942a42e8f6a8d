#include "mcts/handcrafted.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "core/paths.h"
#include "mcts/handcrafted_terms.h"
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
  CHECK(score_of(more) > score_of(even) + 20);  // a round at home is the least of them
  // The same stacks, with a triple of the enemy on a square that can be captured.
  const char* safe = "x8/s,r,s,x5/x8/x7,ssr/x8/x8/S,R,S,x5/x8 w";
  const char* hanging = "x8/s,r,s,x5/x8/x,ssr,x6/R,x7/x8/S,x,S,x5/x8 w";
  CHECK(score_of(hanging) > score_of(safe) + 20);
}

TEST_CASE("the score adds its terms up, unless it is a decided one") {
  int decided = 0;
  std::set<std::size_t> seen;
  for (const Position& position : testing::random_positions(2000, 3)) {
    INFO(to_string(position));
    const int score = handcrafted_score(position);
    const auto counts = handcrafted_counts(position);
    REQUIRE(counts.has_value() == (std::abs(score) < kDecidedScore));
    decided += !counts;
    if (!counts) continue;
    REQUIRE(counts->size() == kHandcraftedTerms.size());
    int sum = 0;
    for (std::size_t i = 0; i < counts->size(); ++i) {
      sum += (*counts)[i] * kHandcraftedTerms[i].weight;
      if ((*counts)[i] != 0) seen.insert(i);
    }
    CHECK(score == std::clamp(sum / 10, 1 - kDecidedScore, kDecidedScore - 1));
  }
  CHECK(decided > 50);
  CHECK(seen.size() >= kHandcraftedTerms.size() - 2);  // stacks on the last rank decide
}

TEST_CASE("terms are counted for the side to move less for the other") {
  const auto count = [](const char* text, std::string_view name) {
    const auto counts = handcrafted_counts(parse_position(text).value()).value();
    for (std::size_t i = 0; i < kHandcraftedTerms.size(); ++i)
      if (kHandcraftedTerms[i].name == name) return counts[i];
    FAIL("no term " << name);
    return 0;
  };
  const char* white = "x8/s,r,s,x5/x4,ss,x3/x8/x8/x3,SSR,x4/S,R,S,x5/x8 w";
  const char* black = "x8/s,r,s,x5/x4,ss,x3/x8/x8/x3,SSR,x4/S,R,S,x5/x8 b";
  struct Row {
    const char* term;
    int white;
  };
  for (const Row& row : {Row{"SSR", 1}, Row{"SS", -1}, Row{"S", 0}, Row{"S rank 3", 0},
                         Row{"R rank 3", 1}, Row{"edge", 0}}) {
    INFO(row.term);
    CHECK(count(white, row.term) == row.white);
    CHECK(count(black, row.term) == -row.white);
  }
  CHECK(count(white, "tempo") == 1);
  CHECK(count(black, "tempo") == 1);
  // White's round takes a triple that nothing defends.
  const char* hanging = "x8/s,r,s,x5/x8/x,ssr,x6/R,x7/x8/S,x,S,x5/x8 w";
  CHECK(count(hanging, "best capture") == 30);
  CHECK(count(hanging, "next capture") == 0);
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
  CHECK(score / (2 * kPairs) > 0.65);  // its weights are made for a search, which sees captures
}

}  // namespace
}  // namespace gounki::mcts
