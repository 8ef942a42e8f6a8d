#include <algorithm>
#include <cmath>
#include <numbers>

#include "nn/network.h"

namespace gounki::nn {

double LearnerConfig::rate(std::int64_t step) const {
  if (step < warmup_steps)
    return learning_rate * static_cast<double>(step + 1) / static_cast<double>(warmup_steps);
  if (decay_steps == 0) return learning_rate;
  const double way =
      std::min(1.0, static_cast<double>(step - warmup_steps) / static_cast<double>(decay_steps));
  const double left = 0.5 + 0.5 * std::cos(std::numbers::pi * way);
  return learning_rate * (decay_to + (1.0 - decay_to) * left);
}

Expected<void> LearnerConfig::check() const {
  if (optimizer != "sgd" && optimizer != "adamw")
    return fail("optimizer: expected \"sgd\" or \"adamw\", found \"" + optimizer + "\"");
  return {};
}

}  // namespace gounki::nn
