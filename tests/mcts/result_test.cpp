#include <catch2/catch.hpp>
#include <map>

#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

// What a search says at its end (mcts/result.cpp).
namespace gounki::mcts {
namespace {

using testing::config_of;
using testing::stats_of;
using testing::game_of;
using testing::searched;

const std::vector<std::string> kAlgorithms{"puct", "gumbel"};

TEST_CASE("without temperature and bounds PUCT takes the most visited move") {
  HashEvaluator evaluator;
  SearchConfig config = config_of("puct", 200);
  config.choice = "visits";
  for (int i = 0; i < 20; ++i) {
    const Game game = testing::random_game(static_cast<std::uint64_t>(i), 10);
    const SearchResult result = searched(config, game, evaluator).result();
    if (result.proven) continue;
    for (const MoveStats& stats : result.moves) {
      CHECK(stats.visits <= stats_of(result, result.best).visits);
      CHECK(stats.policy == Approx(stats.visits / 200.0));
    }
  }
}

TEST_CASE("with temperature moves are drawn by their visits") {
  HashEvaluator evaluator;
  const Game game = testing::random_game(2, 8);
  SearchConfig config = config_of("puct", 40);
  const SearchResult still = searched(config, game, evaluator).result();
  config.temperature = config.temperature_end = 1.0;
  std::map<int, int> counts;
  constexpr int kSeeds = 2000;
  for (int seed = 0; seed < kSeeds; ++seed)
    ++counts[searched(config, game, evaluator, static_cast<std::uint64_t>(seed))
                 .result()
                 .best.index()];
  for (const MoveStats& stats : still.moves)
    CHECK(counts[stats.move.index()] / double{kSeeds} ==
          Approx(stats.visits / 40.0).margin(0.045));
}

// The last two of a halving have as many visits as each other, and may be of very different worth.
TEST_CASE("with temperature a Gumbel search draws from its improved policy") {
  HashEvaluator evaluator;
  const Game game = testing::random_game(2, 8);
  SearchConfig config = config_of("gumbel", 40);
  const SearchResult still = searched(config, game, evaluator).result();
  double visited = 0.0;
  float greatest = 0.0f;
  for (const MoveStats& stats : still.moves) {
    if (stats.visits == 0) continue;
    visited += stats.policy;
    greatest = std::max(greatest, stats.policy);
  }
  const auto counts_at = [&](double temperature, int seeds) {
    config.temperature = config.temperature_end = temperature;
    std::map<int, int> counts;
    for (int seed = 0; seed < seeds; ++seed)
      ++counts[searched(config, game, evaluator, static_cast<std::uint64_t>(seed)).result().best.index()];
    return counts;
  };
  constexpr int kSeeds = 2000;
  auto counts = counts_at(1.0, kSeeds);
  for (const MoveStats& stats : still.moves) {
    const double share = stats.visits > 0 ? stats.policy / visited : 0.0;
    CHECK(counts[stats.move.index()] / double{kSeeds} == Approx(share).margin(0.045));
  }
  for (const auto& [move, count] : counts_at(0.02, 50))
    CHECK(stats_of(still, Move::from_index(move)).policy == greatest);
}

TEST_CASE("a task without noise is searched as if the config had none") {
  HashEvaluator evaluator;
  for (const std::string& algorithm : kAlgorithms) {
    const auto visits_of = [&](double noise, bool wanted) {
      SearchConfig config = config_of(algorithm, 60);
      config.gumbel_noise = config.root_noise_weight = noise;
      const Game game = testing::random_game(4, 8);
      Search search(config);
      search.start(game, 7, {.visits = 0, .nodes = 0, .moves = {}, .noise = wanted});
      Search* const searches[] = {&search};
      run_in_lock_step(searches, evaluator, 1);
      std::vector<int> visits;
      for (const MoveStats& stats : search.result().moves) visits.push_back(stats.visits);
      return visits;
    };
    CHECK(visits_of(0.9, false) == visits_of(0.0, true));
    CHECK(visits_of(0.9, true) != visits_of(0.0, true));
  }
}

TEST_CASE("the temperature falls with the plies of the game") {
  HashEvaluator evaluator;
  SearchConfig config = config_of("puct", 40);
  config.temperature = 1.0;
  config.temperature_halflife = 1.0;
  const auto different_moves = [&](int ply) {
    Position position = testing::random_game(2, 8).position();
    position.set_counters(0, ply);
    std::map<int, int> counts;
    for (std::uint64_t seed = 0; seed < 200; ++seed)
      ++counts[searched(config, Game(position), evaluator, seed).result().best.index()];
    return counts.size();
  };
  CHECK(different_moves(0) > 8);
  CHECK(different_moves(60) == 1);
}

TEST_CASE("a win at once is found without a visit, and the policy is on the winning moves alone") {
  // The exits, and a deployment that ends outside, win; the other moves do not.
  const Game game = game_of("x8/x8/x8/x8/x8/x8/x,srr,x6/x7,S b");
  for (const std::string& algorithm : kAlgorithms) {
    HashEvaluator evaluator;
    const Search search = searched(config_of(algorithm, 100), game, evaluator);
    const SearchResult result = search.result();
    CHECK(result.proven);
    CHECK(result.plies == 1);
    CHECK(result.visits == 0);
    CHECK(result.value.v == 1.0f);
    CHECK(result.raw.win == 1.0f);
    CHECK(game.position().after(result.best).is_lost());
    CHECK(result.line().size() == 1);
    int wins = 0;
    for (const MoveStats& stats : result.moves)
      wins += game.position().after(stats.move).is_lost();
    CHECK(wins > 1);
    for (const MoveStats& stats : result.moves) {
      const bool win = game.position().after(stats.move).is_lost();
      CHECK(stats.policy == Approx(win ? 1.0 / wins : 0.0));
      CHECK(stats.proven == win);
    }
  }
}

TEST_CASE("a lost position is proven and the longest defence is chosen") {
  // Black's round is out of reach and two plies from leaving; nothing that White has can.
  const Game game = game_of("x8/x8/x8/x8/x8/R,x6,S/x7,r/x8 w");
  for (const std::string& algorithm : kAlgorithms) {
    HashEvaluator evaluator;
    const SearchResult result = searched(config_of(algorithm, 3000), game, evaluator).result();
    INFO(algorithm);
    CHECK(result.proven);
    CHECK(result.value.v == -1.0f);
    CHECK(result.plies == 4);
    CHECK(result.line().size() == 4);
    double sum = 0.0;
    for (const MoveStats& stats : result.moves) {
      CHECK(stats.proven);
      CHECK(stats.plies <= 4);
      sum += stats.policy;
    }
    CHECK(sum == Approx(1.0));
  }
}

TEST_CASE("moves that are proven lost get no policy and are not chosen") {
  HashEvaluator evaluator;
  int seen = 0;
  for (int i = 0; i < 60; ++i) {
    const Game game = testing::random_game(static_cast<std::uint64_t>(i), 45);
    for (const std::string& algorithm : kAlgorithms) {
      const SearchResult result = searched(config_of(algorithm, 60), game, evaluator).result();
      if (result.proven) continue;
      for (const MoveStats& stats : result.moves) {
        if (!stats.proven || stats.q.v >= 0.0f) continue;
        ++seen;
        CHECK(stats.policy == 0.0f);
        CHECK(stats.move != result.best);
      }
    }
  }
  CHECK(seen > 20);
}

TEST_CASE("one legal move is searched like others") {
  const Game game = game_of("x8/x8/x8/x7,R/x8/x,s,x6/s,x7/s,x7 w");
  REQUIRE(game.legal_moves().size() == 1);
  for (const std::string& algorithm : kAlgorithms) {
    for (const int visits : {1, 20}) {
      HashEvaluator evaluator;
      const SearchResult result = searched(config_of(algorithm, visits), game, evaluator).result();
      CHECK(result.best == game.legal_moves()[0]);
      CHECK(result.moves[0].policy == 1.0f);
      CHECK((result.proven || result.visits == visits));
    }
  }
}

}  // namespace
}  // namespace gounki::mcts
