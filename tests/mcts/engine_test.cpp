#include "mcts/engine.h"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "tests/mcts/brute_force.h"
#include "tests/mcts/forced_wins.h"
#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

EngineConfig config_of(const std::string& algorithm, int visits, int threads, int batch = 1) {
  EngineConfig config;
  static_cast<SearchConfig&>(config) = testing::config_of(algorithm, visits);
  config.threads = threads;
  config.batch = batch;
  return config;
}

std::int64_t kept(const Report& report) { return report.result.visits - report.new_visits; }

// Does something of the test's own before each batch, which it numbers from 1.
class Interposed final : public Evaluator {
 public:
  explicit Interposed(std::function<void(int)> before) : before_(std::move(before)) {}
  void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override {
    before_(++calls_);
    inner_.evaluate(leaves, out);
  }
  std::string name() const override { return "interposed"; }
  int calls() const { return calls_; }

 private:
  std::function<void(int)> before_;
  HandcraftedEvaluator inner_;
  std::atomic<int> calls_ = 0;
};

void sleep_ms(double ms) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
}

// Waits for something that is sure to come.
template <class Ready>
void wait_until(Ready&& ready) {
  while (!ready()) sleep_ms(0.2);
}

TEST_CASE("an engine with one worker searches as a search in lock step does") {
  EngineConfig config;
  config.visits = 300;
  Engine engine(config, std::make_shared<HandcraftedEvaluator>());
  HandcraftedEvaluator evaluator;
  const Report report = engine.think(Game(), 5);
  const SearchResult expected = testing::searched(config, Game(), evaluator, 5).result();
  CHECK(report.result.best == expected.best);
  CHECK(report.result.value.v == expected.value.v);
  CHECK(report.evaluations == 301);
}

TEST_CASE("an engine of several workers spends its visits and proves what is true") {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Game game = testing::sparse_game(5000 + seed);
    const std::string algorithm = seed % 2 == 0 ? "puct" : "gumbel";
    const int threads = 2 << (seed / 2 % 3), batch = seed % 5 == 0 ? 16 : 1;
    Engine engine(config_of(algorithm, 200, threads, batch), std::make_shared<HashEvaluator>(seed));
    const Report report = engine.think(game, seed);
    INFO(to_string(game.position()) << " " << algorithm << " " << threads << " " << batch);
    CHECK((report.result.proven || report.result.visits == 200));
    CHECK(report.result.visits <= 200);
    CHECK_NOTHROW(testing::check_result(game, report.result));
  }
}

TEST_CASE("an engine of four workers proves forced wins in three plies") {
  for (const std::string algorithm : {"puct", "gumbel"}) {
    Engine engine(config_of(algorithm, 3000, 4), std::make_shared<HandcraftedEvaluator>());
    for (const testing::ForcedWin& win : testing::forced_wins()) {
      if (win.plies > 3) continue;
      const Game game = testing::game_of(win.position);
      const SearchResult result = engine.think(game, 1).result;
      INFO(win.position);
      const std::string best = to_string(result.best, game.position());
      CHECK(std::find(win.moves.begin(), win.moves.end(), best) != win.moves.end());
      CHECK(result.proven);
      CHECK(result.plies == win.plies);
      CHECK(result.value.v == 1.0f);
    }
  }
}

TEST_CASE("a search that is told to stop ends with the round") {
  for (const int threads : {1, 4}) {
    std::atomic<bool> stop = false;
    std::atomic<int> late = 0;
    const auto evaluator = std::make_shared<Interposed>([&](int) { late += stop; });
    Engine engine(config_of("puct", 100'000'000, threads, 4), evaluator);
    Request request;
    request.stop = &stop;
    std::thread other([&] {
      wait_until([&] { return evaluator->calls() >= 50; });
      stop = true;
    });
    const Report report = engine.think(Game(), 1, request);
    other.join();
    // What was planned when it was told is evaluated still, if need be leaf by leaf.
    CHECK(late <= 4 * threads);
    CHECK(report.result.visits >= 50);
    CHECK(report.result.visits <= 4 * evaluator->calls());
    CHECK(is_legal(Position::start(), report.result.best));
  }
}

TEST_CASE("a search that is stopped before it begins has a legal move and evaluates nothing") {
  for (const std::string algorithm : {"puct", "gumbel"}) {
    for (const int threads : {1, 3}) {
      Engine engine(config_of(algorithm, 200, threads), std::make_shared<HandcraftedEvaluator>());
      const std::atomic<bool> stop = true;
      Request request;
      request.stop = &stop;
      const Report stopped = engine.think(Game(), 1, request);
      CHECK(stopped.result.visits == 0);
      CHECK(stopped.evaluations == 0);
      CHECK_NOTHROW(testing::check_result(Game(), stopped.result));
      CHECK(engine.think(Game(), 1).result.visits == 200);
    }
  }
}

TEST_CASE("what an evaluator throws reaches who thinks, and the engine can be used again") {
  for (const std::string algorithm : {"puct", "gumbel"}) {
    for (const int threads : {1, 2, 8}) {
      for (const int at : {1, 2, 30}) {
        bool broken = true;
        const auto evaluator = std::make_shared<Interposed>([&](int call) {
          if (broken && call == at) throw std::runtime_error("broken");
        });
        Engine engine(config_of(algorithm, 400, threads, 2), evaluator);
        CHECK_THROWS_WITH(engine.think(Game(), 1), "broken");
        broken = false;
        const Report report = engine.think(Game(), 1);
        CHECK(report.result.visits == 400);
        CHECK(kept(report) == 0);
      }
    }
  }
}

TEST_CASE("an engine goes on with its tree, and with that of its pondering") {
  for (const int threads : {1, 3}) {
    const auto evaluator = std::make_shared<Interposed>([](int) {});
    Engine engine(config_of("puct", 400, threads), evaluator);
    Game game;
    const Report first = engine.think(game, 1);
    CHECK(kept(first) == 0);
    const std::vector<Move> line = first.result.line();
    REQUIRE(line.size() >= 2);
    game.play(line[0]);
    const int before = evaluator->calls();
    engine.ponder(game);
    wait_until([&] { return evaluator->calls() >= before + 500; });
    game.play(line[1]);
    const Report second = engine.think(game, 1);
    CHECK(kept(second) > 0);
    CHECK(second.new_visits + kept(second) == second.result.visits);
    CHECK(second.result.visits >= 400);
    // Pondering twice does not lose the tree either.
    game.play(second.result.best);
    engine.ponder(game);
    engine.ponder(game);
    engine.stop_pondering();
    engine.stop_pondering();
    Request little;
    little.task.visits = 1;
    CHECK(kept(engine.think(game, 1, little)) > 0);
  }
}

TEST_CASE("after pondering elsewhere a search starts afresh") {
  const auto evaluator = std::make_shared<Interposed>([](int) {});
  Engine engine(config_of("puct", 300, 1), evaluator);
  engine.ponder(testing::random_game(3, 11));
  wait_until([&] { return evaluator->calls() >= 100; });
  const Game game = testing::random_game(4, 8);
  const Report report = engine.think(game, 1);
  CHECK(kept(report) == 0);
  Engine fresh(config_of("puct", 300, 1), evaluator);
  CHECK(report.result.best == fresh.think(game, 1).result.best);
  CHECK(report.result.nodes == fresh.think(game, 1).result.nodes);
}

TEST_CASE("a tree is forgotten when that is asked for, or where it is not to be reused") {
  EngineConfig config = config_of("puct", 200, 2);
  config.cache_mb = 1;
  Engine engine(config, std::make_shared<HashEvaluator>());
  engine.think(Game(), 1);
  CHECK(kept(engine.think(Game(), 1)) == 200);
  engine.ponder(Game());
  engine.forget();
  const Report report = engine.think(Game(), 1);
  CHECK(kept(report) == 0);
  CHECK(report.lookups > 0);
  CHECK(report.cache_hits == 0);

  config.reuse = false;
  Engine afresh(config, std::make_shared<HashEvaluator>());
  afresh.think(Game(), 1);
  const Report second = afresh.think(Game(), 1);
  CHECK(kept(second) == 0);
  CHECK(second.result.visits == 200);
  CHECK(second.cache_hits > 100);
}

TEST_CASE("an engine that ponders can be destroyed, and ponders over no game that is over") {
  for (const int threads : {1, 4}) {
    Engine engine(config_of("puct", 200, threads), std::make_shared<HashEvaluator>());
    engine.ponder(Game());
  }
  Game over = testing::game_of("x8/x8/x8/x8/x8/x8/x,srr,x6/x7,S b");
  for (const Move move : over.legal_moves()) {
    if (!over.position().after(move).is_lost()) continue;
    over.play(move);
    break;
  }
  REQUIRE(over.is_over());
  const auto evaluator = std::make_shared<Interposed>([](int) {});
  Engine engine(config_of("puct", 200, 2), evaluator);
  engine.ponder(over);
  engine.stop_pondering();
  CHECK(evaluator->calls() == 0);
}

TEST_CASE("what an evaluator throws while an engine ponders is thrown by the next search") {
  for (const int threads : {1, 4}) {
    std::atomic<bool> thrown = false;
    const auto evaluator = std::make_shared<Interposed>([&](int call) {
      if (call != 20) return;
      thrown = true;
      throw std::runtime_error("broken");
    });
    Engine engine(config_of("puct", 200, threads), evaluator);
    engine.ponder(Game());
    wait_until([&] { return thrown.load(); });
    CHECK_THROWS_WITH(engine.think(Game(), 1), "broken");
    const Report report = engine.think(Game(), 1);
    CHECK(report.result.visits == 200);
    CHECK(kept(report) == 0);
  }
  // Nothing is thrown by a destructor.
  std::atomic<bool> thrown = false;
  Engine engine(config_of("puct", 200, 1), std::make_shared<Interposed>([&](int) {
                  thrown = true;
                  throw std::runtime_error("broken");
                }));
  engine.ponder(Game());
  wait_until([&] { return thrown.load(); });
}

}  // namespace
}  // namespace gounki::mcts
