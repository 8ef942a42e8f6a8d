#include "mcts/walker.h"

#include <catch2/catch.hpp>
#include <thread>

#include "tests/mcts/brute_force.h"
#include "tests/mcts/grown_tree.h"
#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

using testing::config_of;
using testing::grow;
using testing::TreeCheck;

const std::vector<std::string> kAlgorithms{"puct", "gumbel"};

// Gives other threads a turn while leaves are under way, so that walks meet.
class InterruptedEvaluator final : public Evaluator {
 public:
  explicit InterruptedEvaluator(std::shared_ptr<Evaluator> inner) : inner_(std::move(inner)) {}
  void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override {
    if (leaves[0]->position.hash() % 4 == 0) std::this_thread::yield();
    inner_->evaluate(leaves, out);
  }
  std::string name() const override { return inner_->name(); }

 private:
  std::shared_ptr<Evaluator> inner_;
};

std::int64_t visits_of(const SearchState& search) {
  return search.entrance.visits == 0 ? 0 : std::int64_t{search.entrance.visits} - 1;
}

// Searches and says what is wrong with the tree.
std::string problem_of(const SearchConfig& config, int workers, int batch, const Game& game,
                       Evaluator& evaluator) {
  SearchState search(config, workers);
  search.start(game, 3, {});
  grow(search, evaluator, batch);
  const bool proven = search.entrance.proof.known();
  if (!proven && visits_of(search) != config.visits)
    return "visits " + std::to_string(visits_of(search));
  return TreeCheck(search, game, evaluator).problem();
}

TEST_CASE("a tree is consistent however many workers grow it") {
  const std::vector<std::shared_ptr<Evaluator>> evaluators{
      std::make_shared<HashEvaluator>(4), std::make_shared<HandcraftedEvaluator>()};
  for (const auto& inner : evaluators) {
    InterruptedEvaluator evaluator(inner);
    for (const std::string& algorithm : kAlgorithms) {
      for (const int workers : {1, 2, 4, 8}) {
        for (const int batch : {1, 16}) {
          for (std::uint64_t i = 0; i < 4; ++i) {
            INFO(inner->name() << " " << algorithm << " " << workers << " workers, batch " << batch);
            const Game game = testing::random_game(i, static_cast<int>(15 * i));
            CHECK(problem_of(config_of(algorithm, 600), workers, batch, game, evaluator) == "");
          }
        }
      }
    }
  }
}

TEST_CASE("near the end of a game the tree of many workers is consistent") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Game game = testing::sparse_game(2000 + seed);
    InterruptedEvaluator evaluator(std::make_shared<HashEvaluator>(seed));
    const std::string& algorithm = kAlgorithms[seed % 2];
    const int workers = 1 << (seed % 4), batch = seed % 3 == 0 ? 16 : 1;
    INFO(algorithm << " " << workers << " workers, batch " << batch << ", seed " << seed << " "
                   << to_string(game.position()));
    CHECK(problem_of(config_of(algorithm, 300), workers, batch, game, evaluator) == "");
  }
}

TEST_CASE("the limit of nodes is met exactly") {
  HashEvaluator evaluator;
  for (const std::string& algorithm : kAlgorithms) {
    for (const int workers : {1, 4}) {
      for (const int batch : {1, 7}) {
        for (const int nodes : {1, 2, 50, 333}) {
          SearchState search(config_of(algorithm, 10'000), workers);
          const Game game = testing::random_game(6, 12);
          Task task;
          task.nodes = nodes;
          search.start(game, 1, task);
          grow(search, evaluator, batch);
          CHECK(search.tree.node_count() == nodes);
          CHECK(TreeCheck(search, game, evaluator).problem() == "");
        }
      }
    }
  }
}

TEST_CASE("a search within little memory spends its visits in the tree that it has") {
  HashEvaluator evaluator;
  const Game game = testing::random_game(8, 10);
  for (const std::string& algorithm : kAlgorithms) {
    for (const int megabytes : {1, 2}) {
      for (const int workers : {1, 4}) {
        for (const int batch : {1, 16}) {
          SearchConfig config = config_of(algorithm, 20'000);
          config.memory_mb = megabytes;
          SearchState search(config, workers);
          search.start(game, 1, {});
          grow(search, evaluator, batch);
          INFO(algorithm << " " << megabytes << " MB, " << workers << " workers, batch " << batch);
          const SearchResult result = search.result(1);
          CHECK(result.full);
          CHECK(result.bytes <= static_cast<std::size_t>(megabytes) << 20);
          CHECK(result.bytes > static_cast<std::size_t>(megabytes) << 19);
          CHECK(visits_of(search) == 20'000);
          CHECK(result.visits == 20'000);
          CHECK(result.nodes > 1000 * megabytes);
          CHECK(is_legal(game.position(), result.best));
          CHECK(TreeCheck(search, game, evaluator, true).problem() == "");
        }
      }
    }
  }
}

TEST_CASE("without proofs a search spends all its visits") {
  HashEvaluator evaluator;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Game game = testing::sparse_game(3000 + seed);
    for (const std::string& algorithm : kAlgorithms) {
      SearchConfig config = config_of(algorithm, 200);
      config.prove = false;
      SearchState search(config, 1 + static_cast<int>(seed % 3));
      search.start(game, 1, {});
      grow(search, evaluator, 4);
      INFO(to_string(game.position()) << " " << algorithm);
      CHECK(visits_of(search) == 200);
      CHECK_FALSE(search.result(1).proven);
      CHECK(TreeCheck(search, game, evaluator).problem() == "");
    }
  }
}

}  // namespace
}  // namespace gounki::mcts
