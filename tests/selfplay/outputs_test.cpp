#include "selfplay/outputs.h"

#include <limits>

#include <catch2/catch.hpp>

#include "fake_backend.h"
#include "selfplay/npz.h"
#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;
using Catch::Matchers::Contains;

namespace {

// The answers tell the row within the batch and the policy index.
class CountingNetwork : public nn::ServedNetwork {
 public:
  void forward(const float*, int n, float* policy, float* wdl, float* plies_left) const override {
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < Move::kIndices; ++k)
        policy[i * Move::kIndices + k] = static_cast<float>(10000 * i + k);
      for (int k = 0; k < 3; ++k) wdl[3 * i + k] = static_cast<float>(10 * i + k);
      plies_left[i] = static_cast<float>(i);
    }
  }
};

class BrokenNetwork : public CountingNetwork {
 public:
  void forward(const float* planes, int n, float* policy, float* wdl,
               float* plies_left) const override {
    CountingNetwork::forward(planes, n, policy, wdl, plies_left);
    if (n < 64) wdl[3 * 5 + 1] = std::numeric_limits<float>::infinity();
  }
};

}  // namespace

TEST_CASE("the outputs are those of each sample's own row and moves") {
  const auto samples = support::random_samples(150, 3);
  std::vector<std::size_t> told;
  const NetworkOutputs out =
      ask(CountingNetwork(), samples, false, [&](std::size_t done) { told.push_back(done); });
  CHECK(told == std::vector<std::size_t>{64, 128, 150});
  CHECK(out.rows() == 150);
  CHECK(out.planes.empty());
  REQUIRE(out.policy_offsets.size() == 151);
  REQUIRE(out.wdl.size() == 450);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto row = static_cast<float>(i % 64);
    CHECK(out.plies_left[i] == row);
    CHECK(out.wdl[3 * i + 2] == 10 * row + 2);
    const auto first = static_cast<std::size_t>(out.policy_offsets[i]);
    REQUIRE(static_cast<std::size_t>(out.policy_offsets[i + 1]) - first == samples[i].policy.size());
    for (std::size_t k = 0; k < samples[i].policy.size(); ++k)
      CHECK(out.policy_logits[first + k] ==
            10000 * row + static_cast<float>(samples[i].policy[k].move.index()));
  }
  CHECK(ask(CountingNetwork(), {}, true, {}).rows() == 0);
}

TEST_CASE("the file of outputs has an array for each") {
  const auto samples = support::random_samples(70, 4);
  const NetworkOutputs out = ask(fake::ServedNetwork(9), samples, true, {});
  const auto arrays = parse_npz(to_bytes(out, 12));
  REQUIRE(arrays);
  CHECK(arrays->size() == 6);
  CHECK(values_of<std::int64_t>(arrays->at("step")) == std::vector<std::int64_t>{12});
  CHECK(values_of<std::int64_t>(arrays->at("policy_offsets")) == out.policy_offsets);
  CHECK(values_of<float>(arrays->at("policy_logits")) == out.policy_logits);
  CHECK(arrays->at("wdl").shape == std::vector<std::int64_t>{70, 3});
  CHECK(arrays->at("plies_left").shape == std::vector<std::int64_t>{70});
  CHECK(arrays->at("planes").shape == std::vector<std::int64_t>{70, nn::kPlanes, 8, 8});
  CHECK(values_of<float>(arrays->at("planes")) == make_batch(samples, {}).planes);

  const auto without = parse_npz(to_bytes(ask(fake::ServedNetwork(9), samples, false, {}), 12));
  REQUIRE(without);
  CHECK_FALSE(without->contains("planes"));
}

TEST_CASE("an output that is not finite names its sample") {
  CHECK_THROWS_WITH(ask(BrokenNetwork(), support::random_samples(80, 5), false, {}),
                    Contains("an output for sample 69 is not finite"));
}
