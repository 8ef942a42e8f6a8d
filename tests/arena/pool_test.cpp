#include <algorithm>

#include <catch2/catch.hpp>

#include "arena/pool.h"

namespace gounki::arena {
namespace {

PlayedPair pair_of(int first, int second, int opening, int half_points) {
  PlayedPair pair;
  pair.pairing = {first, second, opening};
  pair.games[0].result = half_points >= 2 ? Outcome::WhiteWins : Outcome::BlackWins;
  pair.games[1].result = half_points == 4 ? Outcome::BlackWins : Outcome::WhiteWins;
  return pair;
}

MatchHistory match_of(const std::vector<std::string>& players, const std::vector<PlayedPair>& pairs) {
  MatchHistory match;
  match.settings.players = players;
  match.settings.clocks.resize(players.size());
  match.pairs = pairs;
  return match;
}

bool same(const PairResults& a, const PairResults& b) {
  return a.first == b.first && a.second == b.second && a.pairs == b.pairs;
}

TEST_CASE("players of several matches are one by their texts whatever the order") {
  const MatchHistory one = match_of({"b", "a"}, {pair_of(0, 1, 0, 4), pair_of(0, 1, 1, 2)});
  const MatchHistory two = match_of({"a", "c", "b"}, {pair_of(0, 2, 0, 4), pair_of(1, 2, 0, 0)});
  const Pool pool = make_pool({one, two});
  CHECK(pool.players == std::vector<std::string>{"a", "b", "c"});
  REQUIRE(pool.results.size() == 2);
  CHECK(same(pool.results[0], {0, 1, {1, 0, 1, 0, 1}}));
  CHECK(same(pool.results[1], {1, 2, {0, 0, 0, 0, 1}}));
  CHECK(pool.find("b") == 1);
  CHECK(pool.find("bb") == -1);
  const Pool turned = make_pool({two, one});
  CHECK(turned.players == pool.players);
  CHECK(std::equal(turned.results.begin(), turned.results.end(), pool.results.begin(), same));
}

TEST_CASE("a clock makes another player and a match against oneself says nothing") {
  MatchHistory match = match_of({"a", "a", "a"}, {pair_of(0, 1, 0, 4), pair_of(0, 2, 0, 4)});
  match.settings.clocks[2] = TimeControl{60, 0.5};
  const Pool pool = make_pool({match});
  CHECK(pool.players == std::vector<std::string>{"a", "a at " + to_string(TimeControl{60, 0.5})});
  CHECK(pool.left_out == 1);
  REQUIRE(pool.results.size() == 1);
  CHECK(same(pool.results[0], {0, 1, {0, 0, 0, 0, 1}}));
}

}  // namespace
}  // namespace gounki::arena
