#include "nn/network_speed.h"

#include <set>

#include <catch2/catch.hpp>

#include "nn/cpu/cpu_network.h"
#include "nn/weights.h"

using namespace gounki;
using namespace gounki::nn;

namespace {
const NetworkConfig kSmall{.blocks = 1, .channels = 8, .value_channels = 2, .value_hidden = 8};
}

TEST_CASE("a checkpoint at random is a whole one, and follows from its seed") {
  const Checkpoint checkpoint = random_checkpoint(kSmall, 3);
  CHECK(checkpoint.network == kSmall);
  CHECK(check_weights(checkpoint.weights, weight_specs(kSmall)));
  const auto stem = [](const Checkpoint& c) { return c.weights.tensors.at("stem.weight").data; };
  CHECK(stem(checkpoint) == stem(random_checkpoint(kSmall, 3)));
  CHECK(stem(checkpoint) != stem(random_checkpoint(kSmall, 4)));
}

TEST_CASE("the arithmetic of a network is counted layer by layer") {
  const double convolutions = 64.0 * 9 * (kPlanes * 8 + 2 * 8 * 8 + 32 * 8);
  const double value = 64.0 * 8 * 2 + 64 * 2 * 8 + 8 * 3 + 8;
  // Layers that a later network may have besides are counted too.
  CHECK(direct_multiply_adds(kSmall) >= convolutions + value);
  CHECK(direct_multiply_adds(kSmall) < 1.5 * (convolutions + value));
}

TEST_CASE("every form is measured at every batch") {
  const NetworkSpeed speed = measure_network(random_checkpoint(kSmall, 1), 0.1);
  CHECK(speed.libtorch_problem.empty());
  REQUIRE(speed.forms.size() == cpu::usable_kernels().size() + 1);
  CHECK(speed.forms.back().name == "LibTorch");
  double highest = 0, fastest = 0;
  for (const FormSpeed& form : speed.forms) {
    INFO(form.name);
    REQUIRE(form.batches.size() == 8);
    CHECK(form.batches.front().batch == 1);
    CHECK(form.batches.back().batch == 128);
    for (const BatchSpeed& batch : form.batches) {
      CHECK(batch.positions_per_second > 0);
      CHECK(batch.positions_per_second <= form.best().positions_per_second);
    }
    CHECK((form.peak_gflops > 0) == (form.name != "LibTorch"));
    CHECK((form.executed_multiply_adds > 0) == (form.name != "LibTorch"));
    highest = std::max(highest, form.peak_gflops);
    fastest = std::max(fastest, form.best().positions_per_second);
  }
  CHECK(speed.core_peak_gflops == highest);
  CHECK(speed.best().best().positions_per_second == fastest);
  CHECK(speed.gflops(1e9) == Approx(2 * speed.direct_multiply_adds));
  CHECK(speed.one_thread > 0);
  CHECK(speed.two_threads > 0);
  CHECK(speed.beside_us > 0);
  CHECK(speed.forward_us > 0);
}

TEST_CASE("the loop at the peak computes multiply-adds") {
  for (const cpu::Kernels& kernels : cpu::usable_kernels()) {
    std::vector<float> sums(static_cast<std::size_t>(kernels.peak_multiply_adds), 4.0f);
    kernels.run_at_peak(2, sums.data());
    CHECK(std::set<float>(sums.begin(), sums.end()) == std::set<float>{2.5f});  // 4 to 3 to 2.5
  }
}
