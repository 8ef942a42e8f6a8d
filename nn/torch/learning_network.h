// The network as it learns: a forward pass that gradients flow back through, with batch norms that
// use the batch's own statistics.
#pragma once

#include <map>
#include <string>

#include <ATen/ATen.h>

#include "nn/network.h"

namespace gounki::nn {

struct NetworkOutputs {
  at::Tensor policy;      // n x 2048 logits
  at::Tensor wdl;         // n x 3 logits
  at::Tensor plies_left;  // n, in units of kPliesUnit
  // What each batch norm saw in this batch, by the names of the running statistics ("stem.mean", …).
  std::map<std::string, at::Tensor> statistics;
};

NetworkOutputs learning_forward(const NetworkConfig& network,
                                const std::map<std::string, at::Tensor>& weights,
                                const at::Tensor& planes);

// Each a scalar: a weighted mean over the batch.
struct LossTensors {
  at::Tensor total, policy, value, plies, policy_entropy, value_accuracy;
};

LossTensors losses(const NetworkOutputs& outputs, const Batch& batch, const LearnerConfig& config);

}  // namespace gounki::nn
