// What the search proves, against brute force and against positions whose forced wins are known.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "mcts/endings.h"
#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

using testing::config_of;
using testing::searched;

const std::vector<std::string> kAlgorithms{"puct", "gumbel"};

enum class Exact { Loss, Draw, Win, Unknown };

Exact turned(Exact e) {
  return e == Exact::Win ? Exact::Loss : e == Exact::Loss ? Exact::Win : e;
}

// The result for the side to move as far as `plies` plies show, by trying everything.
Exact solve(Game& game, int plies) {
  const Outcome outcome = game.outcome();
  if (outcome == Outcome::Draw) return Exact::Draw;
  if (outcome != Outcome::Ongoing) return Exact::Loss;
  if (plies == 0) return Exact::Unknown;
  bool unknown = false, draw = false;
  for (const Move move : game.legal_moves()) {
    game.play(move);
    const Exact here = turned(solve(game, plies - 1));
    game.undo();
    if (here == Exact::Win) return here;
    unknown = unknown || here == Exact::Unknown;
    draw = draw || here == Exact::Draw;
  }
  return unknown ? Exact::Unknown : draw ? Exact::Draw : Exact::Loss;
}

// Few stacks far from their goals, some quiet plies from a draw, with a history of moves to and
// fro.
Game sparse_game(std::uint64_t seed) {
  Rng rng(seed);
  for (;;) {
    Position position;
    for (const Side side : {Side::White, Side::Black}) {
      const int stacks = static_cast<int>(1 + rng.below(2));
      for (int i = 0; i < stacks; ++i) {
        const Stack kinds[] = {Stack(1, 0), Stack(2, 0), Stack(0, 1), Stack(0, 2), Stack(1, 1)};
        position.put(Square(static_cast<int>(8 * (1 + rng.below(6)) + rng.below(8))), side,
                     kinds[rng.below(5)]);
      }
    }
    if (rng.below(2) == 0) position.set_side_to_move(Side::Black);
    position.set_counters(static_cast<int>(rng.below(2) == 0 ? 0 : 90 + rng.below(10)), 100);
    if (position.own().empty() || position.enemy().empty()) continue;
    Game game(position);
    for (int ply = 0; ply < 9 && !game.is_over(); ++ply) {
      MoveList quiet;
      for (const Move move : game.legal_moves())
        if (game.position().after(move).quiet_plies() > 0) quiet.add(move);
      if (quiet.empty() || rng.below(8) == 0) break;
      game.play(quiet[static_cast<int>(rng.below(static_cast<std::uint64_t>(quiet.size())))]);
    }
    if (!game.is_over()) return game;
  }
}

Exact exact_of(float value) {
  return value > 0 ? Exact::Win : value < 0 ? Exact::Loss : Exact::Draw;
}

TEST_CASE("everything that the search proves is so by brute force") {
  int wins = 0, losses = 0, draws = 0, moves = 0;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    Game game = sparse_game(seed);
    HashEvaluator evaluator(seed);
    const std::string& algorithm = kAlgorithms[seed % 2];
    const SearchResult result =
        searched(config_of(algorithm, 400), game, evaluator, seed, 1 + static_cast<int>(seed % 3))
            .result();
    INFO(to_string(game.position()) << " " << algorithm << " seed " << seed);
    const auto check = [&](Game& at, float value, int plies) {
      if (plies > 5 || (value == 0.0f && plies > 3)) return;
      const Exact exact = solve(at, value == 0.0f ? 4 : plies);
      // A draw may take longer to be seen by brute force, since the lines beside it do.
      const bool right = exact == exact_of(value) || (value == 0.0f && exact == Exact::Unknown);
      REQUIRE(right);
      (value > 0 ? wins : value < 0 ? losses : draws) += exact == exact_of(value);
    };
    if (result.proven) check(game, result.value.v, result.plies);
    for (const MoveStats& stats : result.moves) {
      if (!stats.proven) continue;
      ++moves;
      game.play(stats.move);
      check(game, -stats.q.v, stats.plies - 1);
      game.undo();
    }
  }
  CHECK(wins > 200);
  CHECK(losses > 200);
  CHECK(draws > 50);
  CHECK(moves > 1000);
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

struct ForcedWin {
  std::string position;
  int plies = 0;
  std::vector<std::string> moves;
};

std::vector<ForcedWin> forced_wins() {
  std::ifstream file(std::string(GOUNKI_GOLDEN) + "/forced_wins.txt");
  std::vector<ForcedWin> out;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto bar = line.find(" | "), second = line.find(" | ", bar + 3);
    ForcedWin win{line.substr(0, bar), std::stoi(line.substr(bar + 3)), {}};
    std::istringstream moves(line.substr(second + 3));
    for (std::string move; moves >> move;) win.moves.push_back(move);
    out.push_back(win);
  }
  REQUIRE(out.size() > 50);
  return out;
}

void check_forced_win(const ForcedWin& win, const SearchConfig& config) {
  HandcraftedEvaluator evaluator;
  const Game game = testing::game_of(win.position);
  const SearchResult result = searched(config, game, evaluator).result();
  INFO(win.position << " " << config.algorithm);
  const std::string best = to_string(result.best, game.position());
  CHECK(std::find(win.moves.begin(), win.moves.end(), best) != win.moves.end());
  CHECK(result.proven);
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

TEST_CASE("longer forced wins are proven with the right first move", "[slow]") {
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
