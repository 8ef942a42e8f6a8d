#include "nn/weights.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <set>

#include <nlohmann/json.hpp>

#include "core/move.h"

namespace gounki::nn {
namespace {

static_assert(std::endian::native == std::endian::little, "tensor files are little-endian");

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t n : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  return text + "]";
}

bool all_finite(const Tensor& tensor) {
  for (std::size_t i = 0; i < tensor.data.size(); i += sizeof(float)) {
    float value;
    std::memcpy(&value, tensor.data.data() + i, sizeof value);
    if (!std::isfinite(value)) return false;
  }
  return true;
}

Expected<void> check_weight(const std::string& name, const Tensor& tensor, const WeightSpec& spec) {
  if (tensor.dtype != "F32") return fail("tensor " + name + " is " + tensor.dtype + ", not F32");
  if (tensor.shape != spec.shape)
    return fail("tensor " + name + " has shape " + shape_text(tensor.shape) +
                ", the network's shape says " + shape_text(spec.shape));
  if (tensor.data.size() != static_cast<std::size_t>(spec.size()) * sizeof(float))
    return fail("tensor " + name + " has " + std::to_string(tensor.data.size()) + " bytes for shape " +
                shape_text(spec.shape));
  if (!all_finite(tensor)) return fail("tensor " + name + " holds a value that is not finite");
  return {};
}

}  // namespace

std::int64_t WeightSpec::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t WeightSpec::fan_in() const { return size() / shape[0]; }

std::vector<WeightSpec> learning_specs(const NetworkConfig& network) {
  std::vector<WeightSpec> specs = weight_specs(network);
  specs.push_back({"reply.weight", {Template::kCount, network.channels, 1, 1}, WeightKind::OutputKernel});
  specs.push_back({"reply.bias", {Template::kCount}, WeightKind::Bias});
  return specs;
}

std::vector<WeightSpec> weight_specs(const NetworkConfig& network) {
  std::vector<WeightSpec> specs;
  const auto normed_convolution = [&](const std::string& name, int in, int out, int width) {
    specs.push_back({name + ".weight", {out, in, width, width}, WeightKind::Kernel});
    specs.push_back({name + ".scale", {out}, WeightKind::NormScale});
    specs.push_back({name + ".shift", {out}, WeightKind::NormShift});
    specs.push_back({name + ".mean", {out}, WeightKind::NormMean});
    specs.push_back({name + ".variance", {out}, WeightKind::NormVariance});
  };
  const auto biased = [&](const std::string& name, std::vector<std::int64_t> shape, WeightKind kind) {
    const std::int64_t outputs = shape[0];
    specs.push_back({name + ".weight", std::move(shape), kind});
    specs.push_back({name + ".bias", {outputs}, WeightKind::Bias});
  };

  const int trunk = network.channels;
  normed_convolution("stem", kPlanes, trunk, 3);
  for (int i = 0; i < network.blocks; ++i) {
    normed_convolution("block" + std::to_string(i) + ".first", trunk, trunk, 3);
    normed_convolution("block" + std::to_string(i) + ".second", trunk, trunk, 3);
  }
  biased("policy", {Template::kCount, trunk, 3, 3}, WeightKind::OutputKernel);
  normed_convolution("value", trunk, network.value_channels, 1);
  biased("hidden", {network.value_hidden, kPlaneSize * network.value_channels}, WeightKind::Kernel);
  biased("wdl", {3, network.value_hidden}, WeightKind::OutputKernel);
  biased("plies", {1, network.value_hidden}, WeightKind::OutputKernel);
  return specs;
}

Expected<void> check_weights(const TensorFile& file, const std::vector<WeightSpec>& specs,
                             std::string_view prefix) {
  std::set<std::string> known;
  for (const WeightSpec& spec : specs) {
    const std::string name = std::string(prefix) + spec.name;
    known.insert(name);
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end()) return fail("tensor " + name + " is missing");
    if (const auto checked = check_weight(name, found->second, spec); !checked) return checked;
  }
  for (const auto& [name, tensor] : file.tensors)
    if (name.starts_with(prefix) && !known.contains(name))
      return fail("tensor " + name + " belongs to no layer of this network");
  return {};
}

std::string network_to_json(const NetworkConfig& network) {
  nlohmann::json json;
  NetworkConfig::describe(
      [&](const char* name, auto member, Range, const char*) { json[name] = network.*member; });
  return json.dump();
}

Expected<NetworkConfig> network_from_json(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return fail("the network's shape is not a JSON object");
  NetworkConfig network;
  std::string problem;
  NetworkConfig::describe([&](const char* name, auto member, Range range, const char*) {
    const auto value = json.find(name);
    if (value == json.end() || !value->is_number_integer() || value->get<double>() < range.min ||
        value->get<double>() > range.max)
      problem = std::string("the network's ") + name + " is missing or out of range";
    else
      network.*member = value->get<int>();
  });
  if (!problem.empty()) return fail(problem);
  return network;
}

}  // namespace gounki::nn
