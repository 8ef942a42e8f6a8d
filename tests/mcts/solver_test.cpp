// What the search proves, against brute force and against positions whose forced wins are known.
#include <catch2/catch.hpp>

#include "mcts/endings.h"
#include "tests/mcts/brute_force.h"
#include "tests/mcts/forced_wins.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

using testing::config_of;
using testing::Exact;
using testing::forced_wins;
using testing::ForcedWin;
using testing::searched;
using testing::solve;
using testing::sparse_game;

const std::vector<std::string> kAlgorithms{"puct", "gumbel"};

TEST_CASE("everything that the search proves is so by brute force") {
  testing::Confirmed sum;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    const Game game = sparse_game(seed);
    HashEvaluator evaluator(seed);
    const std::string& algorithm = kAlgorithms[seed % 2];
    const SearchResult result =
        searched(config_of(algorithm, 400), game, evaluator, seed, 1 + static_cast<int>(seed % 3))
            .result();
    INFO(to_string(game.position()) << " " << algorithm << " seed " << seed);
    testing::Confirmed confirmed;
    REQUIRE_NOTHROW(confirmed = testing::check_result(game, result));
    sum.wins += confirmed.wins;
    sum.losses += confirmed.losses;
    sum.draws += confirmed.draws;
    sum.moves += confirmed.moves;
  }
  CHECK(sum.wins > 200);
  CHECK(sum.losses > 200);
  CHECK(sum.draws > 50);
  CHECK(sum.moves > 1000);
}

TEST_CASE("a look ahead finds exactly what three plies of brute force find") {
  int seen[4] = {};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Game game = sparse_game(1000 + seed);
    Line line = game.positions();
    const Line before = line;
    const MoveList moves = game.legal_moves();
    const std::vector<Proof> proofs = look_ahead(line, moves, game.rules());
    CHECK(line == before);
    const bool win_at_once = winning_move(game.position(), moves).has_value();
    for (int i = 0; i < moves.size(); ++i) {
      const Proof proof = proofs[static_cast<std::size_t>(i)];
      game.play(moves[i]);
      // What is known after the move itself, after one reply, after two plies more.
      Proof expected;
      if (win_at_once) {
        if (game.position().is_lost()) expected = Proof::win(1);
      } else if (game.outcome() == Outcome::Draw) {
        expected = Proof::draw(1);
      } else if (solve(game, 1) == Exact::Win) {
        expected = Proof::loss(2);
      } else if (solve(game, 2) == Exact::Loss) {
        expected = Proof::win(3);
      }
      INFO(to_string(game.position()));
      CHECK(proof == expected);
      ++seen[expected.is_win() + 2 * expected.is_loss() + 3 * expected.is_draw()];
      game.undo();
    }
  }
  for (const int count : seen) CHECK(count > 20);
}

TEST_CASE("repetitions and quiet plies are counted along the way of the tree") {
  // Two stacks that go to and fro, far from each other.
  Game game(parse_position("x8/x3,ss,x4/x8/x8/x8/x8/x3,SS,x4/x8 w 0 0").value());
  for (const char* move : {"d2-c2", "d7-c7", "c2-d2", "c7-d7", "d2-c2", "d7-c7", "c2-d2"})
    game.play(parse_move(move, game.position()).value());
  // Black's c7-d7 would bring back the first position for the third time.
  const Move third = parse_move("c7-d7", game.position()).value();
  for (const std::string& algorithm : kAlgorithms) {
    HashEvaluator evaluator;
    const Search search = searched(config_of(algorithm, 200), game, evaluator);
    for (const MoveStats& stats : search.result().moves) {
      if (stats.move != third) continue;
      CHECK(stats.proven);
      CHECK(stats.q.v == 0.0f);
      CHECK(stats.plies == 1);
    }
    // Where the rule is off, the same move is a move like others.
    Rules rules;
    rules.repetition_draw = false;
    Game free(game.positions()[0], rules);
    for (const Move move : game.moves()) free.play(move);
    const SearchResult unruled = searched(config_of(algorithm, 3), free, evaluator).result();
    for (const MoveStats& stats : unruled.moves)
      if (stats.move == third) CHECK_FALSE(stats.proven);
  }
}

TEST_CASE("leaves know how often their position occurred") {
  Game game(parse_position("x8/x3,ss,x4/x8/x8/x8/x8/x3,SS,x4/x8 w 0 0").value());
  for (const char* move : {"d2-c2", "d7-c7", "c2-d2"})
    game.play(parse_move(move, game.position()).value());
  Search search(config_of("puct", 300));
  search.start(game, 1);
  HashEvaluator evaluator;
  bool found = false;
  while (!search.done()) {
    std::vector<Leaf> leaves;
    search.gather(leaves, 1);
    if (leaves.empty()) break;
    // The leaf one ply below the root that repeats the first position.
    const bool again = leaves[0].position.same_board(game.positions()[0]);
    if (again && leaves[0].position.ply() == game.position().ply() + 1) {
      CHECK(leaves[0].repetitions == 1);
      found = true;
    }
    const Leaf* pointer = &leaves[0];
    std::vector<Evaluation> evaluations(1);
    evaluator.evaluate({&pointer, 1}, evaluations);
    search.apply(evaluations);
  }
  CHECK(found);
}

void check_forced_win(const ForcedWin& win, const SearchConfig& config) {
  HandcraftedEvaluator evaluator;
  const Game game = testing::game_of(win.position);
  const SearchResult result = searched(config, game, evaluator).result();
  INFO(win.position << " " << config.algorithm);
  CHECK(result.proven);
  // The search ends with its first proof, which may be of a slower win with another move. Up to three
  // plies the look ahead sees to it that there is no quicker one.
  const std::string best = to_string(result.best, game.position());
  const bool quickest = std::find(win.moves.begin(), win.moves.end(), best) != win.moves.end();
  CHECK((quickest || (win.plies > 3 && result.plies > win.plies)));
  CHECK(result.value.v == 1.0f);
  CHECK(result.plies >= win.plies);
  if (win.plies == 3) CHECK(result.plies == 3);
}

TEST_CASE("forced wins in three plies are proven with the right first move") {
  for (const ForcedWin& win : forced_wins())
    if (win.plies <= 3)
      for (const std::string& algorithm : kAlgorithms)
        check_forced_win(win, config_of(algorithm, 3000));
}

TEST_CASE("longer forced wins are proven", "[slow]") {
  for (const ForcedWin& win : forced_wins())
    if (win.plies > 3) check_forced_win(win, config_of("puct", 200'000));
}

// One ply before a forced win in three lies a mistake: the tree alone, without the look ahead at
// its root, has to prove the win for the other side.
TEST_CASE("the tree proves that a mistake loses to a win in three") {
  int checked = 0;
  for (const ForcedWin& win : forced_wins()) {
    if (win.plies != 5) continue;
    HandcraftedEvaluator evaluator;
    Game game = testing::game_of(win.position);
    game.play(parse_move(win.moves[0], game.position()).value());
    const SearchResult result = searched(config_of("puct", 20'000), game, evaluator).result();
    CHECK(result.proven);
    CHECK(result.value.v == -1.0f);
    CHECK(result.plies == 4);
    ++checked;
  }
  CHECK(checked >= 1);
}

}  // namespace
}  // namespace gounki::mcts
