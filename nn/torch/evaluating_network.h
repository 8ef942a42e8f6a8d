// The network as it is learned, asked without folding anything: convolution, then batch norm by the
// running statistics, by LibTorch's plain operators.
#pragma once

#include "nn/network.h"
#include "nn/torch/layers.h"

namespace gounki::nn {

// Shapes as ServedNetwork::forward has them; the weights' device does the work.
void evaluating_forward(const NetworkConfig& network, const NamedTensors& weights, const float* planes, int n,
                        float* policy, float* wdl, float* plies_left);

}  // namespace gounki::nn
