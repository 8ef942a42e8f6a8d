// Pairs of games between players of known ratings, for tests of what ratings say.
#pragma once

#include <cmath>
#include <map>
#include <utility>

#include "arena/elo.h"
#include "core/random.h"

namespace gounki::arena {

// Each opening favours one side by `opening_spread` (in logits) times a normal draw, so the two games
// of a pair are correlated. Games are drawn with the share `draws` of 4p(1 − p).
class SimulatedGames {
 public:
  SimulatedGames(std::uint64_t seed, double opening_spread, double draws)
      : rng_(seed), spread_(opening_spread), draws_(draws) {}

  // For a player `elo` stronger, whose expected score is score_from_elo(elo).
  PairCounts play(double elo, int pairs) {
    const double strength = strength_for(elo);
    PairCounts counts{};
    for (int i = 0; i < pairs; ++i) {
      const double opening = spread_ * rng_.normal();
      ++counts[half_points(strength + opening) + half_points(strength - opening)];
    }
    return counts;
  }

  Rng& rng() { return rng_; }

 private:
  static double expected(double logits) { return 1.0 / (1.0 + std::exp(-logits)); }

  int half_points(double logits) {
    const double p = expected(logits), drawn = draws_ * 2.0 * p * (1.0 - p), draw = rng_.uniform();
    return draw < p - drawn / 2 ? 2 : draw < p + drawn / 2 ? 1 : 0;
  }

  // The score with openings that favour sides, on average, is nearer to ½ than without.
  double average_score(double strength) const {
    double sum = 0.0, weight = 0.0;
    for (double z = -6.0; z <= 6.0; z += 0.05) {
      const double density = std::exp(-z * z / 2);
      sum += density * expected(strength + spread_ * z);
      weight += density;
    }
    return sum / weight;
  }

  double strength_for(double elo) {
    const auto [at, is_new] = strengths_.try_emplace(elo, 0.0);
    if (is_new) {
      double low = -30.0, high = 30.0;
      for (int i = 0; i < 50; ++i) {
        const double middle = (low + high) / 2;
        (average_score(middle) < score_from_elo(elo) ? low : high) = middle;
      }
      at->second = low;
    }
    return at->second;
  }

  Rng rng_;
  double spread_, draws_;
  std::map<double, double> strengths_;
};

}  // namespace gounki::arena
