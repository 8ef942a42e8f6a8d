#include <atomic>
#include <cmath>
#include <thread>

#include <catch2/catch.hpp>

#include "nn/cpu/cpu_network.h"
#include "nn/network.h"
#include "nn/weights.h"
#include "nn_test_helpers.h"
#include "reference_network.h"

using namespace gounki;
using namespace gounki::nn;

namespace {

struct Answers {
  std::vector<float> policy, wdl, plies_left;
  bool operator==(const Answers&) const = default;
};

Answers ask(const ServedNetwork& network, const std::vector<float>& planes) {
  const std::size_t n = planes.size() / kInputSize;
  Answers out{std::vector<float>(n * Move::kIndices), std::vector<float>(n * 3), std::vector<float>(n)};
  network.forward(planes.data(), static_cast<int>(n), out.policy.data(), out.wdl.data(),
                  out.plies_left.data());
  return out;
}

float largest_difference(const float* a, const std::vector<float>& b) {
  float largest = 0.0f;
  for (std::size_t i = 0; i < b.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("a served network computes what its weights say") {
  for (const NetworkConfig& shape : {test::kTiny, NetworkConfig{.blocks = 4, .channels = 32},
                                     NetworkConfig{.blocks = 1, .channels = 13, .value_channels = 3},
                                     NetworkConfig{.blocks = 1, .channels = 40, .value_hidden = 50}}) {
    const Checkpoint checkpoint = test::tiny_checkpoint(5, shape);
    const test::ReferenceNetwork reference(checkpoint);
    for (const auto& served : {serve(checkpoint), backend().serve_with_libtorch(checkpoint)})
      for (const int n : {1, 2, 5, 16}) {
        const Batch batch = test::random_batch(n, 100 + static_cast<std::uint64_t>(n));
        const Answers answers = ask(*served, batch.planes);
        for (int i = 0; i < n; ++i) {
          INFO("blocks " << shape.blocks << ", position " << i << " of " << n);
          const test::Answer expected = reference.ask(&batch.planes[i * kInputSize]);
          CHECK(largest_difference(&answers.policy[i * Move::kIndices], expected.policy) < 1e-4f);
          CHECK(largest_difference(&answers.wdl[i * 3], expected.wdl) < 1e-4f);
          CHECK(answers.plies_left[i] == Approx(expected.plies_left).margin(1e-3));
          CHECK(answers.plies_left[i] > 0.0f);
        }
      }
  }
}

TEST_CASE("a position gets the same bits from every instruction set, alone and in a batch") {
  for (const NetworkConfig& shape : {test::kTiny, NetworkConfig{.blocks = 2, .channels = 48},
                                     NetworkConfig{.blocks = 1, .channels = 200, .value_channels = 17}}) {
    const Checkpoint checkpoint = test::tiny_checkpoint(6, shape);
    const Batch batch = test::random_batch(15, 77);
    const Answers expected = ask(*serve(checkpoint), batch.planes);
    for (const cpu::Kernels& kernels : cpu::usable_kernels()) {
      INFO(kernels.name << ", " << shape.channels << " channels");
      const auto served = make_cpu_network(checkpoint, kernels);
      CHECK(ask(*served, batch.planes) == expected);
      for (const int n : {1, 4, 7}) {  // the last n positions
        const Answers some = ask(*served, {batch.planes.end() - n * kInputSize, batch.planes.end()});
        CHECK(std::equal(some.policy.begin(), some.policy.end(), expected.policy.end() - n * Move::kIndices));
        CHECK(std::equal(some.wdl.begin(), some.wdl.end(), expected.wdl.end() - n * 3));
        CHECK(std::equal(some.plies_left.begin(), some.plies_left.end(), expected.plies_left.end() - n));
      }
    }
  }
}

TEST_CASE("what is not a number comes out, and is not taken for 0") {
  Batch batch = test::random_batch(2, 12);
  batch.planes[100] = std::nanf("");
  for (const cpu::Kernels& kernels : cpu::usable_kernels()) {
    const Answers answers = ask(*make_cpu_network(test::tiny_checkpoint(), kernels), batch.planes);
    CHECK(std::isnan(answers.wdl[0]));
    CHECK_FALSE(std::isnan(answers.wdl[3]));
  }
}

// The learner sees a batch through the batch's own statistics, the served network through the
// running ones. When the same batch comes again and again they are the same, and so are the losses.
TEST_CASE("the served network is the one that was learned") {
  const Batch batch = test::random_batch(16, 21);
  const auto learner = backend().make_learner(test::kTiny, {.learning_rate = 0.0, .average_decay = 0.0}, 3, 1);
  Losses losses;
  for (int i = 0; i < 200; ++i) losses = learner->step(batch);
  const Answers answers = ask(*serve(learner->checkpoint()), batch.planes);

  double policy = 0.0, value = 0.0, total = 0.0;
  for (int i = 0; i < batch.size; ++i) {
    double mass = 0.0, chances = 0.0;
    const auto logit = [&](std::int32_t entry) {
      return answers.policy[i * Move::kIndices + batch.policy_index[entry]];
    };
    const std::int32_t first = batch.policy_offsets[i], last = batch.policy_offsets[i + 1];
    for (std::int32_t m = first; m < last; ++m) mass += std::exp(logit(m));
    for (int k = i * 3; k < (i + 1) * 3; ++k) chances += std::exp(answers.wdl[k]);
    for (std::int32_t m = first; m < last; ++m)
      policy -= batch.weight[i] * batch.policy[m] * (logit(m) - std::log(mass));
    for (int k = i * 3; k < (i + 1) * 3; ++k)
      value -= batch.weight[i] * batch.wdl[k] * (answers.wdl[k] - std::log(chances));
    total += batch.weight[i];
  }
  CHECK(losses.policy == Approx(policy / total).margin(1e-4));
  CHECK(losses.value == Approx(value / total).margin(1e-4));
}

TEST_CASE("the same batch gives the same bits, whatever other threads do") {
  const Checkpoint checkpoint = test::tiny_checkpoint(9, {.blocks = 2, .channels = 16});
  const auto served = GENERATE(false, true) ? backend().serve_with_libtorch(checkpoint) : serve(checkpoint);
  struct Job { Batch batch; Answers expected; };
  std::vector<Job> jobs;
  for (const int n : {1, 3, 16, 32}) {
    jobs.push_back({test::random_batch(n, static_cast<std::uint64_t>(n)), {}});
    jobs.back().expected = ask(*served, jobs.back().batch.planes);
  }
  std::atomic<int> different = 0;
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < jobs.size(); ++first)
    threads.emplace_back([&, first] {
      for (std::size_t round = 0; round < 25; ++round) {
        const Job& job = jobs[(first + round) % jobs.size()];
        different += !(ask(*served, job.batch.planes) == job.expected);
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(different == 0);
}
