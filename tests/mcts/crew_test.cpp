#include "mcts/crew.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "tests/mcts/brute_force.h"
#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

using testing::config_of;
using testing::noisy;

// Takes now and then much longer, at positions that a salt chooses, so that tasks end in another order
// with another salt.
class UnevenEvaluator final : public Evaluator {
 public:
  UnevenEvaluator(std::uint64_t seed, std::uint64_t salt) : inner_(seed), salt_(salt) {}
  void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override {
    std::uint64_t state = leaves[0]->position.hash() ^ salt_;
    const std::uint64_t word = splitmix64(state);
    if (word % 16 == 0) std::this_thread::yield();
    if (word % 256 == 1) std::this_thread::sleep_for(std::chrono::microseconds(300));
    inner_.evaluate(leaves, out);
  }
  std::string name() const override { return "uneven"; }

 private:
  HashEvaluator inner_;
  std::uint64_t salt_;
};

std::string tree_of(const SearchConfig& config, const Game& game, std::uint64_t seed, int threads,
                    int batch) {
  UnevenEvaluator evaluator(seed, static_cast<std::uint64_t>(threads));
  Search search(config, threads);
  Crew crew(search, evaluator, threads, batch);
  search.start(game, seed);
  crew.run([] {});
  CHECK(search.done());
  return search.tree_text();
}

// Where two trees part: the first line that differs.
std::string difference(const std::string& a, const std::string& b) {
  if (a == b) return "";
  std::istringstream x(a), y(b);
  std::string line, other;
  while (std::getline(x, line) && std::getline(y, other) && line == other) {}
  return line + " | " + other;
}

TEST_CASE("a crew grows the tree that one worker grows with all walks of a round") {
  for (std::uint64_t i = 0; i < 4; ++i) {
    const Game game = testing::random_game(i, static_cast<int>(10 * i));
    const SearchConfig config = noisy("puct", 500);
    const std::string alone = tree_of(config, game, i, 1, 16);
    for (const int threads : {2, 4, 8}) {
      INFO("game " << i << ", " << threads << " threads");
      CHECK(difference(alone, tree_of(config, game, i, threads, 16 / threads)) == "");
    }
    INFO("game " << i << ", 3 threads");
    CHECK(difference(tree_of(config, game, i, 1, 30), tree_of(config, game, i, 3, 10)) == "");
  }
}

TEST_CASE("near the end of a game too a crew grows the tree of one worker") {
  // In the first games proofs of several tasks meet in one round.
  for (const std::uint64_t i : {2769, 2848, 2862, 2875, 2904, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    const Game game = testing::sparse_game(6000 + i);
    const SearchConfig config = config_of("puct", 3000);
    const int threads = 2 << (i % 3);
    INFO("game " << i << " " << to_string(game.position()) << ", " << threads << " threads");
    CHECK(difference(tree_of(config, game, i, 1, 64),
                     tree_of(config, game, i, threads, 64 / threads)) == "");
  }
}

// With one worker a halving ranks its moves more often.
TEST_CASE("crews of any size grow the same tree of a Gumbel search") {
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Game game = i < 4 ? testing::random_game(i, static_cast<int>(4 * i))
                             : testing::sparse_game(7000 + i);
    const SearchConfig config = noisy("gumbel", 400);
    const std::string two = tree_of(config, game, i, 2, 8);
    for (const int threads : {4, 8}) {
      INFO("game " << i << " " << to_string(game.position()) << ", " << threads << " threads");
      CHECK(difference(two, tree_of(config, game, i, threads, 16 / threads)) == "");
    }
  }
}

TEST_CASE("a crew is used again after a stop, after a failure, and for another game") {
  class Breaking final : public Evaluator {
   public:
    void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override {
      if (--left == 0) throw std::runtime_error("broken");
      HashEvaluator().evaluate(leaves, out);
    }
    std::string name() const override { return "breaking"; }
    std::atomic<int> left = -1;
  };
  for (const int threads : {2, 8}) {
    Breaking evaluator;
    const SearchConfig config = config_of("puct", 300);
    Search search(config, threads);
    Crew crew(search, evaluator, threads, 16 / threads);
    for (std::uint64_t i = 0; i < 12; ++i) {
      const Game game = testing::random_game(i, 10);
      search.start(game, i);
      if (i % 3 == 1) {
        evaluator.left = static_cast<int>(1 + i);
        CHECK_THROWS_WITH(crew.run([] {}), "broken");
        CHECK_FALSE(search.done());
      } else if (i % 3 == 2) {
        int rounds = 0;
        crew.run([&] {
          if (++rounds == static_cast<int>(i)) search.stop();
        });
        CHECK(search.done());
        CHECK(rounds == static_cast<int>(i));
      }
      search.start(game, i);
      crew.run([] {});
      CHECK(search.done());
      HashEvaluator alone;
      CHECK(search.tree_text() == testing::searched(config, game, alone, i, 16).tree_text());
    }
  }
}

TEST_CASE("what is thrown between the rounds ends a crew's search") {
  HashEvaluator evaluator;
  Search search(config_of("puct", 1000), 4);
  Crew crew(search, evaluator, 4, 2);
  search.start(Game(), 1);
  int rounds = 0;
  CHECK_THROWS_WITH(crew.run([&] {
    if (++rounds == 5) throw std::runtime_error("enough");
  }), "enough");
  CHECK(rounds == 5);
  // Between rounds nothing is lost.
  crew.run([] {});
  CHECK(search.result().visits == 1000);
}

}  // namespace
}  // namespace gounki::mcts
