#include "nn/softmax.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

using namespace gounki::nn;

TEST_CASE("exp is within 1.1 units in the last place of what it should be") {
  double worst = 0.0;
  const auto check = [&](float x) {
    const double expected = std::exp(double{x});
    const auto rounded = static_cast<float>(expected);
    const double unit = std::nextafter(rounded, 1e38f) - double{rounded};
    worst = std::max(worst, std::abs(exp_of_negative(x) - expected) / unit);
  };
  for (int i = 0; i <= 870'000; ++i) check(-static_cast<float>(i) * 1e-4f);
  for (float x = 1e-30f; x < 87.0f; x *= 1.001f) check(-x);
  CHECK(worst < 1.1);
  CHECK(exp_of_negative(0.0f) == 1.0f);
  CHECK(exp_of_negative(-0.0f) == 1.0f);
}

TEST_CASE("exp has the same bits everywhere") {
  // Of 2^16 numbers from -32 to 0, a hash of the bits.
  std::uint64_t hash = 0;
  for (int i = 0; i < 1 << 16; ++i)
    hash = hash * 0x100000001b3u + std::bit_cast<std::uint32_t>(exp_of_negative(-static_cast<float>(i) / 2048));
  CHECK(hash == 0xacebbbcd4be5c3c1u);
}

TEST_CASE("exp far below and of what is no number") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(exp_of_negative(-1e30f) == exp_of_negative(-87.0f));
  CHECK(exp_of_negative(-infinity) == exp_of_negative(-87.0f));
  CHECK(exp_of_negative(-infinity) < 2e-38f);
  CHECK(std::isnan(exp_of_negative(std::nanf(""))));
}

TEST_CASE("softmax gives probabilities") {
  for (const std::size_t size : {1u, 2u, 3u, 17u, 200u}) {
    std::vector<float> logits(size);
    for (std::size_t i = 0; i < size; ++i) logits[i] = 90.0f + static_cast<float>((i * 37) % 23);
    std::vector<float> out = logits;
    REQUIRE(softmax(out));
    CHECK(std::accumulate(out.begin(), out.end(), 0.0) == Approx(1.0).margin(1e-6));
    for (std::size_t i = 0; i < size; ++i)
      CHECK(out[i] / out[0] == Approx(std::exp(logits[i] - logits[0])).epsilon(1e-5));
  }
}

TEST_CASE("softmax refuses what is not finite, wherever it is") {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {infinity, std::nanf("")})
    for (int place = 0; place < 3; ++place) {
      std::vector<float> logits(3, 1.0f);
      logits[place] = bad;
      CHECK_FALSE(softmax(logits));
    }
  std::vector<float> nothing(2, -infinity);
  CHECK_FALSE(softmax(nothing));
  std::vector<float> one{1.0f, -infinity};
  CHECK(softmax(one));
  CHECK(one[0] == 1.0f);
}
