// The 3x3 convolution of the learning network.
#pragma once

#include <ATen/ATen.h>

namespace gounki::nn {

// x is n x inputs x 8 x 8, weight outputs x inputs x 3 x 3; the result is n x outputs x 8 x 8.
// Gradients flow back through it. On a processor it runs on the kernels of nn/cpu, which take a third
// of the time of oneDNN; on a GPU it is conv2d.
at::Tensor convolution3x3(const at::Tensor& x, const at::Tensor& weight);

}  // namespace gounki::nn
