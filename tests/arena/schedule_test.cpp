#include "arena/schedule.h"

#include <algorithm>

#include <catch2/catch.hpp>

namespace gounki::arena {
namespace {

TEST_CASE("everybody meets everybody over every opening once") {
  for (const int players : {2, 3, 5})
    for (const int openings : {1, 7, 10}) {
      std::vector<Pairing> pairs = schedule(players, Format::RoundRobin, openings, 3);
      CHECK(static_cast<int>(pairs.size()) == players * (players - 1) / 2 * openings);
      std::sort(pairs.begin(), pairs.end());
      CHECK(std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end());
      for (const Pairing& pair : pairs) {
        CHECK(pair.first < pair.second);
        CHECK(pair.second < players);
        CHECK(pair.opening < openings);
      }
    }
}

TEST_CASE("in a gauntlet the first meets each other") {
  const std::vector<Pairing> expected{{0, 1, 0}, {0, 1, 1}, {0, 2, 0}, {0, 2, 1}, {0, 1, 2}, {0, 2, 2}};
  CHECK(schedule(3, Format::Gauntlet, 3, 2) == expected);
}

TEST_CASE("two players meet in the order of the openings") {
  const std::vector<Pairing> pairs = schedule(2, Format::RoundRobin, 20, 3);
  for (int i = 0; i < 20; ++i) CHECK(pairs[static_cast<std::size_t>(i)] == Pairing{0, 1, i});
}

}  // namespace
}  // namespace gounki::arena
