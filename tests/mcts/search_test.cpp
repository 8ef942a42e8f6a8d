#include "mcts/search.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <set>

#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

using testing::config_of;
using testing::noisy;
using testing::game_of;
using testing::searched;

const std::vector<std::string> kAlgorithms{"puct", "gumbel"};

TEST_CASE("visits add up, values keep their range, policies are distributions") {
  for (const std::string& algorithm : kAlgorithms) {
    for (const int visits : {1, 2, 5, 50, 300}) {
      for (int i = 0; i < 25; ++i) {
        const Game game = testing::random_game(static_cast<std::uint64_t>(i), 2 + 2 * i);
        HashEvaluator evaluator(static_cast<std::uint64_t>(i));
        const Search search = searched(noisy(algorithm, visits), game, evaluator, 3, 1 + i % 7);
        const SearchResult result = search.result();
        INFO(to_string(game.position()) << " " << algorithm << " " << visits);
        CHECK(search.done());
        const MoveList legal = game.legal_moves();
        REQUIRE(static_cast<int>(result.moves.size()) == legal.size());
        std::int64_t sum = 0;
        double policy = 0.0;
        for (int m = 0; m < legal.size(); ++m) {
          const MoveStats& stats = result.moves[static_cast<std::size_t>(m)];
          CHECK(stats.move == legal[m]);
          sum += stats.visits;
          policy += stats.policy;
          CHECK(stats.policy >= 0.0f);
          CHECK(std::abs(stats.q.v) <= 1.0f);
          if (stats.proven) CHECK((stats.q.v == 1.0f || stats.q.v == 0.0f || stats.q.v == -1.0f));
        }
        CHECK(sum == result.visits);
        CHECK((result.proven ? sum <= visits : sum == visits));
        CHECK(policy == Approx(1.0).margin(1e-4));
        CHECK(std::abs(result.value.v) <= 1.0f);
        CHECK(is_legal(game.position(), result.best));
        REQUIRE_FALSE(result.line().empty());
        CHECK(result.line()[0] == result.best);
        CHECK(result.depth <= result.seldepth);
        CHECK(result.seldepth <= visits);
        Game line = game;
        for (const Move move : result.line()) REQUIRE(line.play_checked(move).has_value());
        if (result.proven && result.value.v == 1.0f) CHECK(line.is_over());
      }
    }
  }
}

TEST_CASE("the same seed grows the same tree, another seed another one") {
  const Game game = testing::random_game(5, 12);
  HashEvaluator evaluator;
  for (const std::string& algorithm : kAlgorithms) {
    const std::string tree = searched(noisy(algorithm, 200), game, evaluator, 7).tree_text();
    CHECK(tree == searched(noisy(algorithm, 200), game, evaluator, 7).tree_text());
    CHECK(tree != searched(noisy(algorithm, 200), game, evaluator, 8).tree_text());
    // A search that has run before starts afresh.
    Search used = searched(noisy(algorithm, 200), Game(), evaluator, 1);
    used.start(game, 7);
    Search* const searches[] = {&used};
    run_in_lock_step(searches, evaluator);
    CHECK(tree == used.tree_text());
  }
}

TEST_CASE("many games in lock step grow the trees that each grows alone") {
  HashEvaluator evaluator;
  for (const std::string& algorithm : kAlgorithms) {
    std::vector<Game> games;
    std::vector<Search> together;
    std::vector<Search*> pointers;
    for (int i = 0; i < 12; ++i) {
      games.push_back(testing::random_game(static_cast<std::uint64_t>(40 + i), 3 * i));
      // Games that end their searches at different times.
      together.emplace_back(noisy(algorithm, 50 + 20 * i));
    }
    for (std::size_t i = 0; i < games.size(); ++i) {
      together[i].start(games[i], i);
      pointers.push_back(&together[i]);
    }
    run_in_lock_step(pointers, evaluator, 1);
    for (std::size_t i = 0; i < games.size(); ++i)
      CHECK(together[i].tree_text() ==
            searched(noisy(algorithm, 50 + 20 * static_cast<int>(i)), games[i], evaluator, i)
                .tree_text());
  }
}

TEST_CASE("a Gumbel search grows the same tree however many leaves it hands out") {
  HashEvaluator evaluator;
  for (int i = 0; i < 10; ++i) {
    const Game game = testing::random_game(static_cast<std::uint64_t>(60 + i), 2 * i);
    const Search one = searched(noisy("gumbel", 128), game, evaluator, 1, 1);
    REQUIRE_FALSE(one.result().proven);
    for (const int leaves : {2, 5, 64})
      CHECK(searched(noisy("gumbel", 128), game, evaluator, 1, leaves).tree_text() ==
            one.tree_text());
  }
}

TEST_CASE("virtual loss hands out different leaves, and leaves no trace") {
  HandcraftedEvaluator evaluator;
  const Game game = testing::random_game(9, 10);
  Search search(config_of("puct", 2000));
  search.start(game, 1);
  std::vector<Leaf> leaves;
  std::vector<const Leaf*> pointers;
  std::vector<Evaluation> evaluations;
  double handed_out = 0.0, calls = 0.0;
  while (!search.done()) {
    leaves.clear();
    pointers.clear();
    const int n = search.gather(leaves, 16);
    REQUIRE(n == static_cast<int>(leaves.size()));
    REQUIRE(n >= 1);
    // Until their evaluations come nothing more is handed out.
    CHECK(search.gather(leaves, 16) == 0);
    CHECK_FALSE(search.done());
    std::set<std::pair<std::uint64_t, int>> different;
    for (const Leaf& leaf : leaves) {
      different.emplace(leaf.position.hash(), leaf.position.ply());
      pointers.push_back(&leaf);
    }
    handed_out += n;
    ++calls;
    evaluations.resize(leaves.size());
    evaluator.evaluate(pointers, evaluations);
    search.apply(evaluations);
  }
  CHECK(handed_out / calls > 8.0);
  CHECK(search.result().visits == 2000);
  // The search goes where it would go without batches: the same move has the most visits.
  CHECK(search.result().best == searched(config_of("puct", 2000), game, evaluator).result().best);
}

TEST_CASE("gather makes progress whatever is asked of it") {
  HashEvaluator evaluator;
  Rng rng(11);
  for (int trial = 0; trial < 60; ++trial) {
    const std::string& algorithm = kAlgorithms[static_cast<std::size_t>(trial % 2)];
    const Game game = testing::random_game(static_cast<std::uint64_t>(trial), 40);
    Search search(noisy(algorithm, 150));
    search.start(game, 1);
    while (!search.done()) {
      std::vector<Leaf> leaves;
      CHECK(search.gather(leaves, 0) == 0);
      const int n = search.gather(leaves, static_cast<int>(1 + rng.below(40)));
      // Without a leaf, the walks have spent the visits or proven the root.
      if (n == 0) REQUIRE(search.done());
      std::vector<const Leaf*> pointers;
      for (const Leaf& leaf : leaves) {
        pointers.push_back(&leaf);
        CHECK_FALSE(leaf.position.is_lost());
        CHECK_FALSE(leaf.moves.empty());
        CHECK(leaf.repetitions <= 1);
      }
      std::vector<Evaluation> evaluations(leaves.size());
      evaluator.evaluate(pointers, evaluations);
      search.apply(evaluations);
    }
    const SearchResult result = search.result();
    CHECK((result.proven || result.visits == 150));
  }
}

TEST_CASE("the result can be asked for at any time") {
  for (const std::string& algorithm : kAlgorithms) {
    Search search(config_of(algorithm, 100));
    const Game game = testing::random_game(3, 8);
    search.start(game, 1);
    const SearchResult before = search.result();
    CHECK(before.visits == 0);
    CHECK(is_legal(game.position(), before.best));
    std::vector<Leaf> leaves;
    search.gather(leaves, 8);
    CHECK(is_legal(game.position(), search.result().best));
  }
}

TEST_CASE("an evaluator's bad answer is refused before it can spread") {
  const Game game;
  const auto with = [&](auto&& spoil) {
    Search search(config_of("puct", 10));
    search.start(game, 1);
    std::vector<Leaf> leaves;
    REQUIRE(search.gather(leaves, 1) == 1);
    const Leaf* pointer = &leaves[0];
    std::vector<Evaluation> evaluations(1);
    HashEvaluator().evaluate({&pointer, 1}, evaluations);
    spoil(evaluations[0]);
    search.apply(evaluations);
  };
  with([](Evaluation&) {});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(with([](Evaluation& e) { e.priors.pop_back(); }), Failure);
  CHECK_THROWS_AS(with([nan](Evaluation& e) { e.priors[3] = nan; }), Failure);
  CHECK_THROWS_AS(with([](Evaluation& e) { e.priors[0] += 0.5f; }), Failure);
  CHECK_THROWS_AS(with([](Evaluation& e) { e.priors[0] += 0.5f, e.priors[1] -= 0.5f; }), Failure);
  CHECK_THROWS_AS(with([nan](Evaluation& e) { e.wdl.win = nan; }), Failure);
  CHECK_THROWS_AS(with([](Evaluation& e) { e.wdl = {0.0f, 0.0f, 0.0f}; }), Failure);
}

TEST_CASE("an unknown algorithm is a usage error") {
  CHECK_THROWS_AS(Search(config_of("ucb", 10)), UsageError);
  CHECK(config_of("puct", 10).check().has_value());
  CHECK(config_of("gumbel", 10).check().has_value());
  CHECK(config_of("Gumbel", 10).check().error().message ==
        "algorithm: expected \"puct\" or \"gumbel\", found \"Gumbel\"");
}

TEST_CASE("the noise at the root moves the search and hides nothing from the result") {
  HashEvaluator evaluator;
  const Game game = testing::random_game(4, 6);
  SearchConfig config = config_of("puct", 100);
  const SearchResult plain = searched(config, game, evaluator, 1).result();
  config.root_noise_weight = 0.5;
  config.root_policy_temperature = 1.5;
  const SearchResult noisy_result = searched(config, game, evaluator, 1).result();
  int differ = 0;
  for (std::size_t i = 0; i < plain.moves.size(); ++i) {
    CHECK(plain.moves[i].prior == noisy_result.moves[i].prior);
    differ += plain.moves[i].visits != noisy_result.moves[i].visits;
  }
  CHECK(differ > 0);
}

TEST_CASE("searches one after the other hold memory flat") {
  HashEvaluator evaluator;
  for (const std::string& algorithm : kAlgorithms) {
    Search search(config_of(algorithm, 800));
    Search* const searches[] = {&search};
    std::size_t held = 0;
    for (int i = 0; i < 60; ++i) {
      // The same eight searches again and again: the first round of them sets the mark.
      search.start(testing::random_game(static_cast<std::uint64_t>(i % 8), 10), 1);
      run_in_lock_step(searches, evaluator, 4);
      if (i < 8) held = search.bytes_held();
      CHECK(search.bytes_held() == held);
    }
    CHECK(held < 1'000'000);
  }
}

}  // namespace
}  // namespace gounki::mcts
