#include "arena/search_player.h"

#include <memory>
#include <vector>

#include <catch2/catch.hpp>

#include "arena/openings.h"
#include "mcts/evaluators.h"

namespace gounki::arena {
namespace {

TEST_CASE("a search player puts the leaves of all games into one batch") {
  const auto counting =
      std::make_shared<mcts::CountingEvaluator>(std::make_shared<mcts::HashEvaluator>());
  SearchPlayer player({.visits = 20}, counting, "hash");
  const std::vector<Game> games = make_openings(16, 1);
  std::vector<Turn> turns;
  for (const Game& game : games) turns.push_back({&game, 3});
  std::vector<Choice> choices(turns.size());
  player.choose(turns, choices);
  CHECK(counting->calls() <= 22);
  CHECK(counting->positions() > 16 * 15);
  for (std::size_t i = 0; i < games.size(); ++i) {
    CHECK(is_legal(games[i].position(), choices[i].move));
    REQUIRE(choices[i].value.has_value());
  }
}

TEST_CASE("a search player's choice depends on the seed where it is told to vary") {
  const auto hash = std::make_shared<mcts::HashEvaluator>();
  SearchPlayer varied({.visits = 50, .temperature = 1.0, .temperature_end = 1.0}, hash, "varied");
  SearchPlayer fixed({.visits = 50}, hash, "fixed");
  const Game game;
  const auto different = [&](Player& player) {
    std::vector<Turn> turns;
    for (std::uint64_t seed = 0; seed < 20; ++seed) turns.push_back({&game, seed});
    std::vector<Choice> choices(turns.size());
    player.choose(turns, choices);
    int count = 0;
    for (const Choice& choice : choices) count += choice.move != choices[0].move;
    return count;
  };
  CHECK(different(varied) > 0);
  CHECK(different(fixed) == 0);
}

}  // namespace
}  // namespace gounki::arena
