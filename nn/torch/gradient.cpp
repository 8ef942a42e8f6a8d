#include "nn/torch/gradient.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/grad_mode.h>

#include "nn/torch/learning_network.h"
#include "nn/torch/tensors.h"

namespace gounki::nn {
namespace {

// Small enough for a core's second level of cache, large enough for a batch norm's statistics.
constexpr int kSliceSize = 64;

struct SliceResult {
  at::Tensor gradient;  // flat; without the weights of 3x3 convolutions that StepConvolutions keep
  at::Tensor numbers;   // losses in the order of kNumbers, doubles
  Statistics statistics;
};

constexpr std::array kNumbers{&Losses::total,          &Losses::policy,        &Losses::value,
                              &Losses::plies,          &Losses::reply,         &Losses::policy_entropy,
                              &Losses::value_accuracy};

// Parts of nearly equal size.
std::vector<Slice> slices_of(const Batch& batch, bool on_processor) {
  const int count = on_processor ? (batch.size + kSliceSize - 1) / kSliceSize : 1;
  std::vector<Slice> slices;
  for (int i = 0; i < count; ++i) {
    const int first = static_cast<int>(std::int64_t{batch.size} * i / count);
    const int last = static_cast<int>(std::int64_t{batch.size} * (i + 1) / count);
    slices.push_back({batch, first, last - first});
  }
  return slices;
}

class GradientStep {
 public:
  GradientStep(const Batch& batch, const NetworkConfig& network, const LearnerConfig& config,
               const FlatLayout& layout, const at::Tensor& weights, Cores& cores)
      : cores_(cores), network_(network), config_(config), layout_(layout), weights_(weights),
        on_processor_(weights.is_cpu()), slices_(slices_of(batch, on_processor_)),
        results_(slices_.size()),
        total_weight_(std::accumulate(batch.weight.begin(), batch.weight.end(), 0.0)) {}

  BatchGradient run() {
    if (on_processor_) prepare_convolutions();
    in_parallel(slices_.size(), [&](std::size_t s) { results_[s] = work_through(static_cast<int>(s)); });
    BatchGradient out;
    out.gradient = std::move(results_[0].gradient);
    at::Tensor numbers = results_[0].numbers;
    for (std::size_t s = 1; s < results_.size(); ++s) {
      out.gradient.add_(results_[s].gradient);
      numbers = numbers + results_[s].numbers;
    }
    if (on_processor_) write_convolutions(out.gradient);
    numbers = numbers.to(at::kCPU);
    for (std::size_t i = 0; i < kNumbers.size(); ++i)
      out.losses.*kNumbers[i] = numbers.data_ptr<double>()[i];
    out.losses.gradient_norm = out.gradient.norm().item<double>();
    out.statistics = all_statistics();
    return out;
  }

 private:
  // Each core takes the next part when it has done one; LibTorch's operators stay in the core that calls.
  void in_parallel(std::size_t parts, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    cores_.workers.run(std::min(cores_.count, static_cast<int>(parts)), [&](int) {
      use_threads(1);
      for (std::size_t part; (part = next++) < parts;) work(part);
    });
  }

  void prepare_convolutions() {
    NamedTensors views = layout_.views(weights_);
    for (auto& [name, weight] : views)
      if (name.ends_with(".weight") && weight.dim() == 4 && weight.size(2) == 3)
        convolutions_[name.substr(0, name.size() - std::string(".weight").size())];
    each_convolution([&](const std::string& name, std::unique_ptr<StepConvolution>& convolution) {
      convolution = std::make_unique<StepConvolution>(views.at(name + ".weight"), static_cast<int>(slices_.size()));
    });
  }

  void write_convolutions(at::Tensor& gradient) {
    NamedTensors views = layout_.views(gradient);
    each_convolution([&](const std::string& name, std::unique_ptr<StepConvolution>& convolution) {
      convolution->write_weight_gradient(views.at(name + ".weight"));
    });
  }

  template <class Work>
  void each_convolution(Work&& work) {
    std::vector<StepConvolutions::value_type*> list;
    for (auto& entry : convolutions_) list.push_back(&entry);
    in_parallel(list.size(), [&](std::size_t i) {
      const at::NoGradGuard no_gradient;
      work(list[i]->first, list[i]->second);
    });
  }

  SliceResult work_through(int number) {
    const at::AutoGradMode with_gradient(true);  // a thread's own setting
    const Slice& slice = slices_[number];
    SliceResult out;
    out.gradient = at::zeros({layout_.parameters()}, weights_.options());
    NamedTensors leaves = layout_.views(weights_);
    for (auto& [name, gradient] : layout_.views(out.gradient)) {
      leaves.at(name).requires_grad_(true);
      leaves.at(name).mutable_grad() = gradient;  // backward adds to it in place
    }
    std::unique_ptr<Layers> layers;
    if (on_processor_) layers = std::make_unique<KernelLayers>(leaves, convolutions_, number);
    else layers = std::make_unique<LibTorchLayers>(leaves);
    const NetworkOutputs outputs = learning_forward(network_, *layers, planes_of(slice).to(weights_.device()),
                                                    config_.reply_weight > 0.0);
    const LossTensors terms = losses(outputs, slice, total_weight_, config_);
    terms.total.backward();
    out.numbers = at::stack({terms.total, terms.policy, terms.value, terms.plies, terms.reply,
                             terms.policy_entropy, terms.value_accuracy})
                      .detach().to(at::kDouble);
    out.statistics = {slice.size, layers->statistics()};
    return out;
  }

  // Of all slices as of one: the mean of their variances, and the variance of their means.
  Statistics all_statistics() const {
    Statistics all;
    NamedTensors squares;
    for (const SliceResult& result : results_) all.rows += result.statistics.rows;
    for (const SliceResult& result : results_) {
      const double share = static_cast<double>(result.statistics.rows) / static_cast<double>(all.rows);
      for (const auto& [name, value] : result.statistics.values) {
        const at::Tensor part = value.to(at::kDouble) * share;
        at::Tensor& sum = all.values[name];
        sum = sum.defined() ? sum + part : part;
        if (!name.ends_with(".mean")) continue;
        at::Tensor& square = squares[name.substr(0, name.size() - 4) + "variance"];
        square = square.defined() ? square + part * value : part * value;
      }
    }
    for (auto& [name, square] : squares) {
      const at::Tensor& mean = all.values.at(name.substr(0, name.size() - 8) + "mean");
      all.values.at(name).add_((square - mean * mean).clamp_min_(0));
    }
    return all;
  }

  Cores& cores_;
  const NetworkConfig& network_;
  const LearnerConfig& config_;
  const FlatLayout& layout_;
  const at::Tensor& weights_;
  const bool on_processor_;
  const std::vector<Slice> slices_;
  std::vector<SliceResult> results_;
  const double total_weight_;
  StepConvolutions convolutions_;
};

}  // namespace

BatchGradient gradient_of(const Batch& batch, const NetworkConfig& network, const LearnerConfig& config,
                          const FlatLayout& layout, const at::Tensor& weights, Cores& cores) {
  return GradientStep(batch, network, config, layout, weights, cores).run();
}

}  // namespace gounki::nn
