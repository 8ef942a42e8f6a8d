#include "arena/elo.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace gounki::arena {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_CASE("a score and its Elo difference are inverse, odd around one half") {
  CHECK(elo_from_score(0.5) == 0.0);
  CHECK(elo_from_score(0.75) == Approx(190.848502));  // 400 log10(3)
  CHECK(elo_from_score(10.0 / 11.0) == Approx(400.0));
  CHECK(elo_from_score(1.0) == kInfinity);
  CHECK(elo_from_score(0.0) == -kInfinity);
  for (double score = 0.01; score < 1.0; score += 0.01) {
    CHECK(score_from_elo(elo_from_score(score)) == Approx(score));
    CHECK(elo_from_score(1.0 - score) == Approx(-elo_from_score(score)).margin(1e-9));
  }
}

// Expected values: the formulas of arena/elo.h in Python, with p = n/sum(n), a = 0, .25, …, 1:
//   mu = sum(p*a); v = sum(p*(a-mu)**2); s = sqrt(v/N); q = 1.959963984540054
//   elo = lambda x: -400*log10(1/x-1)          for mu, mu - q*s, mu + q*s
//   los = .5*(1+erf((mu-.5)/s/sqrt(2)))
//   nelo = (mu-.5)/sqrt(2*v)*800/log(10), ± q/sqrt(2*N)*800/log(10)
TEST_CASE("strength from pairs agrees with values computed elsewhere") {
  struct Row {
    PairCounts pairs;
    double score, elo, low, high, los, normalized, normalized_error;
  };
  const std::vector<Row> rows{
      {{365, 16618, 36229, 16974, 390}, 0.501438, 0.999343, 0.076273, 1.922427, 0.983078, 1.962271,
       1.812504},
      {{1, 4, 10, 15, 10}, 0.68125, 131.942529, 71.802728, 200.826211, 0.999996, 173.872921,
       76.133781},
      {{3, 0, 0, 0, 7}, 0.7, 147.190714, -58.946230, 715.834561, 0.916227, 107.220949, 152.267561},
      {{0, 10, 80, 10, 0}, 0.5, 0.0, -15.236516, 15.236516, 0.5, 0.0, 48.151231},
      {{20, 5, 3, 1, 1}, 0.15, -301.331067, -481.820295, -199.070245, 0.0, -337.264528, 87.911717},
      {{0, 0, 0, 1, 39}, 0.99375, 880.558850, 691.369873, kInfinity, 1.0, 3107.807341, 76.133781},
  };
  for (const Row& row : rows) {
    const Strength s = estimate_strength(row.pairs);
    INFO("first count " << row.pairs[0]);
    CHECK_FALSE(s.uniform);
    CHECK(s.score == Approx(row.score).margin(1e-6));
    CHECK(s.elo == Approx(row.elo).margin(1e-5));
    CHECK(s.elo_low == Approx(row.low).margin(1e-5));
    if (std::isinf(row.high)) CHECK(s.elo_high == row.high);
    else CHECK(s.elo_high == Approx(row.high).margin(1e-5));
    CHECK(s.los == Approx(row.los).margin(1e-6));
    CHECK(s.normalized_elo == Approx(row.normalized).margin(1e-5));
    CHECK(s.normalized_error == Approx(row.normalized_error).margin(1e-5));
  }
}

TEST_CASE("the other side's strength is the opposite") {
  const Strength a = estimate_strength({1, 4, 10, 15, 10});
  const Strength b = estimate_strength({10, 15, 10, 4, 1});
  CHECK(b.elo == Approx(-a.elo));
  CHECK(b.elo_low == Approx(-a.elo_high));
  CHECK(b.elo_high == Approx(-a.elo_low));
  CHECK(b.los == Approx(1.0 - a.los).margin(1e-12));
}

TEST_CASE("pairs that all scored the same give bounds, not certainty") {
  // With 40 pairs alike q = 1 - 0.05^(1/40) = 0.0721575.
  const Strength won = estimate_strength({0, 0, 0, 0, 40});
  CHECK(won.uniform);
  CHECK(won.elo == kInfinity);
  CHECK(won.elo_high == kInfinity);
  CHECK(won.elo_low == Approx(443.677050));
  CHECK(won.los == 1.0 - std::exp2(-40));
  CHECK(to_string(won) == "Elo above +443.7 (95 %: all 40 pairs scored 2 of 2), LOS 100.0 %");

  const Strength lost = estimate_strength({40, 0, 0, 0, 0});
  CHECK(lost.elo == -kInfinity);
  CHECK(lost.elo_high == Approx(-443.677050));
  CHECK(to_string(lost) == "Elo below -443.7 (95 %: all 40 pairs scored 0 of 2), LOS 0.0 %");

  const Strength even = estimate_strength({0, 0, 40, 0, 0});
  CHECK(even.elo == 0.0);
  CHECK(even.elo_low == Approx(-25.113739));
  CHECK(even.elo_high == Approx(25.113739));
  CHECK(even.los == 0.5);

  const Strength three_quarters = estimate_strength({0, 0, 0, 40, 0});
  CHECK(three_quarters.elo_low == Approx(143.797273));
  CHECK(three_quarters.elo_high == Approx(207.987692));

  // One pair says next to nothing.
  CHECK(estimate_strength({0, 0, 0, 0, 1}).elo_low == Approx(-511.501440));
}

TEST_CASE("strength prints for people") {
  CHECK(to_string(estimate_strength({})) == "no pairs played");
  CHECK(to_string(estimate_strength({1, 4, 10, 15, 10})) ==
        "Elo +131.9 ± 64.5 (95 %), LOS 100.0 %");
  CHECK(to_string(estimate_strength({0, 0, 0, 1, 39})) == "Elo above +691.4 (95 %), LOS 100.0 %");
  CHECK(to_string(estimate_strength({39, 1, 0, 0, 0})) == "Elo below -691.4 (95 %), LOS 0.0 %");
  CHECK(to_string(estimate_strength({1, 0, 0, 0, 1})) == "Elo unknown (95 %), LOS 50.0 %");
}

}  // namespace
}  // namespace gounki::arena
