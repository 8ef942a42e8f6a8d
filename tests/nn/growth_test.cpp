// A network that begins with the weights of a smaller one says the same, and learns on.
#include "nn/growth.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/nn/nn_test_helpers.h"

using namespace gounki;
using namespace gounki::nn;

namespace {

std::unique_ptr<Learner> grown(const Checkpoint& from, const NetworkConfig& to, std::uint64_t seed = 3) {
  TensorFile state = backend().make_learner(to, {}, seed, 1)->state();
  begin_with(from, to, state);
  auto learner = backend().restore_learner(state, {}, 1);
  REQUIRE(learner);
  return std::move(*learner);
}

struct Outputs {
  std::vector<float> policy, wdl, plies;
  explicit Outputs(int n) : policy(static_cast<std::size_t>(n) * Move::kIndices), wdl(3 * n), plies(n) {}
};

// The largest difference of what both say of the batch's positions.
double difference(const Checkpoint& a, const Checkpoint& b, const Batch& batch) {
  Outputs x(batch.size), y(batch.size);
  backend().serve(a)->forward(batch.planes.data(), batch.size, x.policy.data(), x.wdl.data(), x.plies.data());
  backend().serve(b)->forward(batch.planes.data(), batch.size, y.policy.data(), y.wdl.data(), y.plies.data());
  double most = 0.0;
  const auto compare = [&](const std::vector<float>& p, const std::vector<float>& q) {
    for (std::size_t i = 0; i < p.size(); ++i)
      most = std::max<double>(most, std::abs(p[i] - q[i]) / std::max(1.0f, std::abs(p[i])));
  };
  compare(x.policy, y.policy);
  compare(x.wdl, y.wdl);
  compare(x.plies, y.plies);
  return most;
}

}  // namespace

TEST_CASE("a grown network says what the small one says", "[nn]") {
  const Checkpoint small = test::tiny_checkpoint();
  const Batch batch = test::random_batch(24, 5);
  const NetworkConfig& shape = small.network;
  NetworkConfig larger = shape;
  SECTION("of the same shape") {}
  SECTION("with more blocks") { larger.blocks += 2; }
  SECTION("with more channels") { larger.channels += 8; }
  SECTION("with a larger value head") {
    larger.value_channels += 1;
    larger.value_hidden += 5;
  }
  SECTION("larger in every way") {
    larger = {.blocks = shape.blocks + 1,
              .channels = 2 * shape.channels,
              .value_channels = 2 * shape.value_channels,
              .value_hidden = 2 * shape.value_hidden};
  }
  const auto learner = grown(small, larger);
  CHECK(learner->checkpoint().network == larger);
  CHECK(learner->steps() == 0);
  CHECK(difference(small, learner->checkpoint(), batch) < 1e-5);
}

TEST_CASE("what is new in a grown network learns", "[nn]") {
  const Checkpoint small = test::tiny_checkpoint();
  NetworkConfig larger = small.network;
  larger.blocks += 1;
  larger.channels += 8;
  const auto learner = grown(small, larger);
  const TensorFile before = learner->state();
  const Batch batch = test::random_batch(32, 9);
  for (int step = 0; step < 2; ++step) learner->step(batch);
  const TensorFile after = learner->state();
  // The new block's last scale, and what the old policy takes from new channels: both began as 0.
  for (const char* name : {"weights/block2.second.scale", "weights/policy.weight", "weights/block2.first.weight"}) {
    INFO(name);
    CHECK(before.tensors.at(name).data != after.tensors.at(name).data);
  }
  CHECK(difference(small, learner->checkpoint(), batch) > 1e-4);
}

TEST_CASE("a network does not shrink", "[nn]") {
  const NetworkConfig shape{.blocks = 4, .channels = 32};
  CHECK(can_grow(shape, shape));
  CHECK(can_grow(shape, {.blocks = 5, .channels = 32}));
  const auto shallower = can_grow(shape, {.blocks = 3, .channels = 64});
  REQUIRE_FALSE(shallower);
  CHECK(shallower.error().message == "blocks is 4 there and 3 here; a network can grow, not shrink");
  const auto narrower = can_grow(shape, {.blocks = 4, .channels = 32, .value_hidden = 32});
  REQUIRE_FALSE(narrower);
  CHECK(narrower.error().message.starts_with("value_hidden is 64 there and 32 here"));
}
