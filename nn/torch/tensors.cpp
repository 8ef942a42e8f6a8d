#include "nn/torch/tensors.h"

#include <cstring>

#include <ATen/Parallel.h>

namespace gounki::nn {

at::Tensor to_tensor(const Tensor& tensor) {
  at::Tensor out = at::empty(tensor.shape, at::kFloat);
  TORCH_CHECK(tensor.dtype == "F32" && tensor.data.size() == out.nbytes(), "a tensor's size is off");
  std::memcpy(out.data_ptr<float>(), tensor.data.data(), tensor.data.size());
  return out;
}

Tensor from_tensor(const at::Tensor& tensor) {
  const at::Tensor in = tensor.detach().to(at::kCPU, at::kFloat).contiguous();
  Tensor out;
  out.shape = in.sizes().vec();
  out.data.resize(in.nbytes());
  std::memcpy(out.data.data(), in.data_ptr<float>(), out.data.size());
  return out;
}

void use_threads(int threads) {
  // Setting it also resizes a pool that all threads share, so not without need.
  if (at::get_num_threads() != threads) at::set_num_threads(threads);
}

}  // namespace gounki::nn
