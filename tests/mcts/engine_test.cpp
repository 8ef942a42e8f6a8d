#include "mcts/engine.h"

#include <catch2/catch.hpp>

#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

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

}  // namespace
}  // namespace gounki::mcts
