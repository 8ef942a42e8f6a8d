#include "nn/torch/learning_network.h"

#include <vector>

#include "core/move.h"
#include "nn/torch/convolution.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

class ForwardPass {
 public:
  ForwardPass(const std::map<std::string, at::Tensor>& weights,
              std::map<std::string, at::Tensor>& statistics)
      : weights_(weights), statistics_(statistics) {}

  at::Tensor normed_convolution(const at::Tensor& x, const std::string& name) {
    const at::Tensor& weight = get(name + ".weight");
    const at::Tensor y = weight.size(2) == 3 ? convolution3x3(x, weight) : at::conv2d(x, weight);
    // Without running statistics, so that a step that fails has changed nothing.
    const auto [normed, mean, inverse_deviation] =
        at::native_batch_norm(y, get(name + ".scale"), get(name + ".shift"), {}, {},
                              /*training=*/true, /*momentum=*/0.0, kNormEpsilon);
    statistics_[name + ".mean"] = mean.detach();
    statistics_[name + ".variance"] = inverse_deviation.detach().pow(-2).sub(kNormEpsilon);
    return normed;
  }
  at::Tensor biased_convolution(const at::Tensor& x, const std::string& name) {
    return convolution3x3(x, get(name + ".weight")) + get(name + ".bias").view({1, -1, 1, 1});
  }
  at::Tensor linear(const at::Tensor& x, const std::string& name) {
    return at::addmm(get(name + ".bias"), x, get(name + ".weight").t());
  }

 private:
  const at::Tensor& get(const std::string& name) const { return weights_.at(name); }

  const std::map<std::string, at::Tensor>& weights_;
  std::map<std::string, at::Tensor>& statistics_;
};

template <class T>
at::Tensor wrap(const std::vector<T>& values, at::IntArrayRef shape, at::ScalarType type,
                c10::Device device) {
  return at::from_blob(const_cast<T*>(values.data()), shape, type).to(device);
}

// The mean of one number a sample.
at::Tensor weighted_mean(const at::Tensor& values, const at::Tensor& weights) {
  return (values * weights).sum();
}

at::Tensor cross_entropy(const at::Tensor& target, const at::Tensor& logits) {
  return -(target * at::log_softmax(logits, 1)).sum(1);
}

}  // namespace

NetworkOutputs learning_forward(const NetworkConfig& network,
                                const std::map<std::string, at::Tensor>& weights,
                                const at::Tensor& planes) {
  NetworkOutputs out;
  ForwardPass pass(weights, out.statistics);
  const std::int64_t n = planes.size(0);

  at::Tensor x = pass.normed_convolution(planes.contiguous(at::MemoryFormat::ChannelsLast), "stem").relu_();
  for (int i = 0; i < network.blocks; ++i) {
    const std::string block = "block" + std::to_string(i);
    const at::Tensor y = pass.normed_convolution(x, block + ".first").relu_();
    x = pass.normed_convolution(y, block + ".second").add_(x).relu_();
  }
  // Square by square, channels last: the order of the policy index and of the hidden layer's weights.
  out.policy = pass.biased_convolution(x, "policy").permute({0, 2, 3, 1}).reshape({n, Move::kIndices});
  const at::Tensor value = pass.normed_convolution(x, "value").relu_();
  const at::Tensor hidden =
      pass.linear(value.permute({0, 2, 3, 1}).reshape({n, -1}), "hidden").relu_();
  out.wdl = pass.linear(hidden, "wdl");
  out.plies_left = at::softplus(pass.linear(hidden, "plies")).squeeze(1);
  return out;
}

LossTensors losses(const NetworkOutputs& outputs, const Batch& batch, const LearnerConfig& config) {
  const c10::Device device = outputs.policy.device();
  const std::int64_t n = batch.size;
  const at::Tensor policy = wrap(batch.policy, {n, Move::kIndices}, at::kFloat, device);
  const at::Tensor illegal = wrap(batch.legal, {n, Move::kIndices}, at::kByte, device).eq(0);
  const at::Tensor wdl = wrap(batch.wdl, {n, 3}, at::kFloat, device);
  const at::Tensor plies = wrap(batch.plies_left, {n}, at::kFloat, device);
  at::Tensor weights = wrap(batch.weight, {n}, at::kFloat, device);
  weights = weights / weights.sum();

  // Illegal moves get no probability and no gradient. Not minus infinity: their targets are 0, and
  // 0 times that is not a number.
  const at::Tensor logits = outputs.policy.masked_fill(illegal, -1e9);
  const at::Tensor known = plies.ge(0);
  const at::Tensor plies_target = plies.clamp_min(0) / kPliesUnit;

  LossTensors out;
  out.policy = weighted_mean(cross_entropy(policy, logits), weights);
  out.value = weighted_mean(cross_entropy(wdl, outputs.wdl), weights);
  // Huber's loss: a game that goes on for ever should not outweigh the others.
  out.plies = weighted_mean(
      at::smooth_l1_loss(outputs.plies_left, plies_target, at::Reduction::None) * known, weights);
  out.total = out.policy + config.value_weight * out.value + config.plies_weight * out.plies;
  out.policy_entropy = weighted_mean(-at::xlogy(policy, policy).sum(1), weights);
  out.value_accuracy = weighted_mean(outputs.wdl.argmax(1).eq(wdl.argmax(1)), weights);
  return out;
}

}  // namespace gounki::nn
