#include "arena/alphabeta.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include <catch2/catch.hpp>

#include "arena/openings.h"
#include "core/notation.h"
#include "mcts/handcrafted.h"

namespace gounki::arena {
namespace {

constexpr int kWin = AlphaBetaResult::kWinScore;

// Plain minimax with the same leaves, without bounds, table or order.
struct Minimax {
  explicit Minimax(const Game& root)
      : game(root), root_plies(static_cast<int>(root.moves().size())) {}

  int ply() const { return static_cast<int>(game.moves().size()) - root_plies; }

  int value(int depth) {
    if (game.position().is_lost()) return -(kWin - ply());
    if (game.is_over() && ply() > 0) return 0;
    if (depth == 0) return quiet_value(game.position(), ply());
    int best = -kWin;
    for (const Move move : game.legal_moves()) best = std::max(best, value_of(move, depth));
    return best;
  }
  int value_of(Move move, int depth) {
    game.play(move);
    const int score = -value(depth - 1);
    game.undo();
    return score;
  }
  // Captures played out; kept, as they lead to the same positions in many orders.
  int quiet_value(const Position& position, int ply) {
    const auto [found, is_new] = quiet_values.try_emplace(position.hash(), 0);
    if (is_new) {
      const int value = computed_quiet_value(position);
      quiet_values[position.hash()] = value;
      return later(value, ply);
    }
    return later(found->second, ply);
  }
  int computed_quiet_value(const Position& position) {
    const MoveList moves = legal_moves(position);
    for (const Move move : moves)
      if (position.after(move).is_lost()) return kWin - 1;
    int best = mcts::handcrafted_score(position);
    for (const Move move : moves)
      if (const Position next = position.after(move); next.own().count() < position.enemy().count())
        best = std::max(best, -quiet_value(next, 1));
    return best;
  }
  // A win or loss that is counted from a position `plies` further on.
  static int later(int score, int plies) {
    if (score >= AlphaBetaResult::kLeastWin) return score - plies;
    return score <= -AlphaBetaResult::kLeastWin ? score + plies : score;
  }

  Game game;
  int root_plies;
  std::unordered_map<std::uint64_t, int> quiet_values;
};

std::vector<Game> games_of(int plies, int count) {
  return make_openings(count, 11, {.plies = plies, .check_depth = 1, .max_score = 100'000});
}

void check_against_minimax(const Game& game, int depth) {
  INFO(to_string(game.position()) << " at depth " << depth);
  Minimax minimax(game);
  AlphaBeta search;
  const AlphaBetaResult result = search.search(game, {.depth = depth});
  REQUIRE(is_legal(game.position(), result.best, game.rules()));
  const int expected = minimax.value(depth);
  if (result.depth == depth) CHECK(result.score == expected);
  else CHECK(std::abs(result.score) >= kWin - depth);  // ended early, as decided
  CHECK(minimax.value_of(result.best, depth) == expected);
}

TEST_CASE("alpha-beta has the score and a best move of plain minimax") {
  check_against_minimax(Game(), 3);
  // Without bounds the captures of a later position take too long for more than this.
  for (const int plies : {4, 8, 12})
    for (const Game& game : games_of(plies, 3)) check_against_minimax(game, 2);
  for (const Game& game : games_of(20, 5)) check_against_minimax(game, 1);
}

// Few stacks, so deeper searches stay small and the same positions come back by other ways.
const std::vector<std::string> kEndings{
    "x8/x8/x8/x2,s,x5/x8/x8/x,SS,x6/x8 w 0 40",
    "x8/x,ss,x6/x8/x8/x4,r,x3/x8/x,SS,x6/x3,R,x4 b 0 41",
    "x5,sr,x2/x8/x8/x8/x8/x2,RR,x5/x8/x8 w 0 40",
    "x8/x2,s,x3,r,x/x8/x3,S,x4/x8/x2,sr,x5/x8/x5,SR,x2 w 0 40",
    "x8/x,ss,x6/x8/x8/x8/x8/x,SS,x6/x8 w 96 200",
    "x8/x,ss,x4,s,x/x8/x8/x8/x8/x,SS,x6/x8 w 97 201",
};

TEST_CASE("alpha-beta has minimax's score with draws by quiet plies within reach") {
  for (const std::string& text : kEndings)
    for (const int depth : {1, 2, 3, 4, 5})
      check_against_minimax(Game(parse_position(text).value()), depth);
}

TEST_CASE("alpha-beta has minimax's score where positions come back by other ways", "[slow]") {
  for (const std::string& text : kEndings)
    check_against_minimax(Game(parse_position(text).value()), 6);
}

// Plays the moves, as text, from a position.
Game played(const std::string& position, const std::vector<std::string>& moves) {
  Game game(parse_position(position).value());
  for (const std::string& move : moves) game.play(parse_move(move, game.position()).value());
  return game;
}

TEST_CASE("alpha-beta counts repetitions that the game brought with it") {
  // Null moves on both sides have brought the position about twice; a third time is a draw.
  const std::string ending = "x8/x,ss,x4,s,x/x8/x8/x8/x8/x,SS,x6/x8 w 0 40";
  const std::vector<std::string> shuffle{"b2-b2", "b7-b7", "b2-b2"};
  const Game game = played(ending, shuffle);
  for (const int depth : {1, 2, 3, 4}) check_against_minimax(game, depth);

  // White's round on h6 leaves the board in three moves and nothing of Black's can stop it. But by
  // doing nothing Black brings a position about for the third time.
  const std::string lost = "x8/x,ss,x6/x7,R/x8/x8/x8/x,SS,x6/x8 w 0 40";
  AlphaBeta search;
  const Game saved = played(lost, shuffle);
  const AlphaBetaResult draw = search.search(saved, {.depth = 6});
  CHECK(to_string(draw.best, saved.position()) == "b7-b7");
  CHECK(draw.score == 0);
  Game not_saved(saved.position(), Rules{.repetition_draw = false});
  CHECK(search.search(not_saved, {.depth = 6}).score == -(kWin - 6));
}

struct ForcedWin {
  std::string position;
  int plies;
  std::set<std::string> moves;
};

std::vector<ForcedWin> forced_wins() {
  std::ifstream file(GOUNKI_GOLDEN "/forced_wins.txt");
  std::vector<ForcedWin> out;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream in(line);
    ForcedWin win;
    std::getline(in, win.position, '|');
    in >> win.plies;
    in.ignore(8, '|');
    for (std::string move; in >> move;) win.moves.insert(move);
    out.push_back(std::move(win));
  }
  return out;
}

void check_forced_wins(int from, int to) {
  AlphaBeta search;
  int checked = 0;
  for (const ForcedWin& win : forced_wins()) {
    if (win.plies < from || win.plies > to) continue;
    const Game game(parse_position(win.position).value());
    INFO(win.position);
    const AlphaBetaResult result = search.search(game, {.depth = win.plies});
    CHECK(result.score == kWin - win.plies);
    CHECK(result.proof == mcts::Proof::win(win.plies));
    CHECK(win.moves.count(to_string(result.best, game.position())) == 1);
    CHECK(search.search(game, {.depth = win.plies - 1}).score <= kWin - win.plies);
    ++checked;
  }
  CHECK(checked > 0);
}

TEST_CASE("alpha-beta finds the forced wins of the golden file, the quickest first") {
  check_forced_wins(1, 5);
}
TEST_CASE("alpha-beta finds the long forced wins of the golden file", "[slow]") {
  check_forced_wins(7, 99);
}

// For every number of nodes up to what the whole search takes.
void check_proofs_of_cut_searches(const Game& game, int depth, int step) {
  INFO(to_string(game.position()));
  AlphaBeta search;
  const AlphaBetaResult whole = search.search(game, {.depth = depth});
  REQUIRE(whole.proof.known());
  int before = 0, unknown = 0;
  for (std::int64_t nodes = 1; nodes < whole.nodes; nodes += step) {
    const AlphaBetaResult cut = search.search(game, {.depth = depth, .nodes = nodes});
    REQUIRE(is_legal(game.position(), cut.best));
    REQUIRE((cut.nodes == nodes || cut.depth <= 1));
    REQUIRE(cut.depth >= before);  // more nodes never see less
    before = cut.depth;
    if (!cut.proof.known()) ++unknown;
    else if (whole.proof.is_win()) REQUIRE(cut.proof.is_win());
    else REQUIRE(cut.proof == whole.proof);
  }
  CHECK(unknown > 0);
}

TEST_CASE("alpha-beta cut short by its nodes proves nothing that is not so") {
  const auto game = [](const char* text) { return Game(parse_position(text).value()); };
  // Black lets White's round out in two moves more, whatever it does; then the other way round.
  check_proofs_of_cut_searches(game("x8/x,ss,x6/x7,R/x8/x8/x8/x,SS,x6/x8 b 0 41"), 6, 7);
  check_proofs_of_cut_searches(game("x8/x,ss,x6/x7,R/x8/x8/x8/x,SS,x6/x8 w 0 40"), 5, 1);
  for (const ForcedWin& win : forced_wins())
    if (win.plies == 5) check_proofs_of_cut_searches(game(win.position.c_str()), 5, 101);
}

TEST_CASE("alpha-beta limited by nodes looks as far as they reach, the same each time") {
  AlphaBeta search, other;
  for (const Game& game : games_of(10, 3)) {
    const AlphaBetaConfig config{.depth = AlphaBetaConfig::kMaxDepth, .nodes = 20'000};
    const AlphaBetaResult result = search.search(game, config), again = other.search(game, config);
    CHECK(result.nodes == 20'000);
    CHECK(result.depth >= 2);
    CHECK(again.best == result.best);
    CHECK(again.score == result.score);
  }
}

TEST_CASE("alpha-beta depends on the game alone, not on earlier searches") {
  AlphaBeta used;
  const std::vector<Game> games = games_of(10, 12);
  for (int round = 0; round < 30; ++round)  // past the point at which the table's ages begin again
    for (const Game& game : games) {
      const AlphaBetaResult result = used.search(game, {.depth = 2});
      if (round % 10 != 0) continue;
      AlphaBeta fresh;
      const AlphaBetaResult expected = fresh.search(game, {.depth = 2});
      CHECK(result.best == expected.best);
      CHECK(result.score == expected.score);
      CHECK(result.nodes == expected.nodes);
    }
}

TEST_CASE("alpha-beta stops when its time is up, with a move") {
  AlphaBeta search;
  for (const Game& game : games_of(6, 3)) {
    const auto begun = std::chrono::steady_clock::now();
    const AlphaBetaResult result =
        search.search(game, {.depth = AlphaBetaConfig::kMaxDepth, .movetime = 30});
    const auto spent = std::chrono::steady_clock::now() - begun;
    CHECK(is_legal(game.position(), result.best));
    CHECK(result.depth >= 1);
    CHECK(result.depth < AlphaBetaConfig::kMaxDepth);
    CHECK(spent < std::chrono::seconds(5));  // far more than needed, for machines under load
  }
}

TEST_CASE("alpha-beta spends a share of its clock, and hurries when there is none left") {
  AlphaBeta search;
  const AlphaBetaConfig config{.depth = AlphaBetaConfig::kMaxDepth};
  for (const double left : {0.0, 0.005, 0.5}) {
    INFO(left << " s left");
    const auto begun = std::chrono::steady_clock::now();
    const AlphaBetaResult result = search.search(Game(), config, mcts::Clock{.left = left});
    const auto spent = std::chrono::steady_clock::now() - begun;
    CHECK(is_legal(Position::start(), result.best));
    CHECK(result.depth >= 1);
    CHECK(result.depth < AlphaBetaConfig::kMaxDepth);
    CHECK(spent < std::chrono::seconds(5));  // far more than needed, for machines under load
    if (left == 0.0) CHECK(result.depth == 1);
  }
}

}  // namespace
}  // namespace gounki::arena
