// The gradient of a batch's losses. On a processor the batch is cut into slices of a fixed size, each
// of which one core works through from the planes to the gradient, so cores wait for one another once a
// step, and what they work on stays in their caches. A slice's batch norms see that slice alone (Hoffer
// et al. 2017, "ghost" batch norms). Slices are added up in their order: the result does not depend on
// the number of threads.
#pragma once

#include <ATen/ATen.h>

#include "mcts/workers.h"
#include "nn/network.h"
#include "nn/torch/flat_weights.h"
#include "nn/torch/layers.h"

namespace gounki::nn {

struct BatchGradient {
  at::Tensor gradient;  // flat, of the layout's parameters
  Losses losses;
  Statistics statistics;  // over the whole batch
};

// The cores of a processor that work on it.
struct Cores {
  explicit Cores(int count) : count(count), workers(count) {}
  const int count;
  mcts::Workers workers;
};

// `weights` is flat.
BatchGradient gradient_of(const Batch& batch, const NetworkConfig& network, const LearnerConfig& config,
                          const FlatLayout& layout, const at::Tensor& weights, Cores& cores);

}  // namespace gounki::nn
