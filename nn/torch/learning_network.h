// The network as it learns, over one slice of a batch: a forward pass that gradients flow back through,
// and the losses.
#pragma once

#include <ATen/ATen.h>

#include "nn/network.h"
#include "nn/torch/layers.h"

namespace gounki::nn {

struct NetworkOutputs {
  at::Tensor policy;      // n x 2048 logits
  at::Tensor wdl;         // n x 3 logits
  at::Tensor plies_left;  // n, in units of kPliesUnit
  at::Tensor reply;       // n x 2048 logits; undefined where it is not asked for
};

NetworkOutputs learning_forward(const NetworkConfig& network, Layers& layers, const at::Tensor& planes,
                                bool with_reply);

// Samples first … first + size - 1 of a batch.
struct Slice {
  const Batch& batch;
  int first, size;
};

at::Tensor planes_of(const Slice& slice);

// Each a scalar. Weights are shares of `total_weight`, so the terms of a batch's slices add up to the
// batch's weighted means.
struct LossTensors {
  at::Tensor total, policy, value, plies, reply, policy_entropy, value_accuracy;
};

LossTensors losses(const NetworkOutputs& outputs, const Slice& slice, double total_weight,
                   const LearnerConfig& config);

}  // namespace gounki::nn
