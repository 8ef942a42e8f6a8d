#include "play/search_report.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/notation.h"
#include "mcts/evaluators.h"
#include "program.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

// White is out in one move.
const char* const kWon = "x2,S,x5/x8/x8/x8/x8/x8/x8/s,x7 w";
// Black is out in one move, whatever White plays.
const char* const kLost = "x8/x8/x8/x8/R,x7/x8/x8/x7,s w";
// The quiet plies run out when White moves sideways.
const char* const kNearlyDrawn = "x8/x8/x8/x8/x8/x8/x6,SS,x/s,x7 w 99 200";

mcts::Report report_of(const Game& game, int lines = 1, const mcts::Task& task = {}) {
  mcts::EngineConfig config;
  config.visits = 50;
  mcts::Engine engine(config, std::make_shared<mcts::HandcraftedEvaluator>());
  mcts::Request request;
  request.lines = lines;
  request.task = task;
  return engine.think(game, 1, request);
}

Game game_of(const char* position) { return Game(parse_position(position).value()); }

}  // namespace

TEST_CASE("proofs in words") {
  CHECK(proof_text({1.0f}, 3) == "win in 3");
  CHECK(proof_text({-1.0f}, 4) == "loss in 4");
  CHECK(proof_text({0.0f}, 7) == "draw");
}

TEST_CASE("progress says depth and visits and speeds and memory and the best line") {
  const Game game;
  mcts::Report report = report_of(game);
  report.seconds = 2.0;
  report.new_visits = 5'000;
  report.evaluations = 3'000;
  report.bytes = 3u << 20;
  report.result.depth = 4;
  report.result.seldepth = 9;
  report.result.value = {0.25f};
  report.result.visits = 6'000;
  CHECK_THAT(search_progress_text(game, report),
             StartsWith("depth 4/9, 6 k visits, 2.5 k/s, 1.5 k eval/s, 3.0 MB, +0.250 " +
                        to_string(report.result.best, game.position())));
  report.lookups = 200;
  report.cache_hits = 50;
  report.bytes = 300u << 20;
  report.result.full = true;
  CHECK_THAT(search_progress_text(game, report), Contains(", cache 25%, 300 MB full, "));
}

TEST_CASE("a report says what is proven and for whom") {
  struct Row {
    const char *position, *root, *move;
  };
  const Row rows[] = {{kWon, "\nproven: win in 1 ply for White\n", "win in 1"},
                      {kLost, "\nproven: loss in 2 plies for White\n", "loss in 2"}};
  for (const Row& row : rows) {
    CAPTURE(row.position);
    const Game game = game_of(row.position);
    const std::string text = search_text(game, report_of(game), 10);
    CHECK_THAT(text, Contains(row.root) && Contains(row.move) && Contains("  proven"));
  }
  const Game start;
  const std::string text = search_text(start, report_of(start), 10);
  CHECK_THAT(text, Contains("\nvalue ") &&
                       Contains(" for White, from -1 to 1; the evaluator alone: win "));
  CHECK_THAT(text, !Contains("proven"));
}

TEST_CASE("a proof of the only moves that were searched is not one of the position") {
  const Game game = game_of(kNearlyDrawn);
  const Move sideways = parse_move("g2-h2", game.position()).value();
  const std::string text = search_text(game, report_of(game, 1, {.moves = {sideways}}), 10);
  CHECK_THAT(text, Contains("\nproven: a draw, if only the moves below may be played"));
  CHECK_THAT(text, Contains("  draw        g2-h2\n"));
}

TEST_CASE("the table has as many rows as are asked for or as there are lines") {
  const Game game;
  const std::string two = search_text(game, report_of(game, 1), 2);
  CHECK_THAT(two, Contains("\nand 34 more moves\n"));
  const mcts::Report report = report_of(game, 4);
  const std::string four = search_text(game, report, 2);
  CHECK(count_lines(four) == count_lines(two) + 2);
  for (const std::vector<Move>& line : report.result.lines) {
    std::string text;
    for (const std::string& move : line_text(game, line)) text += " " + move;
    CHECK_THAT(four, Contains(" " + text + "\n"));
  }
  CHECK(last_line(four) == "best " + to_string(report.result.best, game.position()));
}

TEST_CASE("a move without a visit has no value in the table and an estimate for programs") {
  const Game game;
  const mcts::Report report = report_of(game, 1, {.visits = 10, .nodes = 0, .moves = {}});
  const mcts::MoveStats& last =
      report.result.moves[static_cast<std::size_t>(report.result.ranking.back())];
  REQUIRE(last.visits == 0);
  const std::string text = search_text(game, report, 1000);
  const auto row = text.find("\n" + to_string(last.move, game.position()) + " ");
  REQUIRE(row != std::string::npos);
  CHECK_THAT(text.substr(row + 1, 42), Contains(" 0 ") && Contains("- ") && !Contains("."));
  CHECK(search_json(game, report)["moves"].back()["value"] == last.q.v);
}

TEST_CASE("JSON has moves best first and null where nothing is proven") {
  const Game game;
  const mcts::Report report = report_of(game, 3);
  const Json json = search_json(game, report);
  CHECK(json["moves"].size() == report.result.moves.size());
  CHECK(json["moves"][0]["move"] == json["best"]);
  CHECK(json["lines"].size() == 3);
  double policy = 0.0;
  std::int64_t visits = 0;
  for (std::size_t i = 0; i < json["moves"].size(); ++i) {
    const Json& move = json["moves"][i];
    if (i < 3) {
      CHECK(json["lines"][i]["moves"][0] == move["move"]);
      CHECK(json["lines"][i]["value"] == move["value"]);
    }
    policy += move["policy"].get<double>();
    visits += move["visits"].get<std::int64_t>();
  }
  CHECK(policy == Approx(1.0));
  CHECK(visits == 50);
  CHECK(json["visits"] == 50);
  CHECK(json["proven"] == false);
  CHECK(json["result"].is_null());
  CHECK(json["plies"].is_null());
  CHECK(json["plies_left"].is_null() == (report.result.plies_left < 0));
}
