#include "arena/alphabeta_player.h"

#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "arena/openings.h"
#include "core/notation.h"

namespace gounki::arena {
namespace {

Choice choose(Player& player, const Game& game) {
  const Turn turn{&game, 0};
  Choice choice;
  player.choose({&turn, 1}, {&choice, 1});
  return choice;
}

TEST_CASE("alpha-beta's opinion is certain of what is forced, and has the mover's point of view") {
  AlphaBetaPlayer player({.depth = 3}, "alphabeta");
  struct Row {
    std::string position;
    float low, high;
  };
  const std::vector<Row> rows{
      {"x8/x3,R,x4/x8/x8/x8/x7,r/x8/x8 w", 1, 1},    // White is out in two moves, Black in three
      {"x3,R,x4/x8/x8/x8/x8/x7,r/x8/x8 b", -1, -1},  // White is out before Black
      {"x8/x3,R,x4/x8/x8/x8/x8/x8/x7,r w", -1, -1},  // and here Black before White
      {"start", -0.5, 0.5},
      {"x8/s,x7/x8/x8/x8/x8/x8/SSR,SSR,SSR,x5 w", 0.5, 1},
      {"x8/s,x7/x8/x8/x8/x8/x8/SSR,SSR,SSR,x5 b", -1, -0.5},
  };
  for (const Row& row : rows) {
    INFO(row.position);
    const Choice choice = choose(player, Game(parse_position(row.position).value()));
    REQUIRE(choice.value.has_value());
    CHECK(choice.value->v >= row.low);
    CHECK(choice.value->v <= row.high);
  }
}

TEST_CASE("alpha-beta says in how many plies it wins or loses") {
  AlphaBetaPlayer player({.depth = 4}, "alphabeta");
  const auto proof = [&player](const char* text) {
    return choose(player, Game(parse_position(text).value())).proof;
  };
  CHECK(proof("x3,R,x4/x8/x8/x8/x8/x8/x8/x7,r w") == mcts::Proof::win(1));
  CHECK(proof("x8/x3,R,x4/x8/x8/x8/x7,r/x8/x8 w") == mcts::Proof::win(3));
  CHECK(proof("x8/x3,R,x4/x8/x8/x8/x8/x8/x7,r w") == mcts::Proof::loss(2));
  CHECK(proof("x8/x8/x3,R,x4/x8/x8/x8/x7,r/x8 w") == mcts::Proof::loss(4));
  CHECK_FALSE(proof("start").known());
  CHECK(choose(player, Game()).nodes > 100);
}

TEST_CASE("a depth limits alpha-beta where it is given or nothing else does") {
  const auto depth = [](const AlphaBetaConfig& config, bool depth_too, bool clock) {
    AlphaBetaPlayer player(config, "alphabeta", depth_too);
    const Game game;
    Turn turn{&game, 0};
    if (clock) turn.clocks = Clocks{{.left = 20.0}, {.left = 20.0}};
    Choice choice;
    player.choose({&turn, 1}, {&choice, 1});
    return choice.depth;
  };
  CHECK(depth({.depth = 2}, true, false) == 2);
  CHECK(depth({.depth = 2}, false, false) == 2);
  CHECK(depth({.depth = 2}, true, true) == 2);
  CHECK(depth({.depth = 2, .nodes = 20'000}, true, false) == 2);
  CHECK(depth({.depth = 2, .nodes = 20'000}, false, false) > 2);
  CHECK(depth({.depth = 1}, false, true) > 1);
}

TEST_CASE("alpha-beta chooses the same from several threads at once") {
  AlphaBetaPlayer player({.depth = 2}, "alphabeta");
  const std::vector<Game> games = make_openings(6, 2);
  std::vector<Move> alone;
  for (const Game& game : games) alone.push_back(choose(player, game).move);
  std::vector<std::vector<Move>> together(4);
  std::vector<std::thread> threads;
  for (std::vector<Move>& moves : together)
    threads.emplace_back([&] {
      for (const Game& game : games) moves.push_back(choose(player, game).move);
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<Move>& moves : together) CHECK(moves == alone);
}

}  // namespace
}  // namespace gounki::arena
