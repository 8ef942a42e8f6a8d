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
  CHECK(visit_weight(0, 10, 1.0) == 0.0);
  CHECK(visit_weight(10, 10, 0.01) == 1.0);
  CHECK(visit_weight(5, 10, 1.0) == Approx(0.5));
  CHECK(visit_weight(5, 10, 0.5) == Approx(0.25));
  CHECK(visit_weight(4, 16, 2.0) == Approx(0.5));
}

}  // namespace
}  // namespace gounki::mcts
