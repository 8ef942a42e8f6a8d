// A search that goes on with the tree of the last one (Search::resume in mcts/search.cpp).
#include <catch2/catch.hpp>

#include "tests/mcts/brute_force.h"
#include "tests/mcts/grown_tree.h"
#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

using testing::config_of;
using testing::stats_of;
using testing::grow;
using testing::TreeCheck;

void run(Search& search, Evaluator& evaluator) {
  Search* const searches[] = {&search};
  run_in_lock_step(searches, evaluator);
  REQUIRE(search.done());
}

Game after(Game game, const std::vector<Move>& moves) {
  for (const Move move : moves) game.play(move);
  return game;
}

// The lines of tree_text() below the root, without the root's own.
std::string below_root(const std::string& text) { return text.substr(text.find('\n') + 1); }

// The lines of tree_text() below a move of the root, as they are when the move leads to the root.
std::string subtree(const std::string& text, const std::string& move) {
  std::istringstream lines(text);
  std::string out, line;
  bool inside = false;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    if (line.rfind("    ", 0) != 0) inside = line.rfind("  " + move + " ", 0) == 0;
    else if (inside) out += line.substr(2) + "\n";
  }
  return out;
}

TEST_CASE("resumed after a move or two, the tree is what was below them") {
  HashEvaluator evaluator;
  int two = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    Game game = testing::random_game(i, static_cast<int>(2 * i));
    Search search(config_of("puct", 800));
    search.start(game, 1);
    run(search, evaluator);
    SearchResult result = search.result();
    if (result.proven) continue;
    for (int plies = 1; plies <= 2; ++plies) {
      Search again(config_of("puct", 800));
      again.start(game, 1);
      run(again, evaluator);
      const std::string text = again.tree_text();
      const std::vector<Move> line = again.result().line();
      if (static_cast<int>(line.size()) <= plies) break;
      std::string expected = subtree(text, to_string(line[0], game.position()));
      Game next = after(game, {line[0]});
      if (plies == 2) {
        expected = subtree("\n" + expected, to_string(line[1], next.position()));
        next.play(line[1]);
        ++two;
      }
      const std::int64_t kept = again.resume(next, 1);
      INFO(to_string(next.position()));
      CHECK(kept > 0);
      CHECK(below_root(again.tree_text()) == expected);
      CHECK(again.result().visits == kept);
      if (plies == 1) CHECK(kept + 1 == stats_of(result, line[0]).visits);
      run(again, evaluator);
      const SearchResult after_all = again.result();
      CHECK((after_all.proven || after_all.visits == 800));
      CHECK(after_all.nodes <= 801);
    }
  }
  CHECK(two > 10);
}

TEST_CASE("resumed in the same position, a search goes on where it stopped") {
  HashEvaluator evaluator;
  const Game game = testing::random_game(5, 10);
  Search search(config_of("puct", 300));
  search.start(game, 1);
  run(search, evaluator);
  const std::string before = search.tree_text();
  CHECK(search.resume(game, 1) == 300);
  CHECK(search.tree_text() == before);
  run(search, evaluator);
  // All visits were spent already.
  CHECK(search.tree_text() == before);

  Task task;
  task.visits = 700;
  CHECK(search.resume(game, 1, task) == 300);
  run(search, evaluator);
  CHECK(search.tree_text() == testing::searched(config_of("puct", 700), game, evaluator).tree_text());
}

TEST_CASE("a search that was stopped before it began loses nothing of the tree") {
  HashEvaluator evaluator;
  const Game game = testing::random_game(5, 10);
  Search search(config_of("puct", 300));
  search.start(game, 1);
  run(search, evaluator);
  const Move move = search.result().best;
  const Game next = after(game, {move});
  const std::int64_t kept = search.resume(next, 1);
  REQUIRE(kept > 0);
  search.stop();
  CHECK(search.done());
  CHECK(is_legal(next.position(), search.result().best));
  CHECK(search.resume(next, 1) == kept);
}

TEST_CASE("what is no continuation of the last search starts afresh") {
  HashEvaluator evaluator;
  Game game = testing::random_game(5, 10);
  const SearchConfig config = config_of("puct", 300);
  const auto resumed = [&](const Game& first, const Game& second, const Task& task = {}) {
    Search search(config);
    search.start(first, 1, task);
    run(search, evaluator);
    const std::int64_t kept = search.resume(second, 1);
    run(search, evaluator);
    if (kept == 0)
      CHECK(search.tree_text() == testing::searched(config, second, evaluator).tree_text());
    return kept;
  };
  const std::vector<Move> line = testing::searched(config, game, evaluator).result().line();
  REQUIRE(line.size() >= 3);
  CHECK(resumed(game, after(game, {line[0]})) > 0);

  CHECK(resumed(game, testing::random_game(6, 10)) == 0);
  CHECK(resumed(game, after(game, {line[0], line[1], line[2]})) == 0);
  Game earlier = game;
  earlier.undo();
  CHECK(resumed(game, earlier) == 0);
  // The same moves under other rules.
  Rules rules;
  rules.repetition_draw = false;
  Game other(game.positions()[0], rules);
  for (const Move move : game.moves()) other.play(move);
  other.play(line[0]);
  CHECK(resumed(game, other) == 0);
  // The tree of a search of some moves only says nothing of the others.
  Task task;
  task.moves = {line[0]};
  CHECK(resumed(game, game, task) == 0);
  // A Gumbel search keeps nothing.
  Search gumbel(config_of("gumbel", 100));
  gumbel.start(game, 1);
  run(gumbel, evaluator);
  CHECK(gumbel.resume(game, 1) == 0);
  run(gumbel, evaluator);
  CHECK(gumbel.result().visits == 100);
  // Nothing was searched yet.
  Search unused(config);
  CHECK(unused.resume(game, 1) == 0);
  run(unused, evaluator);
  CHECK(unused.result().visits == 300);
}

TEST_CASE("a move taken back and another one played is resumed from the right node") {
  HashEvaluator evaluator;
  Game game = testing::random_game(5, 10);
  Search search(config_of("puct", 1000));
  search.start(game, 1);
  run(search, evaluator);
  const SearchResult result = search.result();
  const Move first = result.moves[static_cast<std::size_t>(result.ranking[0])].move;
  const Move second = result.moves[static_cast<std::size_t>(result.ranking[1])].move;
  game.play(first);
  game.undo();
  game.play(second);
  const int visits = stats_of(result, second).visits;
  REQUIRE(visits > 1);
  CHECK(search.resume(game, 1) == visits - 1);
}

// Whatever is resumed, every node, proof and draw by repetition must be as if it had been searched from
// there.
TEST_CASE("resumed trees are consistent near the end of a game") {
  int resumed = 0, proven = 0;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    HashEvaluator evaluator(seed);
    Game game = testing::sparse_game(4000 + seed);
    SearchState search(config_of("puct", 60), 1 + static_cast<int>(seed % 2));
    Rng rng(seed);
    for (int ply = 0; ply < 12 && !game.is_over(); ++ply) {
      Task task;
      task.visits = 20 + static_cast<std::int64_t>(rng.below(100));
      const std::int64_t kept = search.resume(game, seed, task);
      resumed += kept > 0;
      INFO("seed " << seed << ", ply " << ply << ", kept " << kept << " "
                   << to_string(game.position()));
      REQUIRE_NOTHROW(grow(search, evaluator, 1 + static_cast<int>(rng.below(3))));
      const SearchResult result = search.result(3);
      proven += result.proven && kept > 0;
      REQUIRE(TreeCheck(search, game, evaluator).problem() == "");
      REQUIRE_NOTHROW(testing::check_result(game, result));
      // Mostly good moves, so that much of the tree is kept.
      const auto rank = std::min<std::size_t>(rng.below(3), result.ranking.size() - 1);
      const auto move = rng.below(3) > 0 ? 0 : rank;
      game.play(result.moves[static_cast<std::size_t>(result.ranking[move])].move);
      if (rng.below(4) == 0 && !game.is_over()) game.play(game.legal_moves()[0]);
    }
  }
  CHECK(resumed > 300);
  CHECK(proven > 30);
}

TEST_CASE("a win that the tree has not seen is played when a search is resumed at it") {
  HashEvaluator evaluator;
  int checked = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    const Game game = testing::random_game(i, 40);
    // Few visits: moves are in the tree, but not all that follows from them.
    const SearchConfig config = config_of("puct", 120);
    for (const MoveStats& stats : testing::searched(config, game, evaluator).result().moves) {
      if (stats.visits < 2 || stats.proven) continue;
      const Game next = after(game, {stats.move});
      if (!testing::searched(config_of("puct", 1), next, evaluator).result().proven) continue;
      Search search = testing::searched(config, game, evaluator);
      REQUIRE(search.resume(next, 1) == stats.visits - 1);
      run(search, evaluator);
      const SearchResult result = search.result();
      INFO(to_string(next.position()));
      CHECK_NOTHROW(testing::check_result(next, result));
      CHECK(result.proven);
      CHECK(result.line().size() == static_cast<std::size_t>(result.plies));
      CHECK((after(next, result.line()).is_over() || result.value.v <= 0.0f));
      checked += result.value.v == 1.0f && result.plies == 3;
    }
  }
  CHECK(checked > 10);
}

TEST_CASE("a draw by repetition across the game is one right after a search was resumed") {
  // Two stacks that go to and fro, far from each other.
  Game game(parse_position("x8/x3,ss,x4/x8/x8/x8/x8/x3,SS,x4/x8 w 0 0").value());
  const auto play = [&](const char* move) {
    game.play(parse_move(move, game.position()).value());
  };
  HashEvaluator evaluator;
  SearchState search(config_of("puct", 3000), 1);
  for (const char* move : {"d2-c2", "d7-c7", "c2-d2", "c7-d7", "d2-c2"}) play(move);
  search.start(game, 1, {});
  grow(search, evaluator);
  for (const char* move : {"d7-c7", "c2-d2"}) play(move);
  REQUIRE(search.resume(game, 1, {}) > 0);
  grow(search, evaluator);
  CHECK(TreeCheck(search, game, evaluator).problem() == "");
  const SearchResult result = search.result(1);
  const MoveStats& third = stats_of(result, parse_move("c7-d7", game.position()).value());
  CHECK(third.proven);
  CHECK(third.q.v == 0.0f);
  CHECK(third.plies == 1);
}

TEST_CASE("a tree that was full grows again when a move has freed memory") {
  HashEvaluator evaluator;
  for (const int workers : {1, 3}) {
    SearchConfig config = config_of("puct", 8000);
    config.memory_mb = 1;
    SearchState search(config, workers);
    Game game = testing::random_game(8, 4);
    search.start(game, 1, {});
    grow(search, evaluator, 64);
    REQUIRE(search.tree.full());
    const std::int64_t nodes_when_full = search.tree.node_count();
    for (int ply = 0; ply < 10; ++ply) {
      const SearchResult result = search.result(1);
      if (result.proven) break;
      game.play(result.best);
      if (game.is_over()) break;
      INFO(workers << " workers, ply " << ply);
      const std::int64_t kept = search.resume(game, 1, {});
      CHECK((workers > 1 || kept > 0));
      CHECK_FALSE(search.tree.full());
      const std::int64_t nodes_kept = search.tree.node_count();
      CHECK(nodes_kept < nodes_when_full);
      Task task;
      task.visits = kept + 8000;
      search.resume(game, 1, task);
      grow(search, evaluator, 64);
      CHECK(search.tree.bytes_held() <= 1u << 20);
      // Free memory is in pieces that were cut for other nodes; most of it is of use. With several
      // workers it also depends on whose it is.
      const double used = static_cast<double>(search.tree.node_count()) /
                          static_cast<double>(nodes_when_full);
      CHECK((workers > 1 || search.entrance.proof.known() || used > 0.75));
      CHECK(TreeCheck(search, game, evaluator, true).problem() == "");
    }
  }
}

TEST_CASE("a long game of resumed searches holds memory flat") {
  HashEvaluator evaluator;
  for (const int workers : {1, 4}) {
    SearchState search(config_of("puct", 1500), workers);
    std::size_t early = 0;
    int searches = 0;
    for (std::uint64_t round = 0; round < 12; ++round) {
      Game game = testing::random_game(round, 2);
      while (!game.is_over() && game.moves().size() < 60) {
        search.resume(game, round, {});
        grow(search, evaluator, 4);
        game.play(search.result(1).best);
        if (++searches == 40) early = search.tree.bytes_held();
      }
    }
    REQUIRE(searches > 150);
    CHECK(search.tree.bytes_held() <= 2 * early);
  }
}

}  // namespace
}  // namespace gounki::mcts
