#include <catch2/catch.hpp>

#include "play/match_html.h"
#include "play/match_report.h"
#include "xml_check.h"

#include <nlohmann/json.hpp>

namespace gounki::play {
namespace {

using Catch::Contains;

// A match whose pairs scored so many half points each, the same two players in all of them.
arena::MatchHistory history(const std::vector<std::string>& players, const std::vector<int>& pairs) {
  arena::MatchHistory match;
  match.settings.players = players;
  match.settings.clocks.resize(players.size());
  match.settings.openings = "random: plies=6";
  for (const int half_points : pairs) {
    arena::PlayedPair& pair = match.pairs.emplace_back();
    pair.pairing.opening = static_cast<int>(match.pairs.size()) - 1;
    pair.games[0].result = half_points >= 2 ? Outcome::WhiteWins
                           : half_points == 1 ? Outcome::Draw : Outcome::BlackWins;
    pair.games[1].result = half_points == 4   ? Outcome::BlackWins
                           : half_points == 3 ? Outcome::Draw : Outcome::WhiteWins;
    REQUIRE(pair.half_points() == half_points);
  }
  return match;
}

arena::MatchHistory pool_of_three() {
  arena::MatchHistory match = history({"one", "two", "three"}, {4, 2, 2, 4, 0, 2, 4});
  for (std::size_t i = 3; i < match.pairs.size(); ++i)
    match.pairs[i].pairing.second = 2;
  return match;
}

TEST_CASE("a page says who won and shows it") {
  const arena::MatchHistory match = history({"one", "two"}, {4, 4, 2, 4, 3, 4, 2, 4, 4, 1});
  const std::string page = match_html(match);
  CHECK(xml_error(page) == "");
  CHECK(page == match_html(match));
  for (const char* part :
       {"one is the stronger player", "16.0 of 20 points: 80.0 %", "normalised Elo", "Pairs by points",
        "Pairs with 0 points: 0, with ½ points: 1, with 1 points: 2, with 1½ points: 1, with 2 points: 6",
        "Elo over the pairs", "Length of the games", "White, who moves first, scored",
        "20 by the rules", "All 10 pairs", "random: plies=6"})
    CHECK_THAT(page, Contains(part));
  CHECK_THAT(page, !Contains("Log-likelihood") && !Contains("Ratings"));
  CHECK_THAT(page, !Contains("http:") || !Contains("src="));
  CHECK_THAT(page, !Contains("<script") && !Contains("<link") && !Contains("<img"));
}

TEST_CASE("a page says so when nothing is shown and when all is alike") {
  CHECK_THAT(match_html(history({"one", "two"}, {0, 4, 2, 1, 3})), Contains("do not show who is stronger"));
  CHECK_THAT(match_html(history({"one", "two"}, {0, 0, 1, 0, 0, 0, 2})),
             Contains("two is the stronger player"));
  const std::string alike = match_html(history({"one", "two"}, std::vector<int>(12, 4)));
  CHECK_THAT(alike, Contains("at least 219 Elo"));
  CHECK(xml_error(alike) == "");
  const std::string empty = match_html(history({"one", "two"}, {}));
  CHECK_THAT(empty, Contains("No pairs played."));
  CHECK(xml_error(empty) == "");
  for (int n = 0; n <= 4; ++n) CHECK(xml_error(match_html(history({"one", "two"}, {n}))) == "");
}

TEST_CASE("a page of a test has its ratio") {
  arena::MatchHistory match = history({"one", "two"}, std::vector<int>(30, 4));
  match.settings.sprt = arena::SprtConfig{.elo0 = 0, .elo1 = 200};
  const std::string page = match_html(match);
  CHECK_THAT(page, Contains("Log-likelihood ratio over the pairs") && Contains("H1 is accepted"));
  CHECK_THAT(page, Contains("the verdict is what counts"));
  CHECK(xml_error(page) == "");
}

TEST_CASE("hostile texts of players have no effect") {
  const std::string hostile = "net:<script>alert('x')</script>\"&\x01";
  arena::MatchHistory match = history({hostile, "</title>"}, {4, 2, 0});
  match.settings.openings = "book: <b>";
  match.pairs[0].games[0].ending = arena::Ending::Fault;
  match.pairs[0].games[0].fault = arena::Fault::Crash;
  match.pairs[0].games[0].fault_text = "<img src=x>";
  const std::string page = match_html(match);
  CHECK(xml_error(page) == "");
  CHECK_THAT(page, !Contains("<script") && !Contains("<img") && Contains("&lt;script&gt;"));
  CHECK_THAT(page, Contains("failed and lost: 1 by crash"));
  arena::MatchHistory three = pool_of_three();
  three.settings.players[1] = hostile;
  CHECK(xml_error(match_html(three)) == "");
}

TEST_CASE("three players have ratings and a cross table") {
  const arena::MatchHistory match = pool_of_three();
  const std::string page = match_html(match);
  CHECK(xml_error(page) == "");
  CHECK_THAT(page, Contains("Ratings") && Contains("Elo relative to the mean of the players"));
  CHECK_THAT(page, Contains("4.0 of 6") && Contains("2.0 of 6") && Contains("5.0 of 8"));
  CHECK_THAT(page, Contains("one against three: 5 won, 0 drawn, 3 lost"));
  CHECK_THAT(match_text(match), Contains("rank  player"));
  const Json json = match_json(match);
  CHECK(json["ratings"].size() == 3);
  CHECK(json["ratings"][0]["player"] == "one");
  CHECK(match_json(history({"one", "two"}, {4, 0}))["ratings"].is_null());
}

TEST_CASE("a long match is shown in part and says so") {
  std::vector<int> pairs(5000, 2);
  pairs[17] = 4;
  const std::string page = match_html(history({"one", "two"}, pairs));
  CHECK_THAT(page, Contains("The first 200 of 5000 pairs") && Contains("--records games.pgn"));
  CHECK(page.size() < 150'000);
  CHECK_THAT(page, Contains("9998 games repeat"));
}

}  // namespace
}  // namespace gounki::play
