#include "core/game.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "support.h"

using namespace gounki;
using namespace gounki::test;

namespace {

void play(Game& game, const std::string& text) {
  const auto move = parse_move(text, game.position(), game.rules());
  if (!move) FAIL(move.error().message);
  const auto played = game.play_checked(*move);
  if (!played) FAIL(played.error().message);
}

Move random_move(const Game& game, Rng& rng) {
  const MoveList moves = game.legal_moves();
  return moves[static_cast<int>(rng.below(moves.size()))];
}

const std::string kTwoLonely = "s,x7/x8/x8/x8/x8/x8/x8/S,x7 w";

}  // namespace

TEST_CASE("the end of a game, by table") {
  struct Row { std::string position, move; Outcome outcome; };
  for (const Row& row : {
           Row{"x4,S,x3/x8/x8/s,x7/x8/x8/x8/x8 w", "e8-OUT", Outcome::WhiteWins},
           Row{"x8/x8/x8/S,x7/x8/x8/x8/r,x7 b", "a1-OUT", Outcome::BlackWins},
           Row{"x8/x4,RR,x3/x8/s,x7/x8/x8/x8/x8 w", "e7*d8,OUT", Outcome::WhiteWins},
           Row{"x8/x8/x8/s,x7/S,x7/x8/x8/x8 w", "a4xa5", Outcome::WhiteWins},
           Row{"x8/x8/x8/x8/s,x7/x,R,x6/x8/x8 b", "a4-a3", Outcome::Ongoing},
           Row{"x8/x8/x8/x8/r,x7/x,R,x6/x8/x8 b", "a4xb3", Outcome::BlackWins},
           Row{"x8/x8/x8/s,x7/S,x6,s/x8/x8/x8 w", "a4xa5", Outcome::Ongoing},
           // A win is a win, whatever the counter says.
           Row{"x4,S,x3/x8/x8/s,x7/x8/x8/x8/x8 w 99 300", "e8-OUT", Outcome::WhiteWins},
           // Quiet plies: the hundredth is a draw; a capture or a step forward counts anew.
           Row{"s,x7/x8/x8/x8/x8/x8/x8/S,x7 w 98 300", "a1-b1", Outcome::Ongoing},
           Row{"s,x7/x8/x8/x8/x8/x8/x8/S,x7 w 99 300", "a1-b1", Outcome::Draw},
           Row{"s,x7/x8/x8/x8/x8/x8/x8/S,x7 w 99 300", "a1-a2", Outcome::Ongoing},
           Row{"s,x7/x8/x8/x8/x8/x8/x8/S,s,x6 w 99 300", "a1xb1", Outcome::Ongoing},
           Row{"s,x7/x8/x8/x8/x8/x8/x8/SS,x7 w 99 300", "a1*b1,c1", Outcome::Draw},
           Row{"s,x7/x8/x8/x8/x8/x8/x8/SR,x7 w 99 300", "a1*b1,c2", Outcome::Ongoing},
           Row{"s,x7/x8/x8/x8/x8/x8/x8/x,SS,x6 w 99 300", "b1-b1", Outcome::Draw},
           Row{"s,x7/x8/x8/x8/x8/x8/x8/S,S,x6 w 99 300", "a1-b1+", Outcome::Draw},
       }) {
    CAPTURE(row.position, row.move);
    Game game(position_of(row.position));
    REQUIRE_FALSE(game.is_over());
    play(game, row.move);
    CHECK(game.outcome() == row.outcome);
    CHECK(game.is_over() == (row.outcome != Outcome::Ongoing));
    CHECK(game.legal_moves().empty() == game.is_over());
  }
}

TEST_CASE("a game may be over where it begins") {
  Position no_stack;
  no_stack.put(Square(0, 4), Side::Black, Stack(1, 0));
  CHECK(Game(no_stack).outcome() == Outcome::BlackWins);
  CHECK(Game(position_of(kTwoLonely + " 100 200")).outcome() == Outcome::Draw);
  CHECK(Game(position_of(kTwoLonely + " 100 200"), {.quiet_draw = false}).outcome() ==
        Outcome::Ongoing);

  Game over(no_stack);
  CHECK(over.legal_moves().empty());
  CHECK(over.play_checked(Move()).error().message == "the game is over: Black has won");
}

TEST_CASE("the third occurrence of a position is a draw") {
  for (const bool repetition_draw : {true, false}) {
    Game game(position_of(kTwoLonely), {.repetition_draw = repetition_draw});
    const std::vector<std::string> round{"a1-b1", "a8-b8", "b1-a1", "b8-a8"};
    const std::vector<int> repetitions{0, 0, 0, 1, 1, 1, 1, 2, 2};
    for (std::size_t ply = 0; ply < repetitions.size(); ++ply) {
      CAPTURE(ply);
      if (game.is_over()) break;
      play(game, round[ply % 4]);
      CHECK(game.repetitions() == repetitions[ply]);
      CHECK(game.outcome() ==
            (repetition_draw && repetitions[ply] == 2 ? Outcome::Draw : Outcome::Ongoing));
    }
    CHECK(game.moves().size() == (repetition_draw ? 8 : 9));
  }
}

TEST_CASE("null moves repeat positions") {
  Game game(position_of("x,ss,x6/x8/x8/x8/x8/x8/x8/x6,SS,x w"));
  play(game, "g1-g1");
  CHECK(game.repetitions() == 0);  // the same board, but the other side is to move
  play(game, "b8-b8");
  CHECK(game.repetitions() == 1);
  play(game, "g1-g1");
  play(game, "b8-b8");
  CHECK(game.outcome() == Outcome::Draw);
}

TEST_CASE("the counters of another history do not make a repetition") {
  // The first position already counts quiet plies of which the game knows nothing.
  Game game(position_of(kTwoLonely + " 40 80"));
  play(game, "a1-b1");
  play(game, "a8-b8");
  CHECK(game.repetitions() == 0);
}

TEST_CASE("repetitions are those of a plain count, and undo takes everything back") {
  Rng rng(21);
  for (int n = 0; n < 60; ++n) {
    // Few stacks and many sideways moves, so that positions do come back.
    Game game(n % 2 ? Position::start() : position_of("x,ss,x4,s,x/x8/x8/x8/x8/x8/x8/S,x5,SS,x w"));
    std::vector<Game> before;
    while (!game.is_over() && game.moves().size() < 150) {
      before.push_back(game);
      Move move = random_move(game, rng);
      for (int tries = 0; tries < 5 && n % 2 == 0; ++tries)
        if (game.position().after(move).quiet_plies() == 0) move = random_move(game, rng);
      game.play(move);
      const auto& all = game.positions();
      const auto same = std::count_if(all.begin(), all.end() - 1, [&](const Position& p) {
        return p.same_board(game.position());
      });
      REQUIRE(game.repetitions() == same);
    }
    while (!before.empty()) {
      game.undo();
      REQUIRE(game.position() == before.back().position());
      REQUIRE(game.moves() == before.back().moves());
      REQUIRE(game.repetitions() == before.back().repetitions());
      REQUIRE_FALSE(game.is_over());
      before.pop_back();
    }
  }
}

TEST_CASE("random games end, won by either side") {
  Rng rng(22);
  int white = 0, black = 0, longest = 0;
  for (int n = 0; n < 300; ++n) {
    Game game;
    while (!game.is_over()) game.play(random_move(game, rng));
    white += game.outcome() == Outcome::WhiteWins;
    black += game.outcome() == Outcome::BlackWins;
    longest = std::max(longest, static_cast<int>(game.moves().size()));
    REQUIRE(game.positions().size() == game.moves().size() + 1);
  }
  CHECK(white > 50);
  CHECK(black > 50);
  CHECK(longest < 1000);
}

TEST_CASE("the checked door refuses illegal moves, null moves too where they are forbidden") {
  Game game(position_of("s,x7/x8/x8/x8/x8/x8/x8/x6,SS,x w"), {.null_moves = false});
  const Move null_move = parse_move("g1-g1", game.position()).value();
  CHECK_FALSE(game.play_checked(null_move).has_value());
  CHECK(game.moves().empty());
  Game allowed(game.position());
  CHECK(allowed.play_checked(null_move).has_value());
}
