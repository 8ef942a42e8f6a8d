#include "mcts/endings.h"

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "tests/mcts/positions.h"

namespace gounki::mcts {
namespace {

TEST_CASE("a move wins at once exactly when the position after it is lost") {
  int wins = 0;
  std::vector<Position> positions = testing::random_positions(2000, 3);
  for (const char* text : {"x8/x8/x8/x8/x8/x8/x,srr,x6/x7,S b", "x8/R,x7/x8/x8/x8/x8/x8/s,x7 w",
                           "x8/x8/x8/x3,s,x4/x3,S,x4/x8/x8/x8 w",
                           "x8/x8/x8/x,ss,x,S,x4/x2,SSS,x5/x8/x8/x8 w",
                           "x8/x6,SRR,x/x7,s/x8/x8/x8/x8/x8 w"})
    positions.push_back(parse_position(text).value());
  for (const Position& position : positions) {
    const MoveList moves = legal_moves(position);
    bool any = false;
    for (const Move move : moves) {
      const bool lost = position.after(move).is_lost();
      INFO(to_string(position) << " " << to_string(move, position));
      CHECK(wins_at_once(position, move) == lost);
      any = any || lost;
      wins += lost;
    }
    CHECK(winning_move(position, moves).has_value() == any);
    CHECK(can_win_at_once(position, {}) == any);
  }
  CHECK(wins > 100);
}

TEST_CASE("repetitions and draws agree with the game's own count") {
  int repeated = 0, drawn = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    Game game(parse_position("x8/x3,ss,x4/x8/x8/x8/x8/x3,SS,x4/x8 w 60 60").value());
    while (!game.is_over()) {
      MoveList quiet;
      for (const Move move : game.legal_moves())
        if (game.position().after(move).quiet_plies() > 0) quiet.add(move);
      game.play(quiet[static_cast<int>(rng.below(static_cast<std::uint64_t>(quiet.size())))]);
      CHECK(repetitions(game.positions()) == game.repetitions());
      CHECK(is_draw(game.positions(), game.rules()) == (game.outcome() == Outcome::Draw));
      Rules none;
      none.repetition_draw = none.quiet_draw = false;
      CHECK_FALSE(is_draw(game.positions(), none));
      repeated += game.repetitions() > 0;
      drawn += game.is_over();
    }
  }
  CHECK(repeated > 100);
  CHECK(drawn == 60);
}

}  // namespace
}  // namespace gounki::mcts
