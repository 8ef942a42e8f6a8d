#include "play/analyze_query.h"

#include <string>

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "core/random.h"
#include "mcts/search.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;

namespace {

AnalysisDefaults defaults() {
  AnalysisDefaults out;
  out.config.visits = 77;
  out.config.memory_mb = 123;
  return out;
}

// A query of these fields besides its id.
AnalysisQuery query_of(const std::string& fields) {
  const auto request =
      parse_analysis_request("{\"id\":\"q\"" + (fields.empty() ? "" : "," + fields) + "}", defaults());
  if (!request) FAIL(request.error().field << ": " << request.error().message);
  return std::get<AnalysisQuery>(*request);
}

AnalysisAction action_of(const std::string& line) {
  const auto request = parse_analysis_request(line, defaults());
  REQUIRE(request);
  return std::get<AnalysisAction>(*request);
}

}  // namespace

TEST_CASE("a query has defaults") {
  const AnalysisQuery query = query_of("");
  CHECK(query.id == "q");
  CHECK(query.game->position() == Position::start());
  REQUIRE(query.turns.size() == 1);
  CHECK(query.turns[0].number == 0);
  CHECK(query.turns[0].priority == 0);
  CHECK(query.turns[0].moves.empty());
  CHECK(query.visits == 77);
  CHECK(query.seconds == 0.0);
  CHECK(query.report_every == 0.0);
  CHECK_FALSE(query.include_policy);
  CHECK(query.warnings.empty());
  CHECK(query.config.memory_mb == 123);
}

TEST_CASE("a query's game turns and priorities") {
  const AnalysisQuery query = query_of(
      R"("moves":["a2-b3","h7-g6"],"analyzeTurns":[2,0],"priorities":[5,-1],"rules":"no-null-moves")");
  CHECK(query.game->moves().size() == 2);
  CHECK_FALSE(query.game->rules().null_moves);
  CHECK(query.game->rules().quiet_draw);
  REQUIRE(query.turns.size() == 2);
  CHECK(query.turns[0].number == 2);
  CHECK(query.turns[0].priority == 5);
  CHECK(query.turns[1].number == 0);
  CHECK(query.turns[1].priority == -1);
  CHECK(query_of(R"("moves":["a2-b3"],"priority":3)").turns[0].number == 1);
  CHECK(query_of(R"("priority":3)").turns[0].priority == 3);
  const AnalysisQuery placed = query_of(R"("initialPosition":"s,x7/x8/x8/x8/x8/x8/x8/S,x7 b")");
  CHECK(placed.game->position().side_to_move() == Side::Black);
}

TEST_CASE("limits of a query") {
  CHECK(query_of(R"("maxVisits":5)").visits == 5);
  CHECK(query_of(R"("overrideSettings":{"visits":6})").visits == 6);
  CHECK(query_of(R"("overrideSettings":{"visits":6},"maxVisits":5)").visits == 5);
  const AnalysisQuery timed = query_of(R"("maxTime":1.5)");
  CHECK(timed.seconds == 1.5);
  CHECK(timed.visits == mcts::Task::kEndless);
  const AnalysisQuery both = query_of(R"("maxTime":1.5,"maxVisits":5)");
  CHECK(both.visits == 5);
  CHECK(both.seconds == 1.5);
  CHECK(query_of(R"("reportDuringSearchEvery":0.5,"includePolicy":true)").report_every == 0.5);
}

TEST_CASE("settings of a query are those of the search") {
  const AnalysisQuery query = query_of(
      R"("overrideSettings":{"algorithm":"gumbel","cpuct":2,"prove":false,"batch":8,"fpu_reduction":"0.5"})");
  CHECK(query.config.algorithm == "gumbel");
  CHECK(query.config.cpuct == 2.0);
  CHECK_FALSE(query.config.prove);
  CHECK(query.config.batch == 8);
  CHECK(query.config.fpu_reduction == 0.5);
}

TEST_CASE("moves to search and to leave out") {
  const Position start = Position::start();
  const AnalysisQuery only = query_of(R"("allowMoves":["a2-b3","c2-d3"],"avoidMoves":["c2-d3"])");
  REQUIRE(only.turns[0].moves.size() == 1);
  CHECK(to_string(only.turns[0].moves[0], start) == "a2-b3");
  const AnalysisQuery but = query_of(R"("avoidMoves":["a2-b3"])");
  CHECK(static_cast<int>(but.turns[0].moves.size()) == count_legal_moves(start) - 1);
}

TEST_CASE("unknown fields are warned of") {
  const AnalysisQuery query = query_of(R"("maxVisit":5,"komi":6.5)");
  REQUIRE(query.warnings.size() == 2);
  CHECK(query.warnings[0].first == "maxVisit");
  CHECK_THAT(query.warnings[0].second, Contains("did you mean \"maxVisits\"?"));
  CHECK(query.warnings[1].first == "komi");
  std::string many;
  for (int i = 0; i < 30; ++i) many += (i ? ",\"z" : "\"z") + std::to_string(i) + "\":0";
  CHECK(query_of(many).warnings.size() == 11);
}

TEST_CASE("what is wrong in a query is said with its field and its id") {
  struct Case {
    const char *fields, *field, *message;
  };
  const Case cases[] = {
      {R"("moves":"a2-b3")", "moves", "expected a list"},
      {R"("moves":[1])", "moves", "expected a list of texts"},
      {R"("moves":["a2-b3","a2-b3"])", "moves", "move 2: a2-b3 is not legal here"},
      {R"("moves":["zz"])", "moves", "move 1: move: expected a square"},
      {R"("initialPosition":"x9")", "initialPosition", "position: expected"},
      {R"("initialPosition":7)", "initialPosition", "expected a text"},
      {R"("rules":"chinese")", "rules", "unknown rule \"chinese\""},
      {R"("analyzeTurns":[1])", "analyzeTurns", "expected an integer from 0 to 0"},
      {R"("analyzeTurns":[0.5])", "analyzeTurns", "expected an integer"},
      {R"("analyzeTurns":[0,0])", "analyzeTurns", "a turn is there twice"},
      {R"("analyzeTurns":[])", "analyzeTurns", "an empty list"},
      {R"("analyzeTurns":[18446744073709551615])", "analyzeTurns", "expected an integer"},
      {R"("analyzeTurns":[1e30])", "analyzeTurns", "expected an integer"},
      {R"("priorities":[1,2])", "priorities", "expected 1, one for each of analyzeTurns, found 2"},
      {R"("priorities":[1],"priority":1)", "priorities", "leave one out"},
      {R"("priority":1e10)", "priority", "expected an integer"},
      {R"("maxVisits":0)", "maxVisits", "expected an integer from 1 to 100000000"},
      {R"("maxVisits":"5")", "maxVisits", "expected an integer"},
      {R"("maxTime":0)", "maxTime", "expected a number from 0.001 to 86400"},
      {R"("maxTime":true)", "maxTime", "expected a number"},
      {R"("reportDuringSearchEvery":-1)", "reportDuringSearchEvery", "expected a number"},
      {R"("includePolicy":1)", "includePolicy", "expected true or false"},
      {R"("overrideSettings":[])", "overrideSettings", "expected an object"},
      {R"("overrideSettings":{"cput":1})", "overrideSettings", "did you mean \"cpuct\"?"},
      {R"("overrideSettings":{"cpuct":-1})", "overrideSettings", "cpuct: -1 is out of range"},
      {R"("overrideSettings":{"cpuct":[1]})", "overrideSettings", "cpuct: expected a number"},
      {R"("overrideSettings":{"algorithm":"x"})", "overrideSettings", "expected \"puct\""},
      {R"("allowMoves":["a2-a4"])", "allowMoves", "turn 0: a2-a4 is not legal here"},
      {R"("allowMoves":["a2-b3"],"avoidMoves":["a2-b3"])", "avoidMoves", "leaves no move"},
      {R"("moves":["a2-b3"],"analyzeTurns":[0,1],"avoidMoves":["a2-b3"])", "avoidMoves", "turn 1: "},
  };
  for (const Case& c : cases) {
    INFO(c.fields);
    const auto request = parse_analysis_request("{\"id\":\"q\"," + std::string(c.fields) + "}", {});
    REQUIRE_FALSE(request);
    CHECK(request.error().field == c.field);
    CHECK(request.error().id == "q");
    CHECK_THAT(request.error().message, Contains(c.message));
  }
}

TEST_CASE("lines that are no query") {
  struct Case {
    std::string line, field, message;
  };
  const Case cases[] = {
      {"", "", "not JSON"},
      {"{", "", "not JSON: what stands at byte"},
      {"{\"id\":\"a\"} x", "", "not JSON"},
      {"[]", "", "expected a JSON object"},
      {"7", "", "expected a JSON object"},
      {"{}", "id", "missing; expected a text"},
      {"{\"id\":7}", "id", "expected a text"},
      {"{\"id\":\"\xFF\"}", "", "not JSON"},
      {"{\"id\":\"a\",\"maxVisits\":1e999}", "", "not JSON: a number is too large"},
      {std::string(500'000, '['), "", "nested more than 32 deep"},
      {"{\"id\":\"a\",\"x\":" + std::string(500'000, '{'), "", "nested more than 32 deep"},
      {std::string("{\"id\":\0}", 8), "", "not JSON"},
  };
  for (const Case& c : cases) {
    INFO(c.line.substr(0, 60));
    const auto request = parse_analysis_request(c.line, {});
    REQUIRE_FALSE(request);
    CHECK(request.error().field == c.field);
    CHECK_THAT(request.error().message, Contains(c.message));
  }
  CHECK(parse_analysis_request("{\"id\":\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"{{\"}", {}));
}

TEST_CASE("actions") {
  using Kind = AnalysisAction::Kind;
  CHECK(action_of(R"({"id":"a","action":"query_version"})").kind == Kind::QueryVersion);
  CHECK(action_of(R"({"id":"a","action":"query_models"})").kind == Kind::QueryModels);
  CHECK(action_of(R"({"id":"a","action":"clear_cache"})").kind == Kind::ClearCache);
  const AnalysisAction all = action_of(R"({"id":"a","action":"terminate_all","turnNumbers":[3,4]})");
  CHECK(all.kind == Kind::TerminateAll);
  CHECK(all.turns == std::vector<int>{3, 4});
  const AnalysisAction one = action_of(R"({"id":"a","action":"terminate","terminateId":"q"})");
  CHECK(one.kind == Kind::Terminate);
  CHECK(one.terminate_id == "q");
  CHECK(one.turns.empty());
  CHECK(one.echo.dump() == R"({"id":"a","action":"terminate","terminateId":"q"})");

  for (const auto& [line, field] :
       {std::pair{R"({"id":"a","action":"fly"})", "action"}, {R"({"id":"a","action":7})", "action"},
        {R"({"id":"a","action":"terminate"})", "terminateId"},
        {R"({"id":"a","action":"terminate_all","turnNumbers":3})", "turnNumbers"}}) {
    const auto request = parse_analysis_request(line, {});
    REQUIRE_FALSE(request);
    CHECK(request.error().field == field);
    CHECK(request.error().id == "a");
  }
}

TEST_CASE("no line makes the reader fail otherwise than by an error") {
  const std::string whole =
      R"({"id":"q","moves":["a2-b3","h7-g6"],"initialPosition":"start","rules":"no-null-moves",)"
      R"("analyzeTurns":[0,1,2],"maxVisits":100,"maxTime":1.5,"includePolicy":true,)"
      R"("allowMoves":["a2-b3"],"overrideSettings":{"cpuct":1.5},"priority":3,)"
      R"("action":"terminate","terminateId":"x","turnNumbers":[1]})";
  using namespace std::string_view_literals;
  static constexpr std::string_view kLikely = "{}[]\",:\\ueE0123456789.-+tfn\x00\xFF\xC3"sv;
  Rng rng(8);
  int read = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string line = whole;
    if (rng.below(2)) line.erase(line.find(",\"action\""), std::string::npos), line += "}";
    for (std::uint64_t n = rng.below(4); n-- > 0;) {
      const std::size_t at = rng.below(line.size());
      switch (rng.below(4)) {
        case 0: line[at] = kLikely[rng.below(kLikely.size())]; break;
        case 1: line.insert(at, 1, kLikely[rng.below(kLikely.size())]); break;
        case 2: line.erase(at, 1 + rng.below(9)); break;
        case 3: line.insert(at, line.substr(rng.below(line.size()), rng.below(30))); break;
      }
      if (line.empty()) line = "x";
    }
    const auto request = parse_analysis_request(line, {});
    read += request.has_value();
    if (!request) CHECK_FALSE(request.error().message.empty());
  }
  CHECK(read > 200);
}
