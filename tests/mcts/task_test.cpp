// What a search may be asked for (Task in mcts/search.h), and the parameters that bend it.
#include <catch2/catch.hpp>
#include <set>

#include "tests/mcts/brute_force.h"
#include "tests/mcts/grown_tree.h"
#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

using testing::config_of;
using testing::grow;
using testing::searched;
using testing::TreeCheck;

const std::vector<std::string> kAlgorithms{"puct", "gumbel"};

TEST_CASE("only the moves that may be played are searched") {
  HashEvaluator evaluator;
  Rng rng(3);
  for (std::uint64_t i = 0; i < 30; ++i) {
    const Game game = testing::random_game(i, static_cast<int>(i));
    const MoveList legal = game.legal_moves();
    Task task;
    for (const Move move : legal)
      if (rng.below(4) == 0) task.moves.push_back(move);
    if (task.moves.empty()) continue;
    // In any order, and twice as well.
    std::reverse(task.moves.begin(), task.moves.end());
    task.moves.push_back(task.moves[0]);
    const std::set<int> allowed = [&] {
      std::set<int> out;
      for (const Move move : task.moves) out.insert(move.index());
      return out;
    }();
    for (const std::string& algorithm : kAlgorithms) {
      for (const int workers : {1, 3}) {
        SearchState search(config_of(algorithm, 200), workers);
        search.start(game, 1, task);
        grow(search, evaluator, 3);
        const SearchResult result = search.result(200);
        REQUIRE(result.moves.size() == allowed.size());
        auto legal_move = legal.begin();
        for (const MoveStats& stats : result.moves) {
          CHECK(allowed.count(stats.move.index()) == 1);
          // In the order of all legal moves.
          while (legal_move != legal.end() && *legal_move != stats.move) ++legal_move;
          CHECK(legal_move != legal.end());
        }
        CHECK((result.proven || result.visits == 200));
        CHECK(allowed.count(result.best.index()) == 1);
        CHECK(result.lines.size() == allowed.size());
        for (const std::vector<Move>& line : result.lines)
          CHECK(allowed.count(line[0].index()) == 1);
        CHECK(TreeCheck(search, game, evaluator).problem() == "");
      }
    }
  }
}

TEST_CASE("what is proven of some moves says nothing of the others") {
  // Black can leave the board at once.
  const Game game = testing::game_of("x8/x8/x8/x8/x8/x8/x,srr,x6/x7,S b");
  HashEvaluator evaluator;
  Task slow;
  for (const Move move : game.legal_moves())
    if (!game.position().after(move).is_lost()) slow.moves.push_back(move);
  REQUIRE_FALSE(slow.moves.empty());
  for (const std::string& algorithm : kAlgorithms) {
    Search search(config_of(algorithm, 500));
    Search* const searches[] = {&search};
    search.start(game, 1, slow);
    run_in_lock_step(searches, evaluator);
    REQUIRE(search.done());
    const SearchResult result = search.result();
    CHECK((!result.proven || result.plies > 1));
    CHECK_NOTHROW(testing::check_result(game, result));
    // Asked again without that, the search knows the win.
    CHECK(search.resume(game, 1) == 0);
    CHECK(search.result().plies == 1);
  }
}

TEST_CASE("a task with a move that is not legal is refused and spoils nothing") {
  HashEvaluator evaluator;
  const Game game;
  Search search = searched(config_of("puct", 100), game, evaluator);
  const std::string before = search.tree_text();
  const MoveList legal = game.legal_moves();
  Task task;
  for (int index = 0; task.moves.empty(); ++index)
    if (std::find(legal.begin(), legal.end(), Move::from_index(index)) == legal.end())
      task.moves = {legal[0], Move::from_index(index)};
  CHECK_THROWS_AS(search.start(game, 1, task), UsageError);
  CHECK_THROWS_AS(search.resume(game, 1, task), UsageError);
  CHECK(search.tree_text() == before);
  CHECK(search.resume(game, 1) == 100);
}

TEST_CASE("a task's visits and nodes take the place of the config's") {
  HashEvaluator evaluator;
  const Game game = testing::random_game(6, 12);
  for (const std::string& algorithm : kAlgorithms) {
    SearchConfig config = config_of(algorithm, 50);
    config.nodes = 30;
    Search search(config);
    Search* const searches[] = {&search};
    const auto run = [&](std::int64_t visits, std::int64_t nodes) {
      Task task;
      task.visits = visits;
      task.nodes = nodes;
      search.start(game, 1, task);
      run_in_lock_step(searches, evaluator);
      CHECK(search.done());
      return search.result();
    };
    CHECK(run(0, 0).nodes == 30);
    CHECK(run(0, 1000).visits == 50);
    CHECK(run(120, 1000).visits == 120);
    CHECK(run(120, 77).nodes == 77);
    CHECK(run(Task::kEndless, 500).nodes == 500);
  }
}

TEST_CASE("where values differ much the variance scales exploration up, where they agree down") {
  // The value of every position is drawn from a spread around 0.
  class Spread final : public Evaluator {
   public:
    explicit Spread(float width) : width_(width) {}
    void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override {
      UniformEvaluator().evaluate(leaves, out);
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        const float value = leaves[i]->position.hash() % 2 == 0 ? width_ : -width_;
        out[i].wdl = {(1.0f + value) / 2, 0.0f, (1.0f - value) / 2};
      }
    }
    std::string name() const override { return "spread"; }

   private:
    float width_;
  };
  // The most visited move's share: the more exploration, the less.
  const auto share = [](float width, double scale) {
    double most = 0.0;
    for (std::uint64_t i = 0; i < 10; ++i) {
      Spread evaluator(width);
      SearchConfig config = config_of("puct", 400);
      config.cpuct_stdev_scale = scale;
      const SearchResult result =
          searched(config, testing::random_game(i, 6), evaluator).result();
      int visits = 0;
      for (const MoveStats& stats : result.moves) visits = std::max(visits, stats.visits);
      most += visits / 4000.0;
    }
    return most;
  };
  CHECK(share(0.95f, 0.85) < share(0.95f, 0.0));
  CHECK(share(0.05f, 0.85) > share(0.05f, 0.0));
}

TEST_CASE("lines follow the ranking, are legal, and depths are sane") {
  HashEvaluator evaluator;
  for (std::uint64_t i = 0; i < 20; ++i) {
    for (const std::string& algorithm : kAlgorithms) {
      const Game game = testing::random_game(i, static_cast<int>(2 * i));
      const SearchResult result = searched(config_of(algorithm, 300), game, evaluator).result(5);
      const std::size_t n = result.moves.size();
      CHECK(std::set<int>(result.ranking.begin(), result.ranking.end()).size() == n);
      CHECK(*std::min_element(result.ranking.begin(), result.ranking.end()) == 0);
      CHECK(result.lines.size() == std::min<std::size_t>(5, n));
      for (std::size_t k = 0; k < result.lines.size(); ++k) {
        const std::vector<Move>& line = result.lines[k];
        CHECK(line[0] == result.moves[static_cast<std::size_t>(result.ranking[k])].move);
        Game played = game;
        for (const Move move : line) REQUIRE(played.play_checked(move).has_value());
        if (!result.proven) CHECK(static_cast<int>(line.size()) <= result.seldepth + 1);
      }
      // Moves without a proof come by their visits.
      for (std::size_t k = 2; k < n; ++k) {
        const MoveStats& a = result.moves[static_cast<std::size_t>(result.ranking[k - 1])];
        const MoveStats& b = result.moves[static_cast<std::size_t>(result.ranking[k])];
        if (!a.proven && !b.proven) CHECK(a.visits >= b.visits);
      }
      if (result.visits == 0) continue;
      CHECK(result.depth >= 1);
      CHECK(result.depth <= result.seldepth);
      CHECK(result.nodes <= result.visits + 1);
      CHECK(result.bytes > 0);
      CHECK_FALSE(result.full);
    }
  }
}

}  // namespace
}  // namespace gounki::mcts
