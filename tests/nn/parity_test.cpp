#include "nn/parity.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "nn/cpu/cpu_network.h"
#include "nn_test_helpers.h"

using namespace gounki;
using namespace gounki::nn;

namespace {

std::unique_ptr<Learner> taught(const NetworkConfig& network) {
  auto learner = backend().make_learner(network, {.learning_rate = 0.05}, 3, 2);
  for (std::uint64_t step = 0; step < 30; ++step) learner->step(test::random_batch(64, step));
  return learner;
}

// Another network's answers, with something added.
class Altered : public ServedNetwork {
 public:
  Altered(std::unique_ptr<ServedNetwork> network, float by, bool half = false)
      : network_(std::move(network)), by_(by), half_(half) {}
  void forward(const float* planes, int n, float* policy, float* wdl, float* plies_left) const override {
    network_->forward(planes, n, policy, wdl, plies_left);
    policy[17] += by_;
  }
  bool half_precision() const override { return half_; }

 private:
  std::unique_ptr<ServedNetwork> network_;
  float by_;
  bool half_;
};

}  // namespace

TEST_CASE("every served form says what the learned network says") {
  const Batch batch = test::random_batch(40, 77);
  for (const NetworkConfig& shape : {test::kTiny, NetworkConfig{.blocks = 4, .channels = 32},
                                     NetworkConfig{.blocks = 6, .channels = 64}}) {
    const auto learner = taught(shape);
    const Checkpoint checkpoint = learner->checkpoint();
    const auto largest = [&](const ServedNetwork& served) {
      return difference(*learner, served, batch.planes.data(), batch.size).largest();
    };
    INFO(shape.blocks << "x" << shape.channels);
    for (const cpu::Kernels& kernels : cpu::usable_kernels()) {
      INFO(kernels.name);
      CHECK(largest(*make_cpu_network(checkpoint, kernels)) < kMostDifference);
    }
    CHECK(largest(*backend().serve_with_libtorch(checkpoint)) < kMostDifference);
  }
}

// A learner that only answers.
class Speaker : public Learner {
 public:
  Losses step(const Batch&) override { return {}; }
  std::int64_t steps() const override { return 0; }
  Checkpoint checkpoint() const override { return {}; }
  TensorFile state() const override { return {}; }
};

TEST_CASE("large numbers may differ by more, as their rounding does") {
  // A learner that says 50 of everything.
  class Constant : public Speaker {
   public:
    void forward(const float*, int n, float* policy, float* wdl, float* plies_left) override {
      std::fill_n(policy, n * Move::kIndices, 50.0f);
      std::fill_n(wdl, n * 3, -50.0f);
      std::fill_n(plies_left, n, 50.0f);
    }
  };
  class Near : public ServedNetwork {
   public:
    void forward(const float*, int n, float* policy, float* wdl, float* plies_left) const override {
      std::fill_n(policy, n * Move::kIndices, 50.001f);
      std::fill_n(wdl, n * 3, -50.002f);
      std::fill_n(plies_left, n, 50.004f);
    }
  };
  Constant learner;
  const std::vector<float> planes(2 * kInputSize);
  const Difference found = difference(learner, Near(), planes.data(), 2);
  CHECK(found.policy == Approx(0.001 / 50).epsilon(0.02));
  CHECK(found.wdl == Approx(0.002 / 50).epsilon(0.02));
  CHECK(found.plies_left == Approx(0.004 / 50).epsilon(0.02));
}

TEST_CASE("differences are shares of the largest logit of their own position") {
  const auto found = [](int position, float of, float by) {
    class Says : public Speaker {
     public:
      Says(int position, float of) : position_(position), of_(of) {}
      void forward(const float*, int n, float* policy, float* wdl, float* plies_left) override {
        std::fill_n(policy, n * Move::kIndices, 0.25f);
        policy[position_ * Move::kIndices] = of_;
        std::fill_n(wdl, n * 3, 0.0f);
        std::fill_n(plies_left, n, 0.0f);
      }
     private:
      int position_;
      float of_;
    } learner(position, of);
    class Serves : public ServedNetwork {
     public:
      Serves(Learner& learner, float by) : learner_(learner), by_(by) {}
      void forward(const float* planes, int n, float* policy, float* wdl, float* plies_left) const override {
        learner_.forward(planes, n, policy, wdl, plies_left);
        policy[7] += by_;  // of the first position
      }
     private:
      Learner& learner_;
      float by_;
    };
    const std::vector<float> planes(2 * kInputSize);
    return difference(learner, Serves(learner, by), planes.data(), 2).policy;
  };
  CHECK(found(0, -40.0f, 0.01f) == Approx(0.01 / 40).epsilon(0.01));
  CHECK(found(1, -40.0f, 0.01f) == Approx(0.01).epsilon(0.01));  // the other position's size is no excuse
  CHECK(found(0, 0.5f, 0.01f) == Approx(0.01).epsilon(0.01));    // nor is what is smaller than 1 a reason
}

TEST_CASE("a network that says something else is not let through") {
  const auto learner = taught(test::kTiny);
  const Batch batch = test::random_batch(3, 5);
  const auto check = [&](float by, bool half) {
    check_parity(*learner, Altered(serve(learner->checkpoint()), by, half), batch.planes.data(), batch.size);
  };
  CHECK_NOTHROW(check(0.0f, false));
  CHECK_THROWS_WITH(check(0.01f, false), Catch::Contains("by 0.01 in policy logits"));
  CHECK_NOTHROW(check(0.01f, true));  // half precision cannot do better
  CHECK_THROWS_AS(check(0.2f, true), Failure);
  CHECK_THROWS_WITH(check(std::nanf(""), false), Catch::Contains("by inf"));
}
