#include "arena/sprt.h"

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

namespace gounki::arena {
namespace {

TEST_CASE("the ratio of a long published test comes out") {
  CHECK(sprt_llr({365, 16618, 36229, 16974, 390}, 0.0, 2.0) == Approx(2.250).margin(0.0005));
}

TEST_CASE("the ratio is for the better hypothesis, and turns with the players") {
  const std::vector<PairCounts> matches{
      {1, 4, 10, 15, 10}, {0, 0, 0, 0, 10}, {3, 0, 0, 0, 7}, {0, 10, 80, 12, 0}, {0, 0, 500, 0, 0}};
  for (const PairCounts& pairs : matches) {
    const PairCounts turned{pairs[4], pairs[3], pairs[2], pairs[1], pairs[0]};
    const double better = estimate_strength(pairs).normalized_elo;
    CHECK(std::isfinite(sprt_llr(pairs, 0.0, 50.0)));
    CHECK(sprt_llr(pairs, 0.0, 20.0) == Approx(-sprt_llr(pairs, 20.0, 0.0)));
    CHECK(sprt_llr(turned, 0.0, 20.0) == Approx(sprt_llr(pairs, 0.0, -20.0)));
    CHECK(sprt_llr(pairs, 10.0, 10.0) == Approx(0.0).margin(1e-9));
    if (better > 20.0) CHECK(sprt_llr(pairs, 0.0, 20.0) > 0.0);
  }
}

TEST_CASE("the ratio grows with the number of pairs") {
  const double once = sprt_llr({1, 4, 10, 15, 10}, 0.0, 50.0);
  CHECK(sprt_llr({10, 40, 100, 150, 100}, 0.0, 50.0) == Approx(10.0 * once));
}

TEST_CASE("bounds follow from the errors allowed") {
  CHECK(sprt_bounds(0.05, 0.05).lower == Approx(-2.944439));  // ln(0.05/0.95)
  CHECK(sprt_bounds(0.05, 0.05).upper == Approx(2.944439));
  CHECK(sprt_bounds(0.05, 0.10).lower == Approx(-2.251292));
  CHECK(sprt_bounds(0.05, 0.10).upper == Approx(2.890372));
}

}  // namespace
}  // namespace gounki::arena
