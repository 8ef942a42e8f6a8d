#include "play/analyze_record.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/notation.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;
using mcts::MoverValue;
using mcts::Proof;

namespace {

// White wins by its third move.
GameRecord record() {
  return parse_record("[SetUp \"1\"]\n[FEN \"s,x7/x8/x8/x8/x8/x8/x8/SS,x,RRR,x5 w\"]\n\n"
                      "1. c1-f4 a8-a7 2. f4-g7 a7-a6 3. g7-OUT 1-0").value();
}

// Of the first positions, with values for the side to move; the last is the game's end.
std::vector<Judgement> judgements(const Game& game, const std::vector<float>& values) {
  std::vector<Judgement> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out.push_back({{values[i]}, {}, game.moves()[i], 10});
  out.push_back(judgement_of_end(game));
  return out;
}

}  // namespace

TEST_CASE("marks begin at their thresholds") {
  CHECK(std::string(mark_of(0.0)) == "");
  CHECK(std::string(mark_of(0.0999)) == "");
  CHECK(std::string(mark_of(0.1)) == "?!");
  CHECK(std::string(mark_of(0.2)) == "?");
  CHECK(std::string(mark_of(0.4)) == "??");
}

TEST_CASE("what a move loses is the value before it less the value after it") {
  const GameRecord r = parse_record("1. a2-b3 h7-g6 2. c2-d3 *").value();
  const Game game = r.replay();
  const Move other = legal_moves(game.positions()[0])[0];
  std::vector<Judgement> j{{{0.5f}, {}, other, 10},
                           {{-0.1f}, {}, game.moves()[1], 20},
                           {{0.3f}, {}, other, 10},
                           {{-0.6f}, {}, Move(), 10}};
  REQUIRE(other != game.moves()[0]);
  const GameReview out = review(game, j);
  REQUIRE(out.moves.size() == 3);
  CHECK(out.moves[0].before.v == 0.5f);
  CHECK(out.moves[0].after.v == 0.1f);
  CHECK(out.moves[0].loss == Approx(0.4));
  CHECK(out.moves[1].after.v == -0.3f);
  CHECK(out.moves[1].loss == 0.0);  // it is the best move, though the value falls
  CHECK(out.moves[2].loss == 0.0);  // the value rises
  CHECK(out.moves[1].visits == 20);
  CHECK(out.white.moves == 2);
  CHECK(out.white.best == 0);
  CHECK(out.white.mean_loss() == Approx(0.2));
  CHECK(out.white.accuracy() == Approx(0.5));
  CHECK(out.black.moves == 1);
  CHECK(out.black.best == 1);
  CHECK(out.black.accuracy() == 1.0);
}

TEST_CASE("the end of a game is exact and reaches the move before it") {
  const GameRecord r = record();
  const Game game = r.replay();
  REQUIRE(game.outcome() == Outcome::WhiteWins);
  const GameReview out = review(game, judgements(game, {0.0f, 0.2f, 0.3f, 0.1f, 0.4f}));
  const ReviewedMove& last = out.moves.back();
  CHECK(last.after.v == 1.0f);
  CHECK(last.proof_after == Proof::win(1));
  CHECK(last.before.v == 1.0f);  // whatever its search thought
  CHECK(last.proof_before == Proof::win(1));
  CHECK(last.best == last.move);
  CHECK(last.loss == 0.0);
  // What led there has lost by it.
  CHECK(out.moves[3].after.v == -1.0f);
}

TEST_CASE("what a search proves of a position changes the one before it") {
  const GameRecord r = record();
  const Game game = r.replay();
  std::vector<Judgement> j = judgements(game, {0.0f, 0.2f, 0.3f, 0.1f, 0.4f});
  j[3].proof = Proof::loss(2);
  j[3].value = {-1.0f};
  j[2].best = legal_moves(game.positions()[2])[0];
  const GameReview out = review(game, j);
  CHECK(out.moves[2].before.v == 1.0f);
  CHECK(out.moves[2].proof_before == Proof::win(3));
  CHECK(out.moves[2].best == game.moves()[2]);
  CHECK(out.moves[2].loss == 0.0);
  CHECK(out.moves[1].after.v == -1.0f);
}

TEST_CASE("a proven win that is missed and a proven loss are said") {
  const GameRecord r = parse_record("1. a2-b3 h7-g6 *").value();
  const Game game = r.replay();
  const Move other = legal_moves(game.positions()[0])[0];
  const Move reply = legal_moves(game.positions()[1])[0];
  const std::vector<Judgement> j{{{1.0f}, Proof::win(5), other, 10},
                                 {{0.5f}, {}, reply, 10},
                                 {{1.0f}, Proof::win(3), Move(), 10}};
  const GameReview out = review(game, j);
  CHECK(out.moves[0].loss == 1.5);
  CHECK(out.moves[1].loss == 1.5);
  const std::string text = review_text(r, out, Perspective::SideToMove);
  CHECK_THAT(text, Contains("values for the side that moves, from -1 to 1"));
  CHECK_THAT(text, Contains("a2-b3           +1.000  -0.500  1.500 ??"));
  CHECK_THAT(text, Contains("misses a win in 5"));
  CHECK_THAT(text, Contains("runs into a loss in 4"));
  CHECK_THAT(text, Contains("White: 1 moves, 0 of them best; mean loss 1.500; 0 inaccuracies, "
                            "0 mistakes, 1 blunders; accuracy 0.0 %"));
}

TEST_CASE("a review in JSON names the side for which it speaks") {
  const GameRecord r = record();
  const Game game = r.replay();
  const GameReview out = review(game, judgements(game, {0.0f, 0.25f, 0.5f, 0.125f, 0.5f}));
  const Json own = review_json(7, r, out, Perspective::SideToMove);
  const Json white = review_json(7, r, out, Perspective::White);
  CHECK(own["game"] == 7);
  CHECK(own["result"] == "1-0");
  REQUIRE(own["moves"].size() == 5);
  CHECK(own["moves"][1]["side"] == "black");
  CHECK(own["moves"][1]["perspective"] == "black");
  CHECK(white["moves"][1]["perspective"] == "white");
  CHECK(own["moves"][1]["before"] == 0.25);
  CHECK(white["moves"][1]["before"] == -0.25);
  CHECK(own["moves"][1]["loss"] == white["moves"][1]["loss"]);
  CHECK(own["moves"][0]["provenBefore"].is_null());
  CHECK(own["moves"][3]["provenAfter"]["result"] == "loss");
  CHECK(white["moves"][3]["provenAfter"]["result"] == "win");
  CHECK(own["moves"][4]["provenAfter"]["plies"] == 1);
  CHECK(own["white"]["moves"] == 3);
  CHECK(own["black"]["moves"] == 2);
}
