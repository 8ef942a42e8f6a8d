#include <limits>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "play/rating_report.h"

namespace gounki::play {
namespace {

using Catch::Contains;

RatedPlayers rated(const std::vector<arena::PairResults>& results, arena::RatingAnchor anchor = {}) {
  return {{"weak", "strong", "alone"}, arena::Ratings(3, results, anchor)};
}

TEST_CASE("a table of ratings begins with the strongest") {
  const RatedPlayers players = rated({{0, 1, {10, 2, 6, 1, 1}}, {1, 2, {2, 2, 10, 2, 3}}}, {0, 100.0});
  CHECK(players.ranking().back() == 0);
  const std::string text = ratings_text(players);
  CHECK(text.find("strong") < text.find("weak"));
  CHECK_THAT(text, Contains("Elo relative to weak, which has 100"));
  const Json json = ratings_json(players);
  CHECK(json[2]["player"] == "weak");
  CHECK(json[2]["elo_low"] == 100.0);
  CHECK(json[2]["los_next"].is_null());
  CHECK(json[0]["los_next"] > 0.5);
  CHECK(json[2]["games"] == 40);
}

TEST_CASE("players who never met are named") {
  const RatedPlayers players = rated({{0, 1, {3, 2, 6, 1, 1}}});
  CHECK_THAT(ratings_text(players), Contains("cannot be compared:\n  weak; strong\n  alone\n"));
  CHECK(groups_text(rated({{0, 1, {1, 0, 1, 0, 1}}, {1, 2, {1, 0, 1, 0, 1}}})) == "");
  CHECK_THAT(ratings_text(players), Contains("-∞") && Contains("∞"));
}

TEST_CASE("Elo of any size is a text") {
  CHECK(elo_text(12.34) == "+12.3");
  CHECK(elo_text(-std::numeric_limits<double>::infinity()) == "-∞");
}

}  // namespace
}  // namespace gounki::play
