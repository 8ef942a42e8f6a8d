#include "nn/torch/evaluating_network.h"

#include <cstring>
#include <string>

#include <ATen/core/grad_mode.h>

#include "core/move.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

void copy_out(const at::Tensor& from, float* out) {
  const at::Tensor plain = from.to(at::kCPU, at::kFloat).contiguous();
  std::memcpy(out, plain.data_ptr<float>(), plain.nbytes());
}

}  // namespace

void evaluating_forward(const NetworkConfig& network, const NamedTensors& weights, const float* planes, int n,
                        float* policy, float* wdl, float* plies_left) {
  const at::NoGradGuard no_gradient;
  const auto get = [&](const std::string& name) { return weights.at(name); };
  const auto normed = [&](const at::Tensor& x, const std::string& name) {
    const at::Tensor weight = get(name + ".weight");
    const at::Tensor y = at::conv2d(x, weight, {}, 1, weight.size(2) / 2);
    return at::batch_norm(y, get(name + ".scale"), get(name + ".shift"), get(name + ".mean"),
                          get(name + ".variance"), /*training=*/false, 0.0, kNormEpsilon,
                          /*cudnn_enabled=*/false);
  };
  const auto linear = [&](const at::Tensor& x, const std::string& name) {
    return at::addmm(get(name + ".bias"), x, get(name + ".weight").t());
  };
  const auto by_square = [&](const at::Tensor& x) { return x.permute({0, 2, 3, 1}).reshape({n, -1}); };

  at::Tensor x = at::from_blob(const_cast<float*>(planes), {n, kPlanes, 8, 8}, at::kFloat)
                     .to(get("stem.weight").device());
  x = normed(x, "stem").relu();
  for (int i = 0; i < network.blocks; ++i) {
    const std::string block = "block" + std::to_string(i);
    x = (normed(normed(x, block + ".first").relu(), block + ".second") + x).relu();
  }
  copy_out(by_square(at::conv2d(x, get("policy.weight"), get("policy.bias"), 1, 1)), policy);
  const at::Tensor hidden = linear(by_square(normed(x, "value").relu()), "hidden").relu();
  copy_out(linear(hidden, "wdl"), wdl);
  copy_out(at::softplus(linear(hidden, "plies")) * kPliesUnit, plies_left);
}

}  // namespace gounki::nn
