#include "arena/sprt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/random.h"

namespace gounki::arena {
namespace {

using Distribution = std::array<double, 5>;

SprtConfig bounds(double elo0, double elo1, const char* model = "normalized") {
  SprtConfig config;
  config.elo0 = elo0;
  config.elo1 = elo1;
  config.model = model;
  return config;
}

TEST_CASE("the ratio of a long published test comes out") {
  const SprtResult result = sprt({365, 16618, 36229, 16974, 390}, bounds(0, 2));
  CHECK(result.llr == Approx(2.250).margin(0.0005));
  CHECK(result.verdict == SprtVerdict::kUndecided);
}

TEST_CASE("the ratio is for the better hypothesis and turns with the players") {
  const std::vector<PairCounts> matches{{1, 4, 10, 15, 10}, {0, 0, 0, 0, 10}, {3, 0, 0, 0, 7},
                                        {0, 10, 80, 12, 0}, {0, 0, 500, 0, 0}, {1, 0, 0, 0, 0},
                                        {0, 1, 0, 0, 0},    {9, 0, 400, 0, 30}};
  for (const char* model : {"normalized", "logistic"})
    for (const PairCounts& pairs : matches) {
      const PairCounts turned{pairs[4], pairs[3], pairs[2], pairs[1], pairs[0]};
      const double llr = sprt_llr(pairs, bounds(0, 20, model));
      CAPTURE(model, pairs[0], pairs[2], pairs[4]);
      CHECK(std::isfinite(llr));
      CHECK(sprt_llr(pairs, bounds(20, 0, model)) == Approx(-llr));
      CHECK(sprt_llr(turned, bounds(0, 20, model)) ==
            Approx(sprt_llr(pairs, bounds(0, -20, model))));
      CHECK(sprt_llr(pairs, bounds(10, 10, model)) == Approx(0.0).margin(1e-9));
      CHECK(std::isfinite(sprt_llr(pairs, bounds(-900, 900, model))));
      if (estimate_strength(pairs).normalized_elo > 20.0) CHECK(llr > 0.0);
      if (estimate_strength(pairs).score < 0.5) CHECK(llr < 0.0);
    }
}

TEST_CASE("no pairs say nothing and many say much") {
  CHECK(sprt_llr({}, bounds(0, 20)) == 0.0);
  CHECK(sprt({}, bounds(0, 20)).pairs_left == std::numeric_limits<double>::infinity());
  const double once = sprt_llr({1, 4, 10, 15, 10}, bounds(0, 50));
  CHECK(sprt_llr({10, 40, 100, 150, 100}, bounds(0, 50)) == Approx(10.0 * once));
  CHECK(sprt({10, 40, 100, 150, 100}, bounds(0, 50)).verdict == SprtVerdict::kH1);
  CHECK(sprt({100, 150, 100, 40, 10}, bounds(0, 50)).verdict == SprtVerdict::kH0);
  CHECK(sprt({100, 150, 100, 40, 10}, bounds(0, 50)).pairs_left == 0.0);
}

// With wins and losses alone and none drawn, the likeliest distribution of a given mean is the
// binomial one, so the ratio of the logistic model has a closed form.
TEST_CASE("the logistic ratio of won and lost pairs is the binomial one") {
  const double s0 = score_from_elo(0), s1 = score_from_elo(50);
  const double expected = 60 * std::log(s1 / s0) + 40 * std::log((1 - s1) / (1 - s0));
  CHECK(sprt_llr({40, 0, 0, 0, 60}, bounds(0, 50, "logistic")) == Approx(expected).margin(2e-3));
}

// Among pairs of 0, 1 and 2 points the distributions with mean − ½ = t·σ are a curve: p₁ = 1 − a − b,
// (a − b)/2 = t·√((a + b)/4 − (a − b)²/4), which is walked here in small steps.
TEST_CASE("the normalized ratio is that of the likeliest distributions by brute force") {
  const auto best = [](double lost, double even, double won, double t) {
    double best = -1e300;
    for (double odds = 1e-4; odds < 1.0; odds += 1e-4) {  // a + b
      const double edge = t * std::sqrt(odds / (1.0 + t * t));  // a − b
      const double a = (odds + edge) / 2, b = (odds - edge) / 2;
      if (a <= 0.0 || b <= 0.0) continue;
      best = std::max(best, won * std::log(a) + lost * std::log(b) + even * std::log(1 - odds));
    }
    return best;
  };
  const double scale = std::log(10.0) / 800.0 * std::sqrt(2.0);
  for (const auto& [lost, even, won] : std::vector<std::array<int, 3>>{
           {10, 60, 30}, {30, 60, 10}, {2, 3, 90}, {40, 5, 41}, {5, 200, 9}})
    for (const double elo1 : {-80.0, -5.0, 5.0, 30.0, 200.0}) {
      CAPTURE(lost, even, won, elo1);
      CHECK(sprt_llr({lost, 0, even, 0, won}, bounds(0, elo1)) ==
            Approx(best(lost, even, won, elo1 * scale) - best(lost, even, won, 0.0)).margin(0.01));
    }
}

TEST_CASE("bounds follow from the errors allowed") {
  SprtConfig config;
  CHECK(sprt({}, config).lower == Approx(-2.944439));  // ln(0.05/0.95)
  CHECK(sprt({}, config).upper == Approx(2.944439));
  config.beta = 0.10;
  CHECK(sprt({}, config).lower == Approx(-2.251292));
  CHECK(sprt({}, config).upper == Approx(2.890372));
}

TEST_CASE("a config that makes no test is refused") {
  CHECK_THROWS_AS(sprt({}, bounds(5, 5)), UsageError);
  CHECK_THROWS_AS(sprt({}, bounds(5, 0)), UsageError);
  CHECK_THROWS_AS(sprt({}, bounds(0, 5, "bayesian")), UsageError);
  CHECK(bounds(-5, 0).check());
}

// A distribution of pair scores with this normalised or logistic Elo, made from another by weighing
// scores with e^(λ·score).
Distribution tilted(const Distribution& base, double elo, const std::string& model) {
  const auto at = [&](double lambda) {
    Distribution p;
    double total = 0.0;
    for (int k = 0; k < 5; ++k) total += p[k] = base[k] * std::exp(lambda * k);
    for (double& share : p) share /= total;
    return p;
  };
  const auto elo_of = [&](const Distribution& p) {
    double mean = 0.0, square = 0.0;
    for (int k = 0; k < 5; ++k) mean += p[k] * k / 4, square += p[k] * k * k / 16;
    if (model == "logistic") return elo_from_score(mean);
    return (mean - 0.5) / std::sqrt(2.0 * (square - mean * mean)) * 800.0 / std::log(10.0);
  };
  double low = -5.0, high = 5.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (elo_of(at(middle)) < elo ? low : high) = middle;
  }
  return at(low);
}

struct Simulated {
  double h1 = 0.0;     // share of tests that accept H1
  double pairs = 0.0;  // a test, on average
  double overshoot = 0.0;  // of the ratio beyond the bound it crossed, on average
};

Simulated simulate(const Distribution& truth, const SprtConfig& config, int tests, Rng& rng) {
  Simulated out;
  for (int i = 0; i < tests; ++i) {
    PairCounts pairs{};
    SprtResult result;
    do {
      ++pairs[rng.pick(truth)];
      ++out.pairs;
      result = sprt(pairs, config);
    } while (result.verdict == SprtVerdict::kUndecided);
    out.h1 += result.verdict == SprtVerdict::kH1;
    out.overshoot += result.verdict == SprtVerdict::kH1 ? result.llr - result.upper
                                                        : result.lower - result.llr;
  }
  out.h1 /= tests;
  out.pairs /= tests;
  out.overshoot /= tests;
  return out;
}

// Pairs of games that are seldom drawn, evenly matched: openings that decide nothing, that decide
// most, and games of which half are drawn.
const std::vector<Distribution> kBases{{0.24, 0.02, 0.48, 0.02, 0.24},
                                       {0.06, 0.01, 0.86, 0.01, 0.06},
                                       {0.05, 0.25, 0.40, 0.25, 0.05}};

// Five standard errors above the rate allowed, so that a right test fails once in millions.
double allowed(double rate, int tests) {
  return rate + 5.0 * std::sqrt(rate * (1.0 - rate) / tests);
}

void check_error_rates(double elo1, int tests) {
  Rng rng(11);
  for (const char* model : {"normalized", "logistic"})
    for (const Distribution& base : kBases) {
      const SprtConfig config = bounds(0, elo1, model);
      const Simulated equal = simulate(tilted(base, config.elo0, model), config, tests, rng);
      const Simulated better = simulate(tilted(base, config.elo1, model), config, tests, rng);
      CAPTURE(model, base[2], elo1, equal.h1, better.h1, equal.pairs, better.pairs);
      CHECK(equal.h1 <= allowed(config.alpha, tests));
      CHECK(1.0 - better.h1 <= allowed(config.beta, tests));
      CHECK(std::max(equal.overshoot, better.overshoot) < 0.4);
      if (config.model == "normalized") {
        CHECK(equal.pairs == Approx(sprt_expected_pairs(config, config.elo0)).epsilon(0.35));
        CHECK(better.pairs == Approx(sprt_expected_pairs(config, config.elo1)).epsilon(0.35));
      }
    }
}

TEST_CASE("simulated tests err no more often than allowed") { check_error_rates(100, 300); }

TEST_CASE("simulated tests of closer bounds err no more often than allowed", "[slow]") {
  check_error_rates(40, 1000);
}

}  // namespace
}  // namespace gounki::arena
