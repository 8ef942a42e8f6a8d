#include "nn/torch/learner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "nn/torch/evaluating_network.h"
#include "nn/torch/flat_weights.h"
#include "nn/torch/gradient.h"
#include "nn/torch/tensors.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

constexpr const char* kStateFormat = "gounki-learner";
constexpr const char* kStateVersion = "2";
constexpr const char *kMomentum = "momentum/", *kSecondMomentum = "second_momentum/";
// Share of a batch's statistics in the running ones, once there have been enough batches.
constexpr double kStatisticsRate = 0.1;
constexpr double kAdamEpsilon = 1e-8;

class TorchLearner : public Learner {
 public:
  TorchLearner(const NetworkConfig& network, const LearnerConfig& config, int threads,
               c10::Device device)
      : network_(network), config_(config), cores_(threads), layout_(learning_specs(network)) {
    use_threads(1);
    const auto zeros = [&](std::int64_t n) { return at::zeros({n}, at::device(device).dtype(at::kFloat)); };
    weights_ = zeros(layout_.size());
    average_ = zeros(layout_.size());
    momentum_ = zeros(layout_.parameters());
    if (config_.is_adamw()) second_momentum_ = zeros(layout_.parameters());
    views_ = layout_.views(weights_);
  }

  void start(std::uint64_t seed) {
    initialize(layout_, seed, weights_);
    average_.copy_(weights_);
  }

  void restore(const TensorFile& state, std::int64_t steps) {
    steps_ = steps;
    layout_.read(state, kLearnedWeights, weights_);
    layout_.read(state, kMomentum, momentum_);
    if (config_.is_adamw()) layout_.read(state, kSecondMomentum, second_momentum_);
    layout_.read(state, kAverageWeights, average_);
  }

  Losses step(const Batch& batch) override {
    check_batch(batch);
    return guarded("learner", [&] {
      use_threads(1);
      BatchGradient found = gradient_of(batch, network_, config_, layout_, weights_, cores_);
      check_finite(found.losses);
      const at::NoGradGuard no_gradient;
      update_weights(found.gradient, found.losses.gradient_norm);
      update_statistics(found.statistics);
      ++steps_;
      update_average();
      return found.losses;
    });
  }

  std::int64_t steps() const override { return steps_; }

  Checkpoint checkpoint() const override {
    Checkpoint out;
    out.network = network_;
    out.step = steps_;
    TensorFile all;
    layout_.write(average_, "", all);
    for (const WeightSpec& spec : weight_specs(network_))
      out.weights.tensors[spec.name] = std::move(all.tensors.at(spec.name));
    return out;
  }

  void forward(const float* planes, int n, float* policy, float* wdl, float* plies_left) override {
    guarded("learner", [&] {
      use_threads(1);
      evaluating_forward(network_, layout_.views(average_), planes, n, policy, wdl, plies_left);
    });
  }

  TensorFile state() const override {
    TensorFile file;
    file.metadata = {{"format", kStateFormat},
                     {"format_version", kStateVersion},
                     {"encoder_version", std::to_string(kEncoderVersion)},
                     {"step", std::to_string(steps_)},
                     {"optimizer", config_.optimizer},
                     {"network", network_to_json(network_)}};
    layout_.write(weights_, kLearnedWeights, file);
    layout_.write(momentum_, kMomentum, file);
    if (config_.is_adamw()) layout_.write(second_momentum_, kSecondMomentum, file);
    layout_.write(average_, kAverageWeights, file);
    return file;
  }

 private:
  void check_finite(const Losses& losses) const {
    const std::array<std::pair<double, const char*>, 5> numbers{{{losses.policy, "policy loss"},
                                                                {losses.value, "value loss"},
                                                                {losses.plies, "plies-left loss"},
                                                                {losses.reply, "reply loss"},
                                                                {losses.gradient_norm, "gradient"}}};
    for (const auto& [number, name] : numbers)
      if (!std::isfinite(number))
        throw Failure("learner: the " + std::string(name) + " of step " + std::to_string(steps_ + 1) +
                      " is not finite; the weights are as they were");
  }

  void update_weights(at::Tensor& gradient, double gradient_norm) {
    if (config_.gradient_clip > 0.0 && gradient_norm > config_.gradient_clip)
      gradient.mul_(config_.gradient_clip / gradient_norm);
    const double rate = config_.rate(steps_);
    at::Tensor parameters = weights_.narrow(0, 0, layout_.parameters());
    at::Tensor kernels = weights_.narrow(0, 0, layout_.kernels());
    if (config_.is_adamw()) {
      kernels.mul_(1.0 - rate * config_.weight_decay);
      momentum_.mul_(config_.momentum).add_(gradient, 1.0 - config_.momentum);
      second_momentum_.mul_(config_.second_momentum)
          .addcmul_(gradient, gradient, 1.0 - config_.second_momentum);
      const auto seen = static_cast<double>(steps_ + 1);
      const double first = 1.0 - std::pow(config_.momentum, seen);
      const double second = 1.0 - std::pow(config_.second_momentum, seen);
      parameters.addcdiv_(momentum_, (second_momentum_ / second).sqrt_().add_(kAdamEpsilon), -rate / first);
    } else {
      gradient.narrow(0, 0, layout_.kernels()).add_(kernels, config_.weight_decay);
      momentum_.mul_(config_.momentum).add_(gradient);
      parameters.add_(gradient, -rate).add_(momentum_, -rate * config_.momentum);
    }
  }

  // The first batches count in full, so that what the statistics began with is soon forgotten.
  void update_statistics(const Statistics& statistics) {
    const double rate = std::max(kStatisticsRate, 1.0 / static_cast<double>(steps_ + 1));
    for (const auto& [name, seen] : statistics.values) views_.at(name).mul_(1.0 - rate).add_(seen, rate);
  }

  // Parameters and statistics alike; the same warm beginning.
  void update_average() {
    const double steps = static_cast<double>(steps_);
    const double decay = std::min(config_.average_decay, steps / (steps + 10.0));
    average_.mul_(decay).add_(weights_, 1.0 - decay);
  }

  NetworkConfig network_;
  LearnerConfig config_;
  Cores cores_;
  std::int64_t steps_ = 0;
  FlatLayout layout_;
  at::Tensor weights_, average_, momentum_, second_momentum_;  // flat; the last for AdamW
  NamedTensors views_;                                         // of weights_
};

std::string metadata(const TensorFile& file, const char* key) {
  const auto found = file.metadata.find(key);
  return found == file.metadata.end() ? "" : found->second;
}

// The network whose learner wrote this state, after everything in the state has been checked.
Expected<NetworkConfig> check_state(const TensorFile& state, const LearnerConfig& config,
                                    std::int64_t& steps) {
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
  if (metadata(state, "optimizer") != config.optimizer)
    return fail("learned with the optimizer " + metadata(state, "optimizer") + ", not " + config.optimizer);
  const auto network = network_from_json(metadata(state, "network"));
  if (!network) return network;

  const std::vector<WeightSpec> specs = learning_specs(*network);
  std::vector<WeightSpec> parameters;
  std::ranges::copy_if(specs, std::back_inserter(parameters), [](const WeightSpec& spec) {
    return spec.kind != WeightKind::NormMean && spec.kind != WeightKind::NormVariance;
  });
  std::vector<std::pair<std::string_view, const std::vector<WeightSpec>*>> wanted{
      {kLearnedWeights, &specs}, {kMomentum, &parameters}, {kAverageWeights, &specs}};
  if (config.is_adamw()) wanted.push_back({kSecondMomentum, &parameters});
  for (const auto& [prefix, expected] : wanted)
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
  const auto network = check_state(state, config, steps);
  if (!network) return tl::make_unexpected(network.error());
  auto learner = std::make_unique<TorchLearner>(*network, config, threads, device);
  learner->restore(state, steps);
  return learner;
}

}  // namespace gounki::nn
