#include "nn/growth.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "nn/weights.h"

namespace gounki::nn {
namespace {

std::vector<float> numbers(const Tensor& tensor) {
  std::vector<float> out(tensor.data.size() / sizeof(float));
  std::memcpy(out.data(), tensor.data.data(), tensor.data.size());
  return out;
}

void set_numbers(Tensor& tensor, const std::vector<float>& values) {
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
}

// Bias, norm: one number an output.
void grow_vector(const Tensor& old, Tensor& tensor) {
  std::memcpy(tensor.data.data(), old.data.data(), old.data.size());
}

// A kernel's row holds what one output takes from each input: `parts` times all inputs, one after the
// other, each with the same number of places. Old outputs take nothing from new inputs.
void grow_kernel(const Tensor& old, Tensor& tensor, std::int64_t parts) {
  const std::vector<float> from = numbers(old);
  std::vector<float> to = numbers(tensor);
  const std::int64_t outputs = old.shape[0];
  const std::int64_t old_part = static_cast<std::int64_t>(from.size()) / (outputs * parts);
  const std::int64_t new_part = static_cast<std::int64_t>(to.size()) / (tensor.shape[0] * parts);
  std::fill_n(to.begin(), outputs * parts * new_part, 0.0f);
  for (std::int64_t part = 0; part < outputs * parts; ++part)
    std::copy_n(from.begin() + part * old_part, old_part, to.begin() + part * new_part);
  set_numbers(tensor, to);
}

}  // namespace

Expected<void> can_grow(const NetworkConfig& from, const NetworkConfig& to) {
  std::string problem;
  NetworkConfig::describe([&](const char* name, auto member, Range, const char*) {
    if (problem.empty() && from.*member > to.*member)
      problem = std::string(name) + " is " + std::to_string(from.*member) + " there and " +
                std::to_string(to.*member) + " here; a network can grow, not shrink";
  });
  if (!problem.empty()) return fail(problem);
  return {};
}

void begin_with(const Checkpoint& from, const NetworkConfig& to, TensorFile& state) {
  for (const WeightSpec& spec : weight_specs(to)) {
    Tensor& tensor = state.tensors.at(std::string(kLearnedWeights) + spec.name);
    const auto old = from.weights.tensors.find(spec.name);
    if (old == from.weights.tensors.end()) {
      if (spec.name.ends_with(".second.scale"))
        set_numbers(tensor, std::vector<float>(static_cast<std::size_t>(spec.size()), 0.0f));
    } else if (spec.kind == WeightKind::Kernel || spec.kind == WeightKind::OutputKernel) {
      // The hidden layer takes the channels square by square.
      grow_kernel(old->second, tensor, spec.name == "hidden.weight" ? kPlaneSize : 1);
    } else {
      grow_vector(old->second, tensor);
    }
    state.tensors.at(std::string(kAverageWeights) + spec.name) = tensor;
  }
}

}  // namespace gounki::nn
