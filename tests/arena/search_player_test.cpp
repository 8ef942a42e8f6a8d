#include "arena/search_player.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "arena/openings.h"
#include "core/movegen.h"
#include "mcts/evaluators.h"

namespace gounki::arena {
namespace {

mcts::EngineConfig with_visits(int visits) {
  mcts::EngineConfig config;
  config.visits = visits;
  return config;
}

std::vector<Choice> choices_of(Player& player, const std::vector<Game>& games) {
  std::vector<Turn> turns;
  for (const Game& game : games) turns.push_back({&game, 3});
  std::vector<Choice> choices(turns.size());
  player.choose(turns, choices);
  return choices;
}

bool same(const std::vector<Choice>& a, const std::vector<Choice>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Choice& x, const Choice& y) {
    return x.move == y.move && x.value->v == y.value->v;
  });
}

TEST_CASE("a search player puts the leaves of all games into one batch") {
  const auto counting =
      std::make_shared<mcts::CountingEvaluator>(std::make_shared<mcts::HashEvaluator>());
  SearchPlayer player(with_visits(20), counting, "hash");
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
  mcts::EngineConfig warm = with_visits(50);
  warm.temperature = warm.temperature_end = 1.0;
  SearchPlayer varied(warm, hash, "varied");
  SearchPlayer fixed(with_visits(50), hash, "fixed");
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

TEST_CASE("a player's batch takes so many leaves of each game at once") {
  const auto counting =
      std::make_shared<mcts::CountingEvaluator>(std::make_shared<mcts::HashEvaluator>());
  mcts::EngineConfig config = with_visits(64);
  config.batch = 8;
  SearchPlayer player(config, counting, "hash");
  choices_of(player, {Game()});
  CHECK(counting->positions() == 65);
  CHECK(counting->calls() < 65 / 2);
}

TEST_CASE("a player's cache serves all its searches and changes no choice") {
  const std::vector<Game> games = make_openings(6, 4);
  const auto counting =
      std::make_shared<mcts::CountingEvaluator>(std::make_shared<mcts::HashEvaluator>());
  mcts::EngineConfig config = with_visits(40);
  SearchPlayer without(config, std::make_shared<mcts::HashEvaluator>(), "without");
  config.cache_mb = 4;
  SearchPlayer with(config, counting, "with");
  const std::vector<Choice> expected = choices_of(without, games);
  CHECK(same(choices_of(with, games), expected));
  const std::int64_t first = counting->positions();
  CHECK(same(choices_of(with, games), expected));
  CHECK(counting->positions() == first);
}

TEST_CASE("threads change no choice, as long as a round has as many walks") {
  const std::vector<Game> games = make_openings(6, 5);
  for (const char* algorithm : {"puct", "gumbel"}) {
    mcts::EngineConfig two = with_visits(200), four = with_visits(200);
    two.algorithm = four.algorithm = algorithm;
    two.threads = 2;
    two.batch = 4;
    four.threads = 4;
    four.batch = 2;
    SearchPlayer first(two, std::make_shared<mcts::HandcraftedEvaluator>(), "two");
    SearchPlayer second(four, std::make_shared<mcts::HandcraftedEvaluator>(), "four");
    CHECK(same(choices_of(first, games), choices_of(second, games)));
  }
}

TEST_CASE("a player with a clock or threads chooses legal moves and keeps no tree between games") {
  const std::vector<Game> games = make_openings(5, 9);
  mcts::EngineConfig timed = with_visits(400), threaded = with_visits(60);
  timed.movetime = 5;
  threaded.threads = 2;
  for (const mcts::EngineConfig& config : {timed, threaded}) {
    SearchPlayer player(config, std::make_shared<mcts::HandcraftedEvaluator>(), "player");
    for (int round = 0; round < 2; ++round) {
      const std::vector<Choice> choices = choices_of(player, games);
      for (std::size_t i = 0; i < games.size(); ++i) {
        CHECK(is_legal(games[i].position(), choices[i].move));
        CHECK(choices[i].value.has_value());
      }
    }
  }
  INFO("the second time the same turn costs the same");
  const auto counting =
      std::make_shared<mcts::CountingEvaluator>(std::make_shared<mcts::HashEvaluator>());
  SearchPlayer player(threaded, counting, "player");
  choices_of(player, {Game()});
  CHECK(counting->positions() == 61);
  choices_of(player, {Game()});
  CHECK(counting->positions() == 2 * 61);
}

TEST_CASE("visits limit a search by the clock only where they are said to") {
  const auto evaluations = [](bool visits_too, int movetime) {
    const auto counting =
        std::make_shared<mcts::CountingEvaluator>(std::make_shared<mcts::HashEvaluator>());
    mcts::EngineConfig config = with_visits(10);
    config.movetime = movetime;
    SearchPlayer player(config, counting, "player", visits_too);
    choices_of(player, {Game()});
    return counting->positions();
  };
  CHECK(evaluations(true, 3'600'000) == 11);
  CHECK(evaluations(false, 100) > 11);
}

TEST_CASE("a player with a clock chooses in several threads at once") {
  mcts::EngineConfig config;
  config.movetime = 2;
  SearchPlayer player(config, std::make_shared<mcts::HandcraftedEvaluator>(), "player");
  const std::vector<Game> games = make_openings(4, 2);
  std::vector<std::vector<Choice>> choices(4);
  std::vector<std::thread> threads;
  for (std::vector<Choice>& mine : choices)
    threads.emplace_back([&] { mine = choices_of(player, games); });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<Choice>& mine : choices)
    for (std::size_t i = 0; i < games.size(); ++i)
      CHECK(is_legal(games[i].position(), mine[i].move));
}

TEST_CASE("a player that follows a game goes on with its tree") {
  const auto counting =
      std::make_shared<mcts::CountingEvaluator>(std::make_shared<mcts::HashEvaluator>());
  SearchPlayer player(with_visits(400), counting, "player");
  CHECK(player.can_ponder());
  player.follow_game();
  Game game;
  const auto turn = [&] {
    const std::int64_t before = counting->positions();
    const Choice choice = choices_of(player, {game}).front();
    REQUIRE(is_legal(game.position(), choice.move));
    game.play(choice.move);
    return counting->positions() - before;
  };
  CHECK(turn() == 401);
  INFO("what was found about the reply is kept");
  CHECK(turn() < 400);
  for (int i = 0; i < 4; ++i) {
    player.ponder(game);
    game.play(game.legal_moves()[i]);
    turn();
  }
  INFO("a move is taken back while the player ponders");
  player.ponder(game);
  game.undo();
  game.undo();
  turn();
  player.ponder(game);
}

TEST_CASE("who keeps no tree does not ponder") {
  const auto hash = std::make_shared<mcts::HashEvaluator>();
  mcts::EngineConfig gumbel, forgetful;
  gumbel.algorithm = "gumbel";
  forgetful.reuse = false;
  for (const mcts::EngineConfig& config : {gumbel, forgetful}) {
    SearchPlayer player(config, hash, "player");
    CHECK_FALSE(player.can_ponder());
    player.follow_game();
    player.ponder(Game());
    CHECK(is_legal(Position::start(), choices_of(player, {Game()}).front().move));
  }
}

TEST_CASE("a player refuses a config that does not pass its check") {
  mcts::EngineConfig config;
  config.memory_mb = config.cache_mb = 16;
  CHECK_THROWS_AS(SearchPlayer(config, std::make_shared<mcts::HashEvaluator>(), "player"),
                  UsageError);
}

}  // namespace
}  // namespace gounki::arena
