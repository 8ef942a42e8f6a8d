#include "arena/pairing.h"

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "simulated_games.h"

namespace gounki::arena {
namespace {

double summed_variance(const Ratings& r, const std::vector<int>& interest) {
  const int a = r.anchor().player;
  double sum = 0.0;
  for (const int p : interest)
    sum += r.covariance(p, p) + (a < 0 ? 0.0 : r.covariance(a, a) - 2.0 * r.covariance(p, a));
  return sum;
}

// Pairs as they would come for equals with openings that decide half of the pairs.
PairCounts even(std::int64_t pairs) { return {pairs / 4, 0, pairs / 2, 0, pairs / 4}; }

TEST_CASE("the drop that is expected comes when the games are played") {
  const std::vector<PairResults> results{
      {0, 1, even(40)}, {1, 2, even(200)}, {2, 3, even(20)}, {0, 3, even(80)}, {1, 3, even(8)}};
  for (const int anchor : {-1, 0})
    for (const auto& interest : std::vector<std::vector<int>>{{0, 1, 2, 3}, {2}, {1, 3}}) {
      const Ratings before(4, results, {anchor, 0.0});
      NextPairing best{0, 1, -1.0};
      for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) {
          std::vector<PairResults> more = results;
          more.push_back({i, j, even(40)});
          const Ratings after(4, more, {anchor, 0.0});
          const double drop = summed_variance(before, interest) - summed_variance(after, interest);
          const double expected = expected_drop(before, interest, i, j, 40);
          CAPTURE(anchor, interest.size(), i, j);
          CHECK(drop == Approx(expected).epsilon(0.15).margin(10.0));
          if (expected > best.drop) best = {i, j, expected};
        }
      const NextPairing chosen = most_telling_pairing(before, interest, 40);
      CHECK(chosen.first == best.first);
      CHECK(chosen.second == best.second);
      CHECK(chosen.drop == Approx(best.drop));
    }
}

TEST_CASE("players of near strength tell more than a hopeless match") {
  const std::vector<PairResults> results{
      {0, 1, {0, 0, 2, 8, 10}}, {1, 2, {0, 0, 2, 8, 10}}, {2, 3, {0, 0, 2, 8, 10}}};
  const Ratings ratings(4, results, {3, 0.0});
  const std::vector<int> first{0};
  CHECK(expected_drop(ratings, first, 0, 3, 10) < expected_drop(ratings, first, 0, 2, 10));
}

TEST_CASE("groups are connected first") {
  const std::vector<PairResults> results{{0, 1, even(40)}, {1, 2, even(40)}, {3, 4, even(8)}};
  const Ratings ratings(6, results, {0, 0.0});
  const NextPairing all = most_telling_pairing(ratings, {}, 10);
  CHECK(all.first == 1);  // in the middle, so best known
  CHECK(all.second >= 3);
  CHECK(all.second <= 4);
  CHECK(std::isinf(all.drop));
  const std::vector<int> newest{5}, home{2};
  CHECK(most_telling_pairing(ratings, newest, 10).second == 5);
  CHECK(std::isfinite(most_telling_pairing(ratings, home, 10).drop));
}

// Pools that begin with nothing and choose 60 times 4 pairs, against all meeting equally often: the
// variance falls to 0.68 of that and the true error to two thirds, on average.
TEST_CASE("a pool that chooses its games knows its players better") {
  const std::vector<double> truth{0, 200, 400, 600, 800, 1000};
  const std::vector<int> rated{1, 2, 3, 4, 5};
  double chosen_variance = 0.0, equal_variance = 0.0, chosen_error = 0.0, equal_error = 0.0;
  const auto error = [&](const Ratings& ratings) {
    double sum = 0.0;
    for (const int p : rated) sum += std::pow(ratings.players()[p].elo - truth[p], 2);
    return sum;
  };
  for (int seed = 0; seed < 10; ++seed) {
    SimulatedGames games(seed, 1.0, 0.03);
    std::vector<PairResults> chosen, equal;
    for (int step = 0; step < 60; ++step) {
      const auto [i, j, drop] = most_telling_pairing(Ratings(6, chosen, {0, 0.0}), rated, 4);
      CHECK(std::isfinite(drop) == (step >= 5));
      chosen.push_back({i, j, games.play(truth[i] - truth[j], 4)});
    }
    for (int i = 0; i < 6; ++i)
      for (int j = i + 1; j < 6; ++j) equal.push_back({i, j, games.play(truth[i] - truth[j], 16)});
    const Ratings a(6, chosen, {0, 0.0}), b(6, equal, {0, 0.0});
    chosen_variance += summed_variance(a, rated);
    equal_variance += summed_variance(b, rated);
    chosen_error += error(a);
    equal_error += error(b);
  }
  CHECK(chosen_variance < 0.8 * equal_variance);
  CHECK(chosen_error < equal_error);
}

}  // namespace
}  // namespace gounki::arena
