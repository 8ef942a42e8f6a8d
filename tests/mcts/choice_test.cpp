// What the search makes of the root's moves (mcts/choice.cpp).
#include <catch2/catch.hpp>
#include <cmath>

#include "mcts/formulas.h"
#include "mcts/search_state.h"
#include "tests/mcts/brute_force.h"
#include "tests/mcts/grown_tree.h"
#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

using testing::config_of;
using testing::searched;

// A root whose moves have made-up visits and values. It was evaluated, but nothing was searched.
class MadeUpRoot {
 public:
  explicit MadeUpRoot(const SearchConfig& config) : state_(config, 1), arms_(40) {
    const Game game;
    state_.start(game, 1, {});
    state_.plan_round(1, {});
    std::vector<Leaf> leaves;
    state_.walk_task(0, leaves, 0);
    const Leaf* leaf = &leaves[0];
    std::vector<Evaluation> evaluations(1);
    UniformEvaluator().evaluate({&leaf, 1}, evaluations);
    state_.apply_tasks(evaluations, 0);
    state_.finish_round();
    arms_.resize(static_cast<std::size_t>(leaves[0].moves.size()));
    for (RootArm& arm : arms_)
      arm.arm.prior = arm.walk_prior = 1.0 / static_cast<double>(arms_.size());
  }

  // A move with so many visits, whose values have this mean and standard deviation.
  MadeUpRoot& with(std::size_t move, int visits, double mean, double stdev = 0.5) {
    RootArm& arm = arms_[move];
    arm.arm.visits = visits;
    arm.arm.q = mean;
    arm.value_sum = mean * visits;
    arm.square_sum = (mean * mean + stdev * stdev) * visits;
    return *this;
  }
  MadeUpRoot& with(std::size_t move, Proof proof) {
    arms_[move].proof = proof;
    arms_[move].arm.q = proof.value().v;
    return *this;
  }
  int choice() const { return state_.choose(arms_); }
  PerMove<double> policy() const { return state_.policy(arms_); }
  std::vector<int> ranking() const { return state_.ranked(arms_); }

 private:
  SearchState state_;
  std::vector<RootArm> arms_;
};

SearchConfig by_bound(double stdevs = 5.0) {
  SearchConfig config = config_of("puct", 100);
  config.choice = "lcb";
  config.lcb_stdevs = stdevs;
  return config;
}

TEST_CASE("by visits the most visited move is chosen, by its bound the one that is surely better") {
  const auto choices = [](auto&& fill, const SearchConfig& config) {
    MadeUpRoot root(config);
    fill(root);
    return root.choice();
  };
  const auto better_behind = [](MadeUpRoot& root) {
    root.with(3, 500, 0.1, 0.2).with(7, 450, 0.3, 0.2).with(9, 50, 0.9, 0.2);
  };
  SearchConfig by_visits = config_of("puct", 100);
  by_visits.choice = "visits";
  CHECK(choices(better_behind, by_visits) == 3);
  CHECK(choices(better_behind, by_bound()) == 7);
  // The third has less than a share of 0.15 of the most visited one's visits, however good it is.
  SearchConfig any_share = by_bound();
  any_share.lcb_least_visits = 0.05;
  CHECK(choices(better_behind, any_share) == 9);

  // Better, but not surely.
  const auto wavering = [](MadeUpRoot& root) {
    root.with(3, 5000, 0.1, 0.2).with(7, 900, 0.12, 0.9);
  };
  CHECK(choices(wavering, by_bound()) == 3);
  CHECK(choices(wavering, by_bound(0.0)) == 7);
  // One move dominates.
  const auto alone = [](MadeUpRoot& root) { root.with(5, 1000, -0.2).with(6, 3, 0.5); };
  CHECK(choices(alone, by_bound()) == 5);
  CHECK(choices(alone, config_of("puct", 100)) == 5);
}

TEST_CASE("proofs go before visits and bounds, in choice, ranking and policy") {
  for (const SearchConfig& config : {config_of("puct", 100), by_bound(), config_of("gumbel", 100)}) {
    MadeUpRoot won(config);
    won.with(2, 100, 0.9).with(4, 10, 0.0).with(4, Proof::win(5)).with(6, 1, 0.0);
    won.with(6, Proof::win(3)).with(8, 20, -1.0).with(8, Proof::loss(4));
    CHECK(won.choice() == 6);
    CHECK(won.ranking()[0] == 6);
    CHECK(won.ranking()[1] == 4);
    CHECK(won.ranking()[2] == 2);
    CHECK(won.ranking().back() == 8);
    CHECK(won.policy()[6] == 1.0);

    MadeUpRoot open(config);
    open.with(2, 300, 0.5).with(2, Proof::loss(6)).with(3, 10, 0.2).with(5, 8, 0.3);
    CHECK(open.choice() == 3);
    CHECK(open.policy()[2] == 0.0);
    CHECK(open.ranking().back() == 2);

    MadeUpRoot lost(config);
    for (std::size_t i = 0; i < lost.policy().size(); ++i)
      lost.with(i, Proof::loss(i == 11 ? 8 : 4));
    CHECK(lost.choice() == 11);
    double sum = 0.0;
    for (const double p : lost.policy()) sum += p;
    CHECK(sum == Approx(1.0));
  }
}

TEST_CASE("a lower bound is under its mean and comes nearer with more visits") {
  HashEvaluator evaluator;
  for (std::uint64_t i = 0; i < 10; ++i) {
    SearchConfig config = by_bound();
    config.visits = 500;
    const Game game = testing::random_game(i, 10);
    const SearchResult result = searched(config, game, evaluator).result();
    int most = 0;
    for (const MoveStats& stats : result.moves) most = std::max(most, stats.visits);
    for (const MoveStats& stats : result.moves) {
      if (stats.visits == 0 && !stats.proven) CHECK(stats.lower_bound.v == -1.0f);
      if (stats.proven) CHECK(stats.lower_bound.v == stats.q.v);
      else CHECK(stats.lower_bound.v <= stats.q.v);
      if (stats.move == result.best && !result.proven)
        CHECK(stats.visits >= config.lcb_least_visits * most);
      // No other move that may be chosen has a greater bound.
      if (!result.proven && stats.visits >= config.lcb_least_visits * most)
        CHECK(stats.lower_bound.v <=
              result.moves[static_cast<std::size_t>(result.ranking[0])].lower_bound.v);
    }
  }
}

TEST_CASE("each move of the root that was tried gets its forced playouts") {
  HashEvaluator evaluator;
  int more = 0;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const Game game = testing::random_game(i, 8);
    SearchConfig config = config_of("puct", 400);
    config.root_noise_weight = 0.25;
    const SearchResult plain = searched(config, game, evaluator, i).result();
    config.forced_playouts = 2.0;
    SearchState search(config, 1);
    search.start(game, i, {});
    testing::grow(search, evaluator);
    const SearchResult forced = search.result(1);
    if (plain.proven || forced.proven) continue;
    const auto arms = search.root_arms();
    double policy = 0.0;
    for (std::size_t m = 0; m < arms.size(); ++m) {
      const RootArm& arm = arms[m];
      policy += forced.moves[m].policy;
      more += forced.moves[m].visits > plain.moves[m].visits;
      if (arm.arm.visits == 0 || arm.proof.known()) continue;
      // The minimum grows with the visits; the last one may be owed still.
      CHECK(arm.arm.visits >= std::floor(forced_visits(2.0, arm.walk_prior, 390.0)) - 1.0);
    }
    CHECK(policy == Approx(1.0).margin(1e-4));
    const auto pruned = [](const SearchResult& result) {
      int count = 0;
      for (const MoveStats& stats : result.moves) count += stats.visits > 0 && stats.policy == 0.0f;
      return count;
    };
    CHECK(pruned(plain) == 0);
    CHECK(pruned(forced) > 0);
    for (const MoveStats& stats : plain.moves)
      CHECK(stats.policy == Approx(stats.visits / 400.0).margin(1e-6));
  }
  CHECK(more > 30);
}

TEST_CASE("with several workers too, forced playouts are pruned to a distribution") {
  HandcraftedEvaluator evaluator;
  SearchConfig config = config_of("puct", 300);
  config.forced_playouts = 2.0;
  for (std::uint64_t i = 0; i < 10; ++i) {
    const Game game = testing::random_game(i, 20);
    SearchState search(config, 4);
    search.start(game, i, {});
    testing::grow(search, evaluator, 8);
    CHECK_NOTHROW(testing::check_result(game, search.result(1)));
    CHECK(testing::TreeCheck(search, game, evaluator).problem() == "");
  }
}

}  // namespace
}  // namespace gounki::mcts
