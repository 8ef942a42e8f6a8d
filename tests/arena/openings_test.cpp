#include "arena/openings.h"

#include <cstdlib>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "arena/alphabeta.h"
#include "core/error.h"
#include "core/notation.h"

namespace gounki::arena {
namespace {

TEST_CASE("openings are different, as long as asked for, and undecided") {
  const OpeningsConfig config{.plies = 6, .check_depth = 3, .max_score = 150};
  AlphaBeta search;
  std::set<std::string> seen;
  for (const Game& game : make_openings(100, 3, config)) {
    CHECK(game.moves().size() == 6);
    CHECK(game.positions().front() == Position::start());
    CHECK_FALSE(game.is_over());
    CHECK(seen.insert(to_string(game.position())).second);
    const AlphaBetaResult result = search.search(game, {.depth = 3});
    CHECK(std::abs(result.score) <= 150);
  }
  CHECK(seen.size() == 100);
}

TEST_CASE("openings follow from the seed, and more of them begin with the same") {
  const auto moves = [](const std::vector<Game>& games) {
    std::vector<std::vector<Move>> out;
    for (const Game& game : games) out.push_back(game.moves());
    return out;
  };
  const auto few = moves(make_openings(10, 5)), many = moves(make_openings(30, 5));
  CHECK(std::equal(few.begin(), few.end(), many.begin()));
  CHECK(moves(make_openings(30, 5)) == many);
  CHECK(moves(make_openings(30, 6)) != many);
}

TEST_CASE("openings end where there are no more, and say so") {
  CHECK(make_openings(1, 1, {.plies = 0}).front().moves().empty());
  // One ply has 36 moves, which lead to 36 positions.
  const OpeningsConfig one_ply{.plies = 1, .check_depth = 1, .max_score = 100'000};
  CHECK(make_openings(36, 1, one_ply).size() == 36);
  CHECK_THROWS_WITH(make_openings(37, 1, one_ply),
                    Catch::Contains("only 36 different openings of 1 random plies"));
}

TEST_CASE("openings keep the rules they are given") {
  const Rules rules{.null_moves = false};
  for (const Game& game : make_openings(5, 1, {}, rules)) CHECK(game.rules() == rules);
}

}  // namespace
}  // namespace gounki::arena
