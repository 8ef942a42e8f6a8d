#include <catch2/catch.hpp>

#include "nn/network.h"

using namespace gounki;
using namespace gounki::nn;

TEST_CASE("the learning rate rises, stays or falls by its schedule") {
  LearnerConfig config;
  config.learning_rate = 0.8;
  config.warmup_steps = 4;
  CHECK(config.rate(0) == Approx(0.2));
  CHECK(config.rate(3) == Approx(0.8));
  CHECK(config.rate(1'000'000) == Approx(0.8));

  config.decay_steps = 100;
  config.decay_to = 0.25;
  CHECK(config.rate(4) == Approx(0.8));
  CHECK(config.rate(54) == Approx(0.5));  // half of the way
  CHECK(config.rate(104) == Approx(0.2));
  CHECK(config.rate(100'000) == Approx(0.2));
  for (int step = 5; step < 110; ++step) CHECK(config.rate(step) <= config.rate(step - 1));

  config.warmup_steps = 0;
  CHECK(config.rate(0) == Approx(0.8));
}

TEST_CASE("an optimizer must be one of those that there are") {
  LearnerConfig config;
  CHECK(config.check());
  config.optimizer = "adamw";
  CHECK(config.check());
  config.optimizer = "adam";
  REQUIRE_FALSE(config.check());
  CHECK_THAT(config.check().error().message, Catch::Contains("found \"adam\""));
}
