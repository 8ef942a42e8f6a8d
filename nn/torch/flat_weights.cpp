#include "nn/torch/flat_weights.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "nn/torch/tensors.h"

namespace gounki::nn {
namespace {

bool is_kernel(const WeightSpec& spec) {
  return spec.kind == WeightKind::Kernel || spec.kind == WeightKind::OutputKernel;
}
bool is_statistic(const WeightSpec& spec) {
  return spec.kind == WeightKind::NormMean || spec.kind == WeightKind::NormVariance;
}

// The standard deviation or the constant that a tensor begins with.
void initialize_part(const WeightSpec& spec, std::uint64_t seed, float* out) {
  Rng rng(seed);
  switch (spec.kind) {
    case WeightKind::Kernel:
    case WeightKind::OutputKernel: {
      // He et al. 2015, for layers that a relu follows. Outputs begin small: a network that knows
      // nothing should say so, with a policy near uniform.
      double deviation = std::sqrt(2.0 / static_cast<double>(spec.fan_in()));
      if (spec.kind == WeightKind::OutputKernel) deviation *= 0.1;
      std::generate_n(out, spec.size(), [&] { return static_cast<float>(deviation * rng.normal()); });
      return;
    }
    case WeightKind::NormScale:
    case WeightKind::NormVariance:
      std::fill_n(out, spec.size(), 1.0f);
      return;
    case WeightKind::Bias:
    case WeightKind::NormShift:
    case WeightKind::NormMean:
      std::fill_n(out, spec.size(), 0.0f);
  }
}

}  // namespace

FlatLayout::FlatLayout(const std::vector<WeightSpec>& specs) {
  const auto add = [&](auto&& wanted) {
    for (const WeightSpec& spec : specs) {
      if (!wanted(spec)) continue;
      parts_.push_back({spec, size_});
      size_ += spec.size();
    }
    return size_;
  };
  kernels_ = add(is_kernel);
  parameters_ = add([](const WeightSpec& spec) { return !is_kernel(spec) && !is_statistic(spec); });
  add(is_statistic);
}

std::map<std::string, at::Tensor> FlatLayout::views(const at::Tensor& flat) const {
  std::map<std::string, at::Tensor> out;
  for (const Part& part : parts_)
    if (part.offset + part.spec.size() <= flat.numel())
      out[part.spec.name] =
          flat.narrow(0, part.offset, part.spec.size()).view(part.spec.shape).detach();
  return out;
}

void FlatLayout::write(const at::Tensor& flat, std::string_view prefix, TensorFile& file) const {
  for (const auto& [name, view] : views(flat)) file.tensors[std::string(prefix) + name] = from_tensor(view);
}

void FlatLayout::read(const TensorFile& file, std::string_view prefix, at::Tensor& flat) const {
  for (auto& [name, view] : views(flat))
    view.copy_(to_tensor(file.tensors.at(std::string(prefix) + name)));
}

void initialize(const FlatLayout& layout, std::uint64_t seed, at::Tensor& flat) {
  const at::Tensor weights = at::empty({layout.size()}, at::kFloat);
  std::uint64_t number = 0;
  for (const FlatLayout::Part& part : layout.parts())
    initialize_part(part.spec, derive_seed({seed, number++}), weights.data_ptr<float>() + part.offset);
  flat.copy_(weights);
}

}  // namespace gounki::nn
