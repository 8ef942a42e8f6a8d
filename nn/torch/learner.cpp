#include "nn/torch/learner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "nn/torch/flat_weights.h"
#include "nn/torch/learning_network.h"
#include "nn/torch/tensors.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

constexpr const char* kStateFormat = "gounki-learner";
constexpr const char* kStateVersion = "1";
constexpr const char *kWeights = "weights/", *kMomentum = "momentum/", *kAverage = "average/";
// Share of a batch's statistics in the running ones, once there have been enough batches.
constexpr double kStatisticsRate = 0.1;

class TorchLearner : public Learner {
 public:
  TorchLearner(const NetworkConfig& network, const LearnerConfig& config, int threads,
               c10::Device device)
      : network_(network), config_(config), threads_(threads), device_(device),
        layout_(weight_specs(network)) {
    use_threads(threads_);
    const auto zeros = [&](std::int64_t n) { return at::zeros({n}, at::device(device).dtype(at::kFloat)); };
    weights_ = zeros(layout_.size());
    average_ = zeros(layout_.size());
    momentum_ = zeros(layout_.parameters());
    gradient_ = zeros(layout_.parameters());
    views_ = layout_.views(weights_);
    for (auto& [name, gradient] : layout_.views(gradient_)) {
      views_.at(name).requires_grad_(true);
      views_.at(name).mutable_grad() = gradient;  // backward adds to it in place
    }
  }

  void start(std::uint64_t seed) {
    initialize(layout_, seed, weights_);
    average_.copy_(weights_);
  }

  void restore(const TensorFile& state, std::int64_t steps) {
    steps_ = steps;
    layout_.read(state, kWeights, weights_);
    layout_.read(state, kMomentum, momentum_);
    layout_.read(state, kAverage, average_);
  }

  Losses step(const Batch& batch) override {
    check_batch(batch);
    return guarded("learner", [&] {
      use_threads(threads_);
      std::map<std::string, at::Tensor> statistics;
      Losses result = compute_gradient(batch, statistics);
      const at::NoGradGuard no_gradient;
      update_weights(result.gradient_norm);
      update_statistics(statistics);
      ++steps_;
      update_average();
      return result;
    });
  }

  std::int64_t steps() const override { return steps_; }

  Checkpoint checkpoint() const override {
    Checkpoint out;
    out.network = network_;
    out.step = steps_;
    layout_.write(average_, "", out.weights);
    return out;
  }

  TensorFile state() const override {
    TensorFile file;
    file.metadata = {{"format", kStateFormat},
                     {"format_version", kStateVersion},
                     {"encoder_version", std::to_string(kEncoderVersion)},
                     {"step", std::to_string(steps_)},
                     {"network", network_to_json(network_)}};
    layout_.write(weights_, kWeights, file);
    layout_.write(momentum_, kMomentum, file);
    layout_.write(average_, kAverage, file);
    return file;
  }

 private:
  // Leaves the gradient in gradient_. Throws before anything else has changed.
  Losses compute_gradient(const Batch& batch, std::map<std::string, at::Tensor>& statistics) {
    const at::AutoGradMode with_gradient(true);
    gradient_.zero_();
    const at::Tensor planes =
        at::from_blob(const_cast<float*>(batch.planes.data()), {batch.size, kPlanes, 8, 8}, at::kFloat);
    NetworkOutputs outputs = learning_forward(network_, views_, planes.to(device_));
    const LossTensors tensors = losses(outputs, batch, config_);
    tensors.total.backward();
    statistics = std::move(outputs.statistics);

    const at::Tensor numbers =
        at::stack({tensors.total, tensors.policy, tensors.value, tensors.plies, tensors.policy_entropy,
                   tensors.value_accuracy, gradient_.norm()})
            .detach().to(at::kCPU, at::kDouble).contiguous();
    const double* n = numbers.data_ptr<double>();
    const Losses result{n[0], n[1], n[2], n[3], n[4], n[5], n[6]};
    check_finite(result);
    return result;
  }

  void check_finite(const Losses& losses) const {
    const std::array<std::pair<double, const char*>, 4> numbers{{{losses.policy, "policy loss"},
                                                                {losses.value, "value loss"},
                                                                {losses.plies, "plies-left loss"},
                                                                {losses.gradient_norm, "gradient"}}};
    for (const auto& [number, name] : numbers)
      if (!std::isfinite(number))
        throw Failure("learner: the " + std::string(name) + " of step " + std::to_string(steps_ + 1) +
                      " is not finite; the weights are as they were");
  }

  void update_weights(double gradient_norm) {
    if (config_.gradient_clip > 0.0 && gradient_norm > config_.gradient_clip)
      gradient_.mul_(config_.gradient_clip / gradient_norm);
    gradient_.narrow(0, 0, layout_.kernels())
        .add_(weights_.narrow(0, 0, layout_.kernels()), config_.weight_decay);
    const double warm = std::min(1.0, static_cast<double>(steps_ + 1) / std::max(1, config_.warmup_steps));
    const double rate = config_.learning_rate * warm;
    momentum_.mul_(config_.momentum).add_(gradient_);
    at::Tensor parameters = weights_.narrow(0, 0, layout_.parameters());
    parameters.add_(gradient_, -rate).add_(momentum_, -rate * config_.momentum);
  }

  // The first batches count in full, so that what the statistics began with is soon forgotten.
  void update_statistics(const std::map<std::string, at::Tensor>& statistics) {
    const double rate = std::max(kStatisticsRate, 1.0 / static_cast<double>(steps_ + 1));
    for (const auto& [name, seen] : statistics) views_.at(name).mul_(1.0 - rate).add_(seen, rate);
  }

  // Parameters and statistics alike; the same warm beginning.
  void update_average() {
    const double steps = static_cast<double>(steps_);
    const double decay = std::min(config_.average_decay, steps / (steps + 10.0));
    average_.mul_(decay).add_(weights_, 1.0 - decay);
  }

  NetworkConfig network_;
  LearnerConfig config_;
  int threads_;
  c10::Device device_;
  std::int64_t steps_ = 0;
  FlatLayout layout_;
  at::Tensor weights_, average_, momentum_, gradient_;  // flat
  std::map<std::string, at::Tensor> views_;             // of weights_
};

std::string metadata(const TensorFile& file, const char* key) {
  const auto found = file.metadata.find(key);
  return found == file.metadata.end() ? "" : found->second;
}

// The network whose learner wrote this state, after everything in the state has been checked.
Expected<NetworkConfig> check_state(const TensorFile& state, std::int64_t& steps) {
  if (metadata(state, "format") != kStateFormat || metadata(state, "format_version") != kStateVersion)
    return fail(std::string("not a learner's state: its metadata does not say format ") + kStateFormat +
                " " + kStateVersion);
  if (metadata(state, "encoder_version") != std::to_string(kEncoderVersion))
    return fail("made for encoder version " + metadata(state, "encoder_version") +
                ", this program has " + std::to_string(kEncoderVersion));
  const std::string step = metadata(state, "step");
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), steps);
  if (error != std::errc() || end != step.data() + step.size() || steps < 0)
    return fail("its metadata's step is not a number");
  const auto network = network_from_json(metadata(state, "network"));
  if (!network) return network;

  const std::vector<WeightSpec> specs = weight_specs(*network);
  std::vector<WeightSpec> parameters;
  std::ranges::copy_if(specs, std::back_inserter(parameters), [](const WeightSpec& spec) {
    return spec.kind != WeightKind::NormMean && spec.kind != WeightKind::NormVariance;
  });
  for (const auto& [prefix, expected] : {std::pair{kWeights, &specs}, {kMomentum, &parameters},
                                         {kAverage, &specs}})
    if (const auto checked = check_weights(state, *expected, prefix); !checked)
      return tl::make_unexpected(checked.error());
  return network;
}

}  // namespace

std::unique_ptr<Learner> make_torch_learner(const NetworkConfig& network, const LearnerConfig& config,
                                            std::uint64_t seed, int threads, c10::Device device) {
  auto learner = std::make_unique<TorchLearner>(network, config, threads, device);
  learner->start(seed);
  return learner;
}

Expected<std::unique_ptr<Learner>> restore_torch_learner(const TensorFile& state,
                                                         const LearnerConfig& config, int threads,
                                                         c10::Device device) {
  std::int64_t steps = 0;
  const auto network = check_state(state, steps);
  if (!network) return tl::make_unexpected(network.error());
  auto learner = std::make_unique<TorchLearner>(*network, config, threads, device);
  learner->restore(state, steps);
  return learner;
}

}  // namespace gounki::nn
