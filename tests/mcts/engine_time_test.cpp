// What time does to an engine's search: clocks, reports, and searches without an end.
#include <catch2/catch.hpp>
#include <mutex>

#include "mcts/engine.h"
#include "tests/mcts/brute_force.h"
#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

// Takes its time: so many milliseconds a batch.
class SlowEvaluator final : public Evaluator {
 public:
  explicit SlowEvaluator(double ms) : ms_(ms) {}
  void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override {
    ++calls_;
    const double ms = ms_ + once_.exchange(0.0);
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
    inner_.evaluate(leaves, out);
  }
  std::string name() const override { return "slow"; }
  int calls() const { return calls_; }
  // The next batch takes so many milliseconds longer.
  void delay(double ms) { once_ = ms; }

 private:
  double ms_;
  std::atomic<double> once_ = 0.0;
  std::atomic<int> calls_ = 0;
  HandcraftedEvaluator inner_;
};

EngineConfig config_of(int visits, int threads) {
  EngineConfig config;
  config.visits = visits;
  config.threads = threads;
  return config;
}

// A machine that is busy may be late by so many seconds.
constexpr double kBusy = 2.0;

TEST_CASE("a search on a clock ends within what the clock allows") {
  for (const int threads : {1, 3}) {
    Engine engine(config_of(5, threads), std::make_shared<SlowEvaluator>(0.3));
    Request request;
    request.clock = Clock{3.0, 0.0, 0};
    const TimeBudget budget = time_budget(*request.clock, 0, engine.config().overhead / 1000.0);
    const Report report = engine.think(Game(), 1, request);
    CHECK(report.seconds < budget.most + kBusy);
    // The config's visits are no limit then.
    CHECK(report.result.visits > 5);
    // Those of the request are.
    request.task.visits = 7;
    CHECK(engine.think(testing::random_game(1, 6), 1, request).result.visits == 7);
  }
}

TEST_CASE("of a clock and a time for the move the shorter one counts") {
  Engine engine(config_of(5, 2), std::make_shared<SlowEvaluator>(0.3));
  Request request;
  request.clock = Clock{1e6, 0.0, 0};
  request.seconds = 0.05;
  CHECK(engine.think(Game(), 1, request).seconds < 0.05 + kBusy);
  request.clock = Clock{0.2, 0.0, 0};
  request.seconds = 1e6;
  CHECK(engine.think(Game(), 1, request).seconds < 0.2 + kBusy);
}

TEST_CASE("on an empty clock, and with one legal move, a move is made at once") {
  for (const int threads : {1, 3}) {
    const auto evaluator = std::make_shared<SlowEvaluator>(0.3);
    Engine engine(config_of(100'000, threads), evaluator);
    Request request;
    request.clock = Clock{0.0, 0.0, 0};
    const Report empty = engine.think(Game(), 1, request);
    CHECK(evaluator->calls() == 0);
    CHECK_NOTHROW(testing::check_result(Game(), empty.result));

    const Game one = testing::game_of("x8/x8/x8/x7,R/x8/x,s,x6/s,x7/s,x7 w");
    REQUIRE(one.legal_moves().size() == 1);
    request.clock = Clock{1000.0, 0.0, 0};
    const Report report = engine.think(one, 1, request);
    CHECK(evaluator->calls() <= 2);
    CHECK(report.result.best == one.legal_moves()[0]);
  }
}

TEST_CASE("movetime ends a search that has no visits of its own") {
  EngineConfig config = config_of(5, 2);
  config.movetime = 40;
  Engine engine(config, std::make_shared<SlowEvaluator>(0.2));
  const Report report = engine.think(Game(), 1);
  CHECK(report.seconds >= 0.04);
  CHECK(report.seconds < 0.04 + kBusy);
  CHECK(report.result.visits > 5);
}

TEST_CASE("movetime and stop end a search whose tree is full and asks for nothing any more") {
  EngineConfig config = config_of(1, 1);
  config.memory_mb = 1;
  for (const int threads : {1, 2}) {
    config.threads = threads;
    Engine engine(config, std::make_shared<HashEvaluator>());
    Request request;
    request.seconds = 0.3;
    const Report report = engine.think(Game(), 1, request);
    CHECK(report.result.full);
    CHECK(report.seconds >= 0.3);
    CHECK(report.seconds < 10.0);
  }
}

TEST_CASE("an endless search knows no limit but a proof and a stop") {
  for (const int threads : {1, 3}) {
    EngineConfig config = config_of(5, threads);
    config.nodes = 10;
    config.movetime = 1;
    const auto evaluator = std::make_shared<SlowEvaluator>(0.05);
    Engine engine(config, evaluator);
    std::atomic<bool> stop = false;
    Request request;
    request.endless = true;
    request.stop = &stop;
    std::atomic<bool> ended = false;
    std::thread other([&] {
      while (!ended && evaluator->calls() < 300)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      stop = true;
    });
    const Report report = engine.think(Game(), 1, request);
    CHECK(stop);
    ended = true;
    other.join();
    CHECK(report.result.visits >= 290);

    const Game won = testing::game_of("x8/x8/x8/x8/x8/x8/x,srr,x6/x7,S b");
    stop = false;
    CHECK(engine.think(won, 1, request).result.proven);
  }
}

TEST_CASE("pondering is limited neither by visits nor by nodes nor by time") {
  EngineConfig config = config_of(5, 2);
  config.nodes = 10;
  config.movetime = 1;
  const auto evaluator = std::make_shared<SlowEvaluator>(0.05);
  Engine engine(config, evaluator);
  engine.ponder(Game());
  for (int waits = 0; evaluator->calls() < 300 && waits < 5000; ++waits)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(evaluator->calls() >= 300);
}

TEST_CASE("reports come one at a time, each after the last") {
  for (const std::string algorithm : {"puct", "gumbel"}) {
    EngineConfig config = config_of(600, 4);
    config.algorithm = algorithm;
    const auto evaluator = std::make_shared<SlowEvaluator>(0.3);
    Engine engine(config, evaluator);
    Game game = testing::random_game(2, 10);
    for (int search = 0; search < 2; ++search) {
      std::vector<Report> reports;
      std::atomic<int> inside = 0;
      bool alone = true;
      Watch watch;
      watch.every_seconds = 0.0;
      watch.report = [&](const Report& report) {
        alone = alone && ++inside == 1;
        reports.push_back(report);
        --inside;
      };
      Request request;
      request.lines = 3;
      // Reports come before the root is evaluated, also of a tree that was kept.
      evaluator->delay(60.0);
      const Report last = engine.think(game, 1, request, watch);
      CHECK(alone);
      REQUIRE(reports.size() >= 4);
      reports.push_back(last);
      for (std::size_t i = 0; i < reports.size(); ++i) {
        CHECK_NOTHROW(testing::check_result(game, reports[i].result));
        if (i == 0) continue;
        CHECK(reports[i].seconds >= reports[i - 1].seconds);
        CHECK(reports[i].result.visits >= reports[i - 1].result.visits);
        CHECK(reports[i].evaluations >= reports[i - 1].evaluations);
      }
      CHECK(last.result.lines.size() == 3);
      game.play(last.result.best);
    }
  }
}

}  // namespace
}  // namespace gounki::mcts
