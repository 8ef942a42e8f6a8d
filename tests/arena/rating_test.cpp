#include "arena/rating.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "simulated_games.h"

namespace gounki::arena {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Schedule = std::vector<std::pair<int, int>>;

Schedule round_robin(int players) {
  Schedule out;
  for (int i = 0; i < players; ++i)
    for (int j = i + 1; j < players; ++j) out.push_back({i, j});
  return out;
}

Schedule chain(int players) {
  Schedule out;
  for (int i = 0; i + 1 < players; ++i) out.push_back({i, i + 1});
  return out;
}

std::vector<PairResults> play(SimulatedGames& games, const std::vector<double>& truth,
                              const Schedule& schedule, int pairs) {
  std::vector<PairResults> out;
  for (const auto& [i, j] : schedule) out.push_back({i, j, games.play(truth[i] - truth[j], pairs)});
  return out;
}

PairCounts turned(PairCounts pairs) {
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

TEST_CASE("two players are rated as their match says") {
  const PairCounts pairs{10, 40, 100, 150, 100};
  const std::vector<PairResults> results{{0, 1, pairs}};
  const Ratings ratings(2, results, {1, 100.0});
  const Strength match = estimate_strength(pairs);
  const PlayerRating& first = ratings.players()[0];
  CHECK(ratings.players()[1].elo == 100.0);
  CHECK(ratings.players()[1].low == 100.0);
  CHECK(first.elo == Approx(100.0 + match.elo).margin(0.2));
  CHECK(first.low == Approx(100.0 + match.elo_low).margin(2.0));
  CHECK(first.high == Approx(100.0 + match.elo_high).margin(2.0));
  CHECK(first.games == 800);
  CHECK(first.score == Approx(match.score));

  const PairCounts close{35, 80, 200, 90, 40};
  const std::vector<PairResults> close_results{{0, 1, close}};
  CHECK(Ratings(2, close_results).difference(0, 1).los ==
        Approx(estimate_strength(close).los).margin(0.005));
}

TEST_CASE("a match of alike pairs gives bounds like those of its strength") {
  const std::vector<PairResults> won{{0, 1, {0, 0, 0, 0, 40}}};
  const RatingDifference d = Ratings(2, won).difference(0, 1);
  CHECK(d.high == kInfinity);
  CHECK(d.low == Approx(estimate_strength(won[0].pairs).elo_low).margin(40.0));
  CHECK(d.los > 0.999);
  CHECK(d.elo > d.low);

  const std::vector<PairResults> split{{0, 1, {0, 0, 40, 0, 0}}};
  const RatingDifference even = Ratings(2, split).difference(0, 1);
  CHECK(even.elo == Approx(0.0).margin(1e-9));
  CHECK(even.los == Approx(0.5));
  CHECK(even.high == Approx(estimate_strength(split[0].pairs).elo_high).margin(8.0));
  CHECK(even.low == Approx(-even.high));
}

TEST_CASE("one player's gain is the other's loss") {
  SimulatedGames games(1, 1.0, 0.05);
  const std::vector<double> truth{0, 120, -50};
  const std::vector<PairResults> results = play(games, truth, round_robin(3), 20);
  std::vector<PairResults> opposite = results;
  for (PairResults& r : opposite) r.pairs = turned(r.pairs);
  const Ratings a(3, results), b(3, opposite);
  for (int p = 0; p < 3; ++p) {
    CHECK(b.players()[p].elo == Approx(-a.players()[p].elo).margin(1e-6));
    CHECK(b.players()[p].low == Approx(-a.players()[p].high).margin(1e-3));
  }
  CHECK(a.difference(0, 1).los == Approx(1.0 - a.difference(1, 0).los).margin(1e-9));
  CHECK(a.difference(0, 1).low == Approx(-a.difference(1, 0).high).margin(1e-3));
  CHECK(a.difference(2, 2).high == 0.0);
}

TEST_CASE("the order of players and of results does not matter") {
  SimulatedGames games(2, 1.0, 0.05);
  const std::vector<double> truth{0, 150, -80, 300, 20};
  const Schedule schedule = round_robin(5);
  const std::vector<PairResults> results = play(games, truth, schedule, 6);
  const std::vector<int> renamed{3, 0, 4, 2, 1};
  std::vector<PairResults> other;
  for (const PairResults& r : results)  // turned, and split into two parts
    for (int part = 0; part < 2; ++part) {
      PairCounts half{};
      for (int k = 0; k < 5; ++k) half[k] = part == 0 ? r.pairs[k] / 2 : r.pairs[k] - r.pairs[k] / 2;
      other.insert(other.begin(), {renamed[r.second], renamed[r.first], turned(half)});
    }
  const Ratings a(5, results, {0, 0.0}), b(5, other, {renamed[0], 0.0});
  for (int p = 0; p < 5; ++p) {
    const PlayerRating &x = a.players()[p], &y = b.players()[renamed[p]];
    CHECK(x.elo == Approx(y.elo).margin(1e-6));
    CHECK(x.low == Approx(y.low).margin(1e-3));
    CHECK(x.high == Approx(y.high).margin(1e-3));
    CHECK(x.games == y.games);
    CHECK(a.covariance(p, 1) == Approx(b.covariance(renamed[p], renamed[1])).margin(1e-3));
  }
}

TEST_CASE("the anchor moves all ratings and no difference") {
  const std::vector<PairResults> results{{0, 1, {3, 5, 10, 8, 6}}, {1, 2, {2, 2, 10, 9, 9}}};
  const Ratings mean(3, results), anchored(3, results, {2, 1500.0}), raised(3, results, {-1, 50.0});
  CHECK(mean.players()[0].elo + mean.players()[1].elo + mean.players()[2].elo ==
        Approx(0.0).margin(1e-6));
  CHECK(anchored.players()[2].elo == 1500.0);
  CHECK(raised.players()[1].high == Approx(mean.players()[1].high + 50.0));
  for (const auto& [a, b] : round_robin(3)) {
    CHECK(anchored.difference(a, b).elo == Approx(mean.difference(a, b).elo));
    CHECK(anchored.difference(a, b).low == Approx(mean.difference(a, b).low).margin(1e-3));
  }
  CHECK(anchored.players()[0].low - 1500.0 ==
        Approx(anchored.difference(0, 2).low).margin(1e-3));
}

TEST_CASE("players who never met through others are in groups") {
  const std::vector<PairResults> results{{0, 3, {1, 2, 5, 3, 1}}, {4, 1, {0, 2, 5, 3, 0}},
                                         {2, 0, {0, 0, 0, 0, 0}}};
  const Ratings ratings(5, results, {3, 10.0});
  CHECK(ratings.groups() == std::vector<std::vector<int>>{{0, 3}, {1, 4}, {2}});
  CHECK(ratings.players()[4].group == 1);
  CHECK(ratings.players()[1].elo + ratings.players()[4].elo == Approx(20.0));
  CHECK(ratings.players()[2].low == -kInfinity);
  CHECK(ratings.players()[2].games == 0);
  const RatingDifference apart = ratings.difference(0, 4);
  CHECK(apart.low == -kInfinity);
  CHECK(apart.high == kInfinity);
  CHECK(apart.los == 0.5);
  CHECK(ratings.covariance(0, 4) == 0.0);
}

TEST_CASE("results that name no pool of players are refused") {
  const auto rate = [](std::vector<PairResults> results, RatingAnchor anchor = {}) {
    Ratings(2, results, anchor);
  };
  CHECK_THROWS_AS(rate({{0, 2, {}}}), UsageError);
  CHECK_THROWS_AS(rate({{-1, 0, {}}}), UsageError);
  CHECK_THROWS_AS(rate({{1, 1, {}}}), UsageError);
  CHECK_THROWS_AS(rate({{0, 1, {0, 0, -1, 0, 0}}}), UsageError);
  CHECK_THROWS_AS(rate({{0, 1, {}}}, {2, 0.0}), UsageError);
}

struct Coverage {
  int inside = 0, all = 0;
  double share() const { return static_cast<double>(inside) / all; }
  void add(double low, double truth, double high) {
    inside += low <= truth && truth <= high;
    ++all;
  }
};

// How often the true ratings and the differences of neighbours lie within their bounds.
struct Covered {
  Coverage ratings, differences, last;  // last: of the last player alone
};

Covered coverage(const std::vector<double>& truth, const Schedule& schedule, int pairs,
                 double opening_spread, int pools) {
  SimulatedGames games(17, opening_spread, 0.03);
  Covered out;
  const int players = static_cast<int>(truth.size());
  for (int pool = 0; pool < pools; ++pool) {
    const std::vector<PairResults> results = play(games, truth, schedule, pairs);
    const Ratings ratings(players, results, {0, truth[0]});
    for (int p = 1; p < players; ++p) {
      const PlayerRating& r = ratings.players()[p];
      out.ratings.add(r.low, truth[p], r.high);
      if (p == players - 1) out.last.add(r.low, truth[p], r.high);
      const RatingDifference d = ratings.difference(p, p - 1);
      out.differences.add(d.low, truth[p] - truth[p - 1], d.high);
    }
  }
  return out;
}

// Measured over 2000 pools each: 0.92 to 0.93 for two equals of 4 to 10 independent pairs, 0.94 to
// 0.98 elsewhere. The ratings of a pool are not independent, so the slack is that of the number of
// pools.
void check_coverage(int pools) {
  const double slack = 4.0 * std::sqrt(0.95 * 0.05 / pools);
  struct Case {
    const char* name;
    std::vector<double> truth;
    Schedule schedule;
  };
  const std::vector<Case> cases{{"two equals", {0, 0}, round_robin(2)},
                                {"two apart", {0, 150}, round_robin(2)},
                                {"five who all meet", {0, 100, -100, 200, 50}, round_robin(5)},
                                {"a chain", {0, 150, 300, 450, 600}, chain(5)},
                                {"one unbeaten", {0, 100, -100, 50, 900}, round_robin(5)},
                                {"one hopeless", {0, 100, -100, 50, -900}, round_robin(5)}};
  for (const double opening_spread : {0.0, 1.0, 2.0})
    for (const Case& c : cases)
      for (const int pairs : {4, 10, 40}) {
        const Covered covered = coverage(c.truth, c.schedule, pairs, opening_spread, pools);
        CAPTURE(c.name, pairs, opening_spread);
        CHECK(covered.ratings.share() > 0.94 - slack);
        CHECK(covered.ratings.share() < 0.97 + slack);
        CHECK(covered.differences.share() > 0.94 - slack);
        CHECK(covered.last.share() > 0.94 - slack);
      }
}

TEST_CASE("true ratings lie within their bounds as often as these say") { check_coverage(120); }

TEST_CASE("true ratings of many pools lie within their bounds", "[slow]") { check_coverage(1000); }

// The pair is the unit also where the games of a pair always end alike.
TEST_CASE("games of a pair that end alike do not count twice") {
  Rng rng(4);
  Coverage covered;
  for (int pool = 0; pool < 1000; ++pool) {
    PairCounts pairs{};
    for (int i = 0; i < 40; ++i) pairs[rng.uniform() < 0.5 ? 0 : 4] += 1;
    const std::vector<PairResults> results{{0, 1, pairs}};
    const RatingDifference d = Ratings(2, results).difference(0, 1);
    covered.add(d.low, 0.0, d.high);
  }
  CHECK(covered.share() > 0.92);
}

TEST_CASE("a large pool of a run's checkpoints is rated") {
  std::vector<double> truth;
  Schedule schedule;
  for (int i = 0; i < 40; ++i) {
    truth.push_back(40.0 * i);
    for (int j = std::max(0, i - 3); j < i; ++j) schedule.push_back({j, i});
  }
  SimulatedGames games(9, 1.0, 0.03);
  const std::vector<PairResults> results = play(games, truth, schedule, 20);
  const Ratings ratings(40, results, {0, 0.0});
  int inside = 0;
  for (int i = 1; i < 40; ++i)
    inside += ratings.players()[i].low <= truth[i] && truth[i] <= ratings.players()[i].high;
  CHECK(inside >= 30);
  CHECK(ratings.players()[39].elo == Approx(truth[39]).margin(400.0));
}

}  // namespace
}  // namespace gounki::arena
