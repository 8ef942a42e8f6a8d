#include "play/analyze_reply.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "mcts/evaluators.h"
#include "mcts/search.h"

using namespace gounki;
using namespace gounki::play;

namespace {

// The reply to a finished search of a position.
Json reply_of(const std::string& position, Perspective perspective, int visits = 60,
              bool policy = false) {
  AnalysisJob job;
  job.id = "x";
  job.turn = 4;
  const Game game(parse_position(position).value());
  mcts::HashEvaluator evaluator(3);
  mcts::Search search(job.config);
  search.start(game, 1, {visits, 0, {}});
  mcts::Search* const searches[] = {&search};
  mcts::run_in_lock_step(searches, evaluator);
  const mcts::SearchResult result = search.result(MoveList::kCapacity);
  return analysis_reply({AnalysisNews::Kind::Done, job, &game, &result}, perspective, policy);
}

const char* const kBlackToMove =
    "r,s,r,s,r,s,r,s/s,r,s,r,s,r,s,r/x8/x8/x8/x8/R,S,R,S,R,S,R,S/S,R,S,R,S,R,S,R b";
const char* const kWhiteWins = "x6,R,x/x8/x8/x8/x8/x8/x8/s,x7 w";

}  // namespace

TEST_CASE("values turn with the perspective and the reply names it") {
  const Json own = reply_of(kBlackToMove, Perspective::SideToMove);
  const Json black = reply_of(kBlackToMove, Perspective::Black);
  const Json white = reply_of(kBlackToMove, Perspective::White);
  CHECK(own == black);
  CHECK(own["perspective"] == "black");
  CHECK(white["perspective"] == "white");
  CHECK(white["rootInfo"]["currentPlayer"] == "black");
  for (const char* name : {"utility", "rawUtility"})
    CHECK(white["rootInfo"][name].get<double>() == -own["rootInfo"][name].get<double>());
  for (const char* name : {"winrate", "rawWinrate"})
    CHECK(white["rootInfo"][name].get<double>() ==
          Approx(1.0 - own["rootInfo"][name].get<double>()));
  REQUIRE(own["moveInfos"].size() > 1);
  for (std::size_t i = 0; i < own["moveInfos"].size(); ++i) {
    const Json &a = own["moveInfos"][i], &b = white["moveInfos"][i];
    CHECK(a["order"] == i);
    CHECK(a["move"] == b["move"]);
    CHECK(a["pv"][0] == a["move"]);
    CHECK(a["prior"] == b["prior"]);
    CHECK(a["visits"].get<int>() > 0);
    CHECK(b["utility"].get<double>() == -a["utility"].get<double>());
    CHECK(b["winrate"].get<double>() == Approx(1.0 - a["winrate"].get<double>()));
    CHECK(b["lcb"].get<double>() == Approx(1.0 - a["lcb"].get<double>()));
    CHECK(a["winrate"].get<double>() == Approx((a["utility"].get<double>() + 1) / 2));
    CHECK(a["lcb"].get<double>() <= a["winrate"].get<double>());
  }
}

TEST_CASE("a proof is a result for the side of the perspective") {
  const Json own = reply_of(kWhiteWins, Perspective::SideToMove);
  CHECK(own["rootInfo"]["proven"] == true);
  CHECK(own["rootInfo"]["result"] == "win");
  CHECK(own["rootInfo"]["plies"] == 1);
  CHECK(own["rootInfo"]["winrate"] == 1.0);
  CHECK(own["moveInfos"][0]["move"] == "g8-OUT");
  CHECK(own["moveInfos"][0]["result"] == "win");
  const Json black = reply_of(kWhiteWins, Perspective::Black);
  CHECK(black["rootInfo"]["result"] == "loss");
  CHECK(black["rootInfo"]["winrate"] == 0.0);
}

TEST_CASE("a policy has every legal move and sums to 1") {
  const Json reply = reply_of(kBlackToMove, Perspective::White, 5, true);
  const Position position = parse_position(kBlackToMove).value();
  REQUIRE(static_cast<int>(reply["policy"].size()) == count_legal_moves(position));
  double sum = 0;
  for (const auto& [move, prior] : reply["policy"].items()) {
    CHECK(parse_move(move, position));
    sum += prior.get<double>();
  }
  CHECK(sum == Approx(1.0));
  CHECK_FALSE(reply_of(kBlackToMove, Perspective::White, 5).contains("policy"));
}

TEST_CASE("a game that is over has its result for a reply") {
  Game game(parse_position(kWhiteWins).value());
  game.play(parse_move("g8-OUT", game.position()).value());
  const Json reply = finished_reply("q", game, Perspective::White);
  CHECK(reply["id"] == "q");
  CHECK(reply["turnNumber"] == 1);
  CHECK(reply["isDuringSearch"] == false);
  CHECK(reply["perspective"] == "white");
  CHECK(reply["gameOver"] == "White wins: it left the board");
  CHECK(reply["moveInfos"].empty());
  CHECK(reply["rootInfo"]["winrate"] == 1.0);
  CHECK(reply["rootInfo"]["result"] == "win");
  CHECK(reply["rootInfo"]["plies"] == 0);
  CHECK(finished_reply("q", game, Perspective::SideToMove)["rootInfo"]["winrate"] == 0.0);
}

TEST_CASE("a zero has no sign") {
  CHECK_FALSE(std::signbit(seen_from(Perspective::White, {0.0f}, Side::Black)));
  CHECK_FALSE(std::signbit(seen_from(Perspective::Black, {0.0f}, Side::White)));
}

TEST_CASE("a reply is one line whatever its texts hold") {
  const std::string line = line_of(error_reply({"a\nb\xFF", "field", "id"}));
  CHECK(std::count(line.begin(), line.end(), '\n') == 1);
  CHECK(Json::parse(line)["field"] == "field");
}
