#include "nn/torch/learning_network.h"

#include <algorithm>
#include <string>

#include "core/move.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

// From one square after another, channels last: the order of the policy index and of the hidden
// layer's weights.
at::Tensor by_square(const at::Tensor& x) { return x.permute({0, 2, 3, 1}).reshape({x.size(0), -1}); }

at::Tensor linear(const Layers& layers, const at::Tensor& x, const std::string& name) {
  return at::addmm(layers.get(name + ".bias"), x, layers.get(name + ".weight").t());
}

// The slice's part of an array with `width` values a sample.
template <class T>
at::Tensor part(const std::vector<T>& values, const Slice& slice, std::int64_t width, at::ScalarType type) {
  T* first = const_cast<T*>(values.data()) + slice.first * width;
  return at::from_blob(first, width == 1 ? at::IntArrayRef{slice.size} : at::IntArrayRef{slice.size, width},
                       type);
}

// The legal moves and targets as a table with a row for each sample, as wide as the longest list.
struct PolicyTable {
  at::Tensor index, target, legal;  // n x width: int64, float, bool
};

PolicyTable policy_table(const Slice& slice) {
  const auto& offsets = slice.batch.policy_offsets;
  std::int64_t width = 0;
  for (int i = slice.first; i < slice.first + slice.size; ++i)
    width = std::max<std::int64_t>(width, offsets[i + 1] - offsets[i]);
  PolicyTable table{at::zeros({slice.size, width}, at::kLong), at::zeros({slice.size, width}, at::kFloat),
                    at::zeros({slice.size, width}, at::kBool)};
  for (int i = 0; i < slice.size; ++i) {
    const std::int32_t first = offsets[slice.first + i], last = offsets[slice.first + i + 1];
    std::copy(&slice.batch.policy_index[first], &slice.batch.policy_index[first] + (last - first),
              table.index.data_ptr<std::int64_t>() + i * width);
    std::copy(&slice.batch.policy[first], &slice.batch.policy[first] + (last - first),
              table.target.data_ptr<float>() + i * width);
    std::fill_n(table.legal.data_ptr<bool>() + i * width, last - first, true);
  }
  return table;
}

at::Tensor cross_entropy(const at::Tensor& target, const at::Tensor& logits) {
  return -(target * at::log_softmax(logits, 1)).sum(1);
}

}  // namespace

NetworkOutputs learning_forward(const NetworkConfig& network, Layers& layers, const at::Tensor& planes,
                                bool with_reply) {
  at::Tensor x = layers.normed(planes.contiguous(at::MemoryFormat::ChannelsLast), "stem", {});
  for (int i = 0; i < network.blocks; ++i) {
    const std::string block = "block" + std::to_string(i);
    x = layers.normed(layers.normed(x, block + ".first", {}), block + ".second", x);
  }
  NetworkOutputs out;
  out.policy = by_square(layers.biased(x, "policy"));
  const at::Tensor hidden = linear(layers, by_square(layers.normed1x1(x, "value")), "hidden").relu_();
  out.wdl = linear(layers, hidden, "wdl");
  out.plies_left = at::softplus(linear(layers, hidden, "plies")).squeeze(1);
  if (with_reply)
    out.reply = by_square(at::conv2d(x, layers.get("reply.weight"), layers.get("reply.bias")));
  return out;
}

at::Tensor planes_of(const Slice& slice) {
  return part(slice.batch.planes, slice, kInputSize, at::kFloat).view({slice.size, kPlanes, 8, 8});
}

LossTensors losses(const NetworkOutputs& outputs, const Slice& slice, double total_weight,
                   const LearnerConfig& config) {
  const c10::Device device = outputs.policy.device();
  const PolicyTable table = policy_table(slice);
  const at::Tensor target = table.target.to(device);
  const at::Tensor wdl = part(slice.batch.wdl, slice, 3, at::kFloat).to(device);
  const at::Tensor plies = part(slice.batch.plies_left, slice, 1, at::kFloat).to(device);
  const at::Tensor reply = part(slice.batch.reply, slice, 1, at::kInt).to(device, at::kLong);
  const at::Tensor weights = part(slice.batch.weight, slice, 1, at::kFloat).to(device) / total_weight;

  // Only legal moves have a probability. Places without a move get a logit that leaves them none; not
  // minus infinity: their targets are 0, and 0 times that is not a number.
  const at::Tensor logits =
      outputs.policy.gather(1, table.index.to(device)).masked_fill(table.legal.to(device).logical_not(), -1e9);

  LossTensors out;
  out.policy = (cross_entropy(target, logits) * weights).sum();
  out.value = (cross_entropy(wdl, outputs.wdl) * weights).sum();
  // Huber's loss: a game that goes on for ever should not outweigh the others.
  const at::Tensor far = at::smooth_l1_loss(outputs.plies_left, plies.clamp_min(0) / kPliesUnit,
                                            at::Reduction::None);
  out.plies = (far * plies.ge(0) * weights).sum();
  out.total = out.policy + config.value_weight * out.value + config.plies_weight * out.plies;
  if (outputs.reply.defined()) {
    const at::Tensor surprise =
        -at::log_softmax(outputs.reply, 1).gather(1, reply.clamp_min(0).unsqueeze(1)).squeeze(1);
    out.reply = (surprise * reply.ge(0) * weights).sum();
    out.total = out.total + config.reply_weight * out.reply;
  } else {
    out.reply = at::zeros_like(out.total);
  }
  out.policy_entropy = (-at::xlogy(target, target).sum(1) * weights).sum();
  out.value_accuracy = (outputs.wdl.argmax(1).eq(wdl.argmax(1)) * weights).sum();
  return out;
}

}  // namespace gounki::nn
