// Which tensors a network of a given shape consists of. The learner makes them, checkpoints are
// checked against them, and docs/formats.md lists them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "nn/network.h"

namespace gounki::nn {

// What a tensor is for: it decides how it begins and whether weight decay applies to it.
enum class WeightKind {
  Kernel,        // of a convolution or a linear layer
  OutputKernel,  // the same, of a layer whose outputs are logits
  Bias,
  NormScale,
  NormShift,
  NormMean,      // running statistics of a batch norm, which no gradient changes
  NormVariance,
};

struct WeightSpec {
  std::string name;
  std::vector<std::int64_t> shape;
  WeightKind kind;

  std::int64_t size() const;  // in elements
  // The number of inputs that one output sums up.
  std::int64_t fan_in() const;
};

// The network, all convolutions with padding that keeps 8x8:
//   stem          3x3 convolution, batch norm, relu
//   blockN.first  3x3 convolution, batch norm, relu;  blockN.second  the same, with the block's input
//                 added before the relu
//   policy        3x3 convolution with bias to one plane a template: [square][template] logits
//   value         1x1 convolution, batch norm, relu; read as [square][channel] by
//   hidden        linear, relu; from which
//   wdl, plies    linear: logits of win, draw, loss; plies left is kPliesUnit * softplus
std::vector<WeightSpec> weight_specs(const NetworkConfig& network);
// These, and what only learns:
//   reply         1x1 convolution with bias: logits of the opponent's next move, as the opponent sees it
std::vector<WeightSpec> learning_specs(const NetworkConfig& network);

// A learner's state (Learner::state) has each of these twice, with a prefix: the weights that learn, and
// their average.
inline constexpr std::string_view kLearnedWeights = "weights/";
inline constexpr std::string_view kAverageWeights = "average/";

inline constexpr double kNormEpsilon = 1e-5;
inline constexpr float kPliesUnit = 20.0f;

// Checks that `file` has exactly these tensors, named `prefix` + the spec's name, in F32, finite.
// Tensors that do not begin with the prefix are not looked at.
Expected<void> check_weights(const TensorFile& file, const std::vector<WeightSpec>& specs,
                             std::string_view prefix = "");

// The metadata in which files record the shape of their network.
std::string network_to_json(const NetworkConfig& network);
Expected<NetworkConfig> network_from_json(std::string_view text);

}  // namespace gounki::nn
