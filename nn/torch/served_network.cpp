#include "nn/torch/served_network.h"

#include <cstring>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "core/move.h"
#include "nn/torch/tensors.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

constexpr auto kChannelsLast = at::MemoryFormat::ChannelsLast;

// A convolution that keeps 8x8, with bias and perhaps a relu.
struct Convolution {
  at::Tensor weight, bias;
  bool relu;

  at::Tensor operator()(const at::Tensor& in) const {
    at::Tensor out = at::conv2d(in, weight, bias, 1, weight.size(2) / 2);
    return relu ? out.relu_() : out;
  }
};

struct Linear {
  at::Tensor weight, bias;
  at::Tensor operator()(const at::Tensor& in) const { return at::addmm(bias, in, weight.t()); }
};

class FoldedNetwork : public ServedNetwork {
 public:
  FoldedNetwork(const Checkpoint& checkpoint, c10::Device device)
      : device_(device),
        stem_(folded(checkpoint, "stem", true)),
        policy_(convolution(tensor(checkpoint, "policy.weight"), tensor(checkpoint, "policy.bias"), false)),
        value_(folded(checkpoint, "value", true)),
        hidden_(linear(checkpoint, "hidden")),
        wdl_(linear(checkpoint, "wdl")),
        plies_(linear(checkpoint, "plies")) {
    for (int i = 0; i < checkpoint.network.blocks; ++i) {
      const std::string block = "block" + std::to_string(i);
      blocks_.push_back({folded(checkpoint, block + ".first", true),
                         folded(checkpoint, block + ".second", false)});
    }
  }

  void forward(const float* planes, int n, float* policy, float* wdl,
               float* plies_left) const override {
    guarded("network", [&] {
      const c10::InferenceMode inference;
      use_threads(1);
      ask(planes, n, policy, wdl, plies_left);
    });
  }

 private:
  struct Block { Convolution first, second; };

  static at::Tensor tensor(const Checkpoint& checkpoint, const std::string& name) {
    return to_tensor(checkpoint.weights.tensors.at(name));
  }

  Convolution convolution(const at::Tensor& weight, const at::Tensor& bias, bool relu) const {
    return {weight.to(device_, at::kFloat).contiguous(kChannelsLast), bias.to(device_, at::kFloat), relu};
  }

  // The convolution with its batch norm made part of weights and bias.
  Convolution folded(const Checkpoint& checkpoint, const std::string& name, bool relu) const {
    const auto get = [&](const char* part) { return tensor(checkpoint, name + part).to(at::kDouble); };
    const at::Tensor factor = get(".scale") / (get(".variance") + kNormEpsilon).sqrt();
    const at::Tensor weight = get(".weight") * factor.view({-1, 1, 1, 1});
    const at::Tensor bias = get(".shift") - get(".mean") * factor;
    return convolution(weight, bias, relu);
  }

  Linear linear(const Checkpoint& checkpoint, const std::string& name) const {
    return {tensor(checkpoint, name + ".weight").to(device_),
            tensor(checkpoint, name + ".bias").to(device_)};
  }

  void ask(const float* planes, int n, float* policy, float* wdl, float* plies_left) const {
    const at::Tensor in = at::from_blob(const_cast<float*>(planes), {n, kPlanes, 8, 8}, at::kFloat);
    at::Tensor x = stem_(in.to(device_).contiguous(kChannelsLast));
    for (const Block& block : blocks_) x = block.second(block.first(x)).add_(x).relu_();

    // Channels last is the order of the policy index and of the hidden layer's weights.
    copy_out(policy_(x).permute({0, 2, 3, 1}), policy);
    const at::Tensor hidden = hidden_(value_(x).permute({0, 2, 3, 1}).reshape({n, -1})).relu_();
    copy_out(wdl_(hidden), wdl);
    copy_out(at::softplus(plies_(hidden)) * kPliesUnit, plies_left);
  }

  static void copy_out(const at::Tensor& tensor, float* out) {
    const at::Tensor plain = tensor.to(at::kCPU).contiguous();
    std::memcpy(out, plain.data_ptr<float>(), plain.nbytes());
  }

  c10::Device device_;
  Convolution stem_;
  std::vector<Block> blocks_;
  Convolution policy_, value_;
  Linear hidden_, wdl_, plies_;
};

}  // namespace

std::unique_ptr<ServedNetwork> make_served_network(const Checkpoint& checkpoint, c10::Device device) {
  const c10::InferenceMode inference;
  return std::make_unique<FoldedNetwork>(checkpoint, device);
}

}  // namespace gounki::nn
