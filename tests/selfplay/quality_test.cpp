#include "selfplay/quality.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;

namespace {

// Says the same of every position.
class Constant : public nn::ServedNetwork {
 public:
  Constant(float win, float draw, float loss, float plies) : wdl_{win, draw, loss}, plies_(plies) {}
  void forward(const float*, int n, float* policy, float* wdl, float* plies) const override {
    std::fill_n(policy, n * Move::kIndices, 0.5f);
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) wdl[3 * i + k] = std::log(wdl_[k]);
      plies[i] = plies_;
    }
  }

 private:
  float wdl_[3];
  float plies_;
};

}  // namespace

TEST_CASE("a network is measured against what the games came to") {
  std::vector<Sample> samples = support::random_samples(100, 4);
  double entropy = 0, uniform = 0, distance = 0;
  int with_plies = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].result = i < 75 ? 1 : -1;
    for (const PolicyEntry& e : samples[i].policy) {
      if (e.probability > 0) entropy -= e.probability * std::log(e.probability);
      uniform += e.probability * std::log(static_cast<double>(samples[i].policy.size()));
    }
    if (samples[i].plies_left != Sample::kUnknownPlies) {
      distance += std::abs(samples[i].plies_left - 30.0);
      ++with_plies;
    }
  }
  const Quality quality = measure_quality(Constant(0.6f, 0.1f, 0.3f, 30.0f), samples);
  CHECK(quality.rows == 100);
  CHECK(quality.policy == Approx(uniform / 100).epsilon(1e-5));
  CHECK(quality.policy_kl == Approx((uniform - entropy) / 100).epsilon(1e-4));
  CHECK(quality.value == Approx(-0.75 * std::log(0.6) - 0.25 * std::log(0.3)).epsilon(1e-5));
  CHECK(quality.value_accuracy == Approx(0.75));
  CHECK(quality.calibration_error == Approx(0.10).margin(1e-5));  // 0.65 points foretold, 0.75 made
  CHECK(quality.plies_error == Approx(distance / with_plies).epsilon(1e-5));
}

TEST_CASE("nothing to measure with is no error") {
  const Quality quality = measure_quality(Constant(1, 1, 1, 0), {});
  CHECK(quality.rows == 0);
  CHECK(quality.policy == 0);
  CHECK(quality.calibration_error == 0);
}
