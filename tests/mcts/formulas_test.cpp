#include "mcts/formulas.h"

#include <catch2/catch.hpp>
#include <numeric>

namespace gounki::mcts {
namespace {

TEST_CASE("cpuct grows with the logarithm of the visits") {
  struct Row { double cpuct, growth, base, visits, expected; };
  for (const Row& row : {Row{1.25, 0.45, 500, 0, 1.25}, Row{1.25, 0.45, 500, 500, 1.561916},
                         Row{1.0, 0.45, 500, 9500, 2.348080}, Row{2.5, 0.0, 500, 1e6, 2.5}})
    CHECK(cpuct_at(row.cpuct, row.growth, row.base, row.visits) == Approx(row.expected));
}

TEST_CASE("exploration is cpuct times the root of the visits") {
  CHECK(exploration(1.5, 0) == 0.0);
  CHECK(exploration(1.5, 16) == 6.0);
}

TEST_CASE("first-play urgency falls with the visited mass, and never below a loss") {
  struct Row { double value, reduction, mass, expected; };
  for (const Row& row : {Row{0.3, 0.2, 0.0, 0.3}, Row{0.3, 0.2, 0.25, 0.2}, Row{0.3, 0.2, 1.0, 0.1},
                         Row{-0.9, 0.2, 1.0, -1.0}, Row{-1.0, 0.0, 1.0, -1.0}})
    CHECK(first_play_value(row.value, row.reduction, row.mass) == Approx(row.expected));
}

TEST_CASE("the noise's alphas sum to the total") {
  CHECK(noise_alpha(10.0, 40) == 0.25);
  CHECK(noise_alpha(10.83, 1) == 10.83);
}

TEST_CASE("Dirichlet draws are distributions with the mean and variance of the law") {
  Rng rng(1);
  constexpr int kDraws = 4000, kMoves = 5;
  constexpr double kAlpha = 0.4;
  double mean = 0.0, square = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const std::vector<double> draw = dirichlet(kMoves, kAlpha, rng);
    REQUIRE(draw.size() == kMoves);
    CHECK(std::accumulate(draw.begin(), draw.end(), 0.0) == Approx(1.0));
    mean += draw[0] / kDraws;
    square += draw[0] * draw[0] / kDraws;
  }
  CHECK(mean == Approx(0.2).margin(0.02));
  // m (1 - m) / (n alpha + 1)
  CHECK(square - mean * mean == Approx(0.2 * 0.8 / 3.0).margin(0.008));
  for (const double x : dirichlet(3, 1e-300, rng)) CHECK(std::isfinite(x));
}

TEST_CASE("noise takes its share of a prior") {
  CHECK(with_noise(0.4, 0.8, 0.0) == Approx(0.4));
  CHECK(with_noise(0.4, 0.8, 0.25) == Approx(0.5));
  CHECK(with_noise(0.4, 0.8, 1.0) == Approx(0.8));
}

TEST_CASE("a temperature flattens or sharpens a distribution") {
  std::vector<float> same{0.5f, 0.3f, 0.2f};
  apply_temperature(same, 1.0);
  CHECK(same == std::vector<float>{0.5f, 0.3f, 0.2f});
  std::vector<float> flat{0.64f, 0.32f, 0.04f, 0.0f};
  apply_temperature(flat, 2.0);
  // The roots are 0.8, 0.565685, 0.2 and 0.
  CHECK(flat[0] == Approx(0.510958));
  CHECK(flat[1] == Approx(0.361302));
  CHECK(flat[2] == Approx(0.127740));
  CHECK(flat[3] == 0.0f);
  std::vector<float> sharp{0.6f, 0.4f};
  apply_temperature(sharp, 0.5);
  CHECK(sharp[0] == Approx(0.36 / 0.52));
}

TEST_CASE("the temperature falls by half in each half-life") {
  struct Row { double start, end, halflife; int ply; double expected; };
  for (const Row& row : {Row{1.0, 0.2, 16, 0, 1.0}, Row{1.0, 0.2, 16, 16, 0.6},
                         Row{1.0, 0.2, 16, 32, 0.4}, Row{0.0, 0.0, 16, 5, 0.0},
                         Row{1.0, 0.0, 4, 4000, 0.0}})
    CHECK(temperature_at(row.start, row.end, row.halflife, row.ply) ==
          Approx(row.expected).margin(1e-12));
}

TEST_CASE("visits weigh by the power of the inverse temperature") {
  CHECK(draw_weight(0, 10, 1.0) == 0.0);
  CHECK(draw_weight(10, 10, 0.01) == 1.0);
  CHECK(draw_weight(5, 10, 1.0) == Approx(0.5));
  CHECK(draw_weight(5, 10, 0.5) == Approx(0.25));
  CHECK(draw_weight(4, 16, 2.0) == Approx(0.5));
}

struct Values { double sum = 0.0, squares = 0.0, n = 0.0; };

Values sums_of(const std::vector<double>& values) {
  Values out;
  for (const double v : values) {
    out.sum += v;
    out.squares += v * v;
    out.n += 1.0;
  }
  return out;
}

TEST_CASE("the variance of values leans on its prior while they are few") {
  struct Row { double sum, squares, n, prior, weight, expected; };
  for (const Row& row : {
           Row{0.0, 0.0, 0, 0.16, 2, 0.16},       // nothing seen
           Row{0.7, 0.49, 1, 0.16, 2, 0.32 / 3},  // one value has no spread
           Row{0.0, 2.0, 2, 0.16, 2, 2.32 / 4},   // 1 and -1
           Row{0.0, 2.0, 2, 0.16, 0, 1.0},        // without a prior
           Row{1.5, 1.25, 2, 0.0, 1, 0.125 / 3},  // 1 and 0.5, and a quiet prior
           Row{50.0, 50.0, 100, 0.16, 2, 25.32 / 102},
       })
    CHECK(value_variance(row.sum, row.squares, row.n, row.prior, row.weight) ==
          Approx(row.expected));
}

TEST_CASE("the variance of values is that of their definition and lies between it and the prior") {
  Rng rng(2);
  for (int i = 0; i < 500; ++i) {
    std::vector<double> values(1 + rng.below(40));
    for (double& v : values) v = 2.0 * rng.uniform() - 1.0;
    const Values s = sums_of(values);
    double own = 0.0;
    for (const double v : values) own += (v - s.sum / s.n) * (v - s.sum / s.n) / s.n;
    CHECK(value_variance(s.sum, s.squares, s.n, 0.3, 0.0) == Approx(own).margin(1e-12));

    const double with_prior = value_variance(s.sum, s.squares, s.n, 0.3, 2.0);
    CHECK(with_prior >= std::min(own, 0.3) - 1e-12);
    CHECK(with_prior <= std::max(own, 0.3) + 1e-12);
    // The same values seen ten times over weigh more against the prior.
    const double oftener = value_variance(10 * s.sum, 10 * s.squares, 10 * s.n, 0.3, 2.0);
    CHECK(std::abs(oftener - own) <= std::abs(with_prior - own) + 1e-12);
  }
}

TEST_CASE("rounding makes no variance negative") {
  for (const double v : {0.1, 1.0 / 3.0, -0.7, 0.999999}) {
    Values s;
    double least = 1.0;
    for (int i = 0; i < 100000; ++i) {
      s.sum += v;
      s.squares += v * v;
      s.n += 1.0;
      least = std::min(least, value_variance(s.sum, s.squares, s.n, 0.0, 0.0));
    }
    CHECK(least >= 0.0);
  }
  CHECK(value_variance(1.0, 0.99, 1, 0.0, 1.0) == 0.0);
}

TEST_CASE("exploration grows with the spread of the values") {
  struct Row { double stdev, prior, scale, expected; };
  for (const Row& row : {Row{0.4, 0.4, 0.85, 1.0}, Row{0.8, 0.4, 0.85, 1.85},
                         Row{0.2, 0.4, 0.85, 0.575}, Row{0.0, 0.4, 0.85, 0.15},
                         Row{0.8, 0.4, 0.0, 1.0}, Row{0.1, 0.4, 1.0, 0.25}})
    CHECK(exploration_factor(row.stdev, row.prior, row.scale) == Approx(row.expected));
}

TEST_CASE("forced visits are the root of the move's share") {
  CHECK(forced_visits(2.0, 0.08, 100) == Approx(4.0));
  CHECK(forced_visits(2.0, 0.5, 400) == Approx(20.0));
  CHECK(forced_visits(0.0, 0.5, 400) == 0.0);
  CHECK(forced_visits(2.0, 0.5, 0) == 0.0);
}

TEST_CASE("pruning takes forced visits until the move would be the best") {
  struct Row { int visits; double q, prior, explore, forced, best; int expected; };
  for (const Row& row : {
           // explore * prior = 1. Left with n the score is q + 1 / (1 + n).
           Row{10, 0.0, 0.1, 10, 5.0, 0.15, 6},   // 1/7 = 0.143 is below, 1/6 = 0.167 above
           Row{10, 0.0, 0.1, 10, 3.0, 0.15, 7},   // no more than are forced
           Row{10, 0.0, 0.1, 10, 3.9, 0.15, 7},   // nor a part of a visit
           Row{10, 0.0, 0.1, 10, 0.9, 0.15, 10},
           Row{10, 0.0, 0.1, 10, 5.0, 0.05, 10},  // above already
           Row{9, 0.0, 0.1, 10, 9.0, 0.25, 3},    // 1/4: not above
           Row{10, -0.9, 0.1, 10, 9.0, 0.5, 0},   // one is left
           Row{10, -0.9, 0.1, 10, 8.0, 0.5, 2},
           Row{10, -0.9, 0.1, 10, 99.0, 0.5, 0},  // more forced than there are
           Row{1, 0.9, 0.1, 10, 0.0, 0.5, 0},     // one visit says nothing
           Row{2, 0.9, 0.1, 10, 5.0, 0.5, 2},
           Row{0, 0.0, 0.1, 10, 5.0, 0.5, 0},
           Row{10, 0.2, 0.0, 10, 4.0, 0.5, 6},    // no prior: the score is q
       })
    CHECK(pruned_visits(row.visits, row.q, row.prior, row.explore, row.forced, row.best) ==
          row.expected);
}

TEST_CASE("pruning finds what trying every number of visits finds") {
  Rng rng(3);
  int pruned = 0, stopped_by_score = 0;
  for (int i = 0; i < 5000; ++i) {
    const int visits = static_cast<int>(rng.below(60));
    const double q = 2.0 * rng.uniform() - 1.0, prior = rng.uniform();
    const double explore = 30.0 * rng.uniform(), forced = 40.0 * rng.uniform();
    const double best = q + explore * prior * rng.uniform() * rng.uniform();
    const auto score = [=](int n) { return q + explore * prior / (1 + n); };

    int expected = visits;
    for (int n = 0; n <= visits; ++n)
      if (visits - n <= forced && score(n) <= best) {
        expected = n;
        break;
      }
    stopped_by_score += expected > visits - std::floor(forced) && expected > 1;
    if (expected == 1) expected = 0;
    const int left = pruned_visits(visits, q, prior, explore, forced, best);
    REQUIRE(left == expected);
    if (left > 1 && left < visits) CHECK(score(left) <= best);
    pruned += left < visits;
  }
  CHECK(pruned > 500);
  CHECK(stopped_by_score > 500);
}

TEST_CASE("the lower bound of a mean is some standard errors under it") {
  struct Row { double sum, squares, n, stdevs, expected; };
  for (const Row& row : {
           Row{0.0, 0.0, 0, 2, -1.0},                    // nothing is known
           Row{0.5, 0.25, 1, 0, 0.5},                    // the mean itself
           Row{0.5, 0.25, 1, 0.5, 0.5 - 0.5 * 0.70710678},  // (1 + 0) / 2 over 1
           Row{1.0, 0.5, 2, 0.5, 0.5 - 0.5 * 0.40824829},   // (1 + 0) / 3 over 2
           Row{49.5, 49.5, 99, 2, 0.5 - 2 * 0.05100010},    // (1 + 24.75) / 100 over 99
           Row{-0.9, 0.81, 1, 5, -1.0},
           Row{8.0, 8.0, 8, 0, 1.0},
       })
    CHECK(lower_bound(row.sum, row.squares, row.n, row.stdevs) == Approx(row.expected));
}

TEST_CASE("the lower bound rises with visits of the same kind and never leaves the range") {
  for (const double mean : {-1.0, -0.5, 0.0, 0.3, 1.0})
    for (const double variance : {0.0, 0.1, 1.0})
      for (const double stdevs : {0.0, 1.0, 5.0}) {
        double last = -1.0;
        for (double n = 1; n < 1e6; n *= 1.5) {
          const double bound = lower_bound(n * mean, n * (mean * mean + variance), n, stdevs);
          CHECK(bound >= last - 1e-12);
          CHECK(bound <= mean + 1e-12);
          last = bound;
        }
        CHECK(last == Approx(mean).margin(0.01));
      }
  // One lucky visit is no match for many good ones, a few hundred better ones are.
  const double many = lower_bound(1000 * 0.3, 1000 * (0.09 + 0.04), 1000, 3.0);
  CHECK(lower_bound(0.9, 0.81, 1, 3.0) < many);
  CHECK(lower_bound(2 * 0.9, 2 * 0.81, 2, 3.0) < many);
  CHECK(lower_bound(300 * 0.4, 300 * (0.16 + 0.04), 300, 3.0) > many);
}

}  // namespace
}  // namespace gounki::mcts
