// The convolutions of the trunk as they learn. Two forms: LibTorch's operators, wherever a tensor
// lives, and the kernels of nn/cpu, which on a processor are several times as fast.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "nn/cpu/convolution.h"

namespace gounki::nn {

using NamedTensors = std::map<std::string, at::Tensor>;

// What the batch norms saw, by the names of the running statistics ("stem.mean", …).
struct Statistics {
  std::int64_t rows = 0;  // samples
  NamedTensors values;
};

// Over one slice of a batch. Inputs and outputs are n x channels x 8 x 8; gradients flow through.
class Layers {
 public:
  explicit Layers(const NamedTensors& weights) : weights_(weights) {}
  virtual ~Layers() = default;

  // relu(batch norm(3x3 convolution of x) + residual), by the slice's own statistics. The residual may
  // be undefined.
  virtual at::Tensor normed(const at::Tensor& x, const std::string& name, const at::Tensor& residual) = 0;
  // The same for a 1x1 convolution, without a residual.
  at::Tensor normed1x1(const at::Tensor& x, const std::string& name);
  // A 3x3 convolution with bias.
  virtual at::Tensor biased(const at::Tensor& x, const std::string& name) = 0;

  const at::Tensor& get(const std::string& name) const { return weights_.at(name); }
  const NamedTensors& statistics() const { return statistics_; }

 protected:
  // LibTorch's batch norm of y, noting its statistics.
  at::Tensor normalize(const at::Tensor& y, const std::string& name);
  void note(const std::string& name, const at::Tensor& mean, const at::Tensor& variance);

 private:
  const NamedTensors& weights_;
  NamedTensors statistics_;
};

class LibTorchLayers : public Layers {
 public:
  using Layers::Layers;
  at::Tensor normed(const at::Tensor& x, const std::string& name, const at::Tensor& residual) override;
  at::Tensor biased(const at::Tensor& x, const std::string& name) override;
};

// A 3x3 convolution of one step: its weights made ready once for all slices, and the gradient of its
// weights, which each slice sums up for itself.
class StepConvolution {
 public:
  StepConvolution(const at::Tensor& weight, int slices);

  // [board][square][channel], channels padded for the kernels.
  at::Tensor forward(const at::Tensor& x) const { return run(forward_, x); }
  at::Tensor input_gradient(const at::Tensor& out_gradient) const { return run(backward_, out_gradient); }
  void add_weight_gradient(const at::Tensor& x, const at::Tensor& out_gradient, int slice);
  // The sum over the slices, in their order, as [output][input][3][3].
  void write_weight_gradient(at::Tensor& out);

 private:
  static at::Tensor run(const cpu::Convolution3x3& convolution, const at::Tensor& x);

  std::int64_t outputs_, inputs_;  // not padded
  cpu::Convolution3x3 forward_, backward_;
  std::vector<cpu::WeightGradient> gradients_;
};

// All 3x3 convolutions of a step, by name.
using StepConvolutions = std::map<std::string, std::unique_ptr<StepConvolution>>;

class KernelLayers : public Layers {
 public:
  KernelLayers(const NamedTensors& weights, StepConvolutions& convolutions, int slice)
      : Layers(weights), convolutions_(convolutions), slice_(slice) {}
  at::Tensor normed(const at::Tensor& x, const std::string& name, const at::Tensor& residual) override;
  at::Tensor biased(const at::Tensor& x, const std::string& name) override;

 private:
  StepConvolutions& convolutions_;
  int slice_;
};

}  // namespace gounki::nn
