#include "core/random.h"

#include <array>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

using namespace gounki;

namespace {

struct Moments { double mean = 0, variance = 0; };

template <class Draw>
Moments moments(Draw draw, int n = 200'000) {
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = draw();
    sum += x;
    squares += x * x;
  }
  return {sum / n, squares / n - sum / n * (sum / n)};
}

}  // namespace

TEST_CASE("the generators are the published ones") {
  // The first outputs of SplitMix64 from seed 1234567, as its authors' reference code prints them.
  std::uint64_t state = 1234567;
  for (const std::uint64_t expected : {6457827717110365317ULL, 3203168211198807973ULL,
                                       9817491932198370423ULL, 4593380528125082431ULL})
    CHECK(splitmix64(state) == expected);
}

TEST_CASE("the same seed gives the same numbers, another seed others") {
  Rng a(7), b(7), c(8);
  int same = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto x = a();
    REQUIRE(x == b());
    same += x == c();
  }
  CHECK(same == 0);
}

TEST_CASE("seeds made of numbers depend on each of them and on their order") {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t game = 0; game < 100; ++game)
    for (std::uint64_t ply = 0; ply < 100; ++ply) seeds.insert(derive_seed({1, game, ply}));
  CHECK(seeds.size() == 10000);
  CHECK(derive_seed({1, 2}) != derive_seed({2, 1}));
  CHECK(derive_seed({1}) != derive_seed({1, 0}));
}

TEST_CASE("below is uniform and keeps its bound") {
  Rng rng(9);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60'000; ++i) ++counts.at(rng.below(6));
  for (const int count : counts) CHECK(count == Approx(10'000).margin(500));
  for (int i = 0; i < 100; ++i) CHECK(rng.below(1) == 0);
}

TEST_CASE("distributions have their means and variances") {
  Rng rng(10);
  const Moments uniform = moments([&] { return rng.uniform(); });
  CHECK(uniform.mean == Approx(0.5).margin(0.005));
  CHECK(uniform.variance == Approx(1.0 / 12).margin(0.002));
  const Moments normal = moments([&] { return rng.normal(); });
  CHECK(normal.mean == Approx(0).margin(0.01));
  CHECK(normal.variance == Approx(1).margin(0.02));
  const Moments gumbel = moments([&] { return rng.gumbel(); });
  CHECK(gumbel.mean == Approx(0.5772).margin(0.015));
  CHECK(gumbel.variance == Approx(1.6449).margin(0.04));
  for (const double shape : {0.1, 0.3, 1.0, 4.0}) {
    const Moments gamma = moments([&] { return rng.gamma(shape); });
    CAPTURE(shape);
    CHECK(gamma.mean == Approx(shape).margin(0.02 * (1 + shape)));
    CHECK(gamma.variance == Approx(shape).margin(0.06 * (1 + shape)));
  }
}

TEST_CASE("pick follows the weights and never takes a zero") {
  Rng rng(11);
  const std::vector<double> weights{0, 1, 0, 3, 0};
  std::array<int, 5> counts{};
  for (int i = 0; i < 40'000; ++i) ++counts.at(rng.pick(weights));
  CHECK(counts[0] + counts[2] + counts[4] == 0);
  CHECK(counts[3] == Approx(30'000).margin(600));
}
