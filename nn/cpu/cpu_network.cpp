#include "nn/cpu/cpu_network.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/move.h"
#include "nn/cpu/choice.h"
#include "nn/cpu/convolution.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

using cpu::Convolution3x3, cpu::Floats, cpu::grown, cpu::kBoardSquares, cpu::Kernels, cpu::PackedShape,
    cpu::padded;

// A layer's weights as the checkpoint has them, with its batch norm, where there is one, made part of
// them: [output][input][square of the kernel].
struct Layer {
  int outputs = 0, inputs = 0;
  std::vector<double> weight, bias;
};

std::vector<double> read(const Checkpoint& checkpoint, const std::string& name) {
  const Tensor& tensor = checkpoint.weights.tensors.at(name);
  std::vector<float> values(tensor.data.size() / sizeof(float));
  std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return {values.begin(), values.end()};
}

Layer read_layer(const Checkpoint& checkpoint, const std::string& name) {
  const auto& shape = checkpoint.weights.tensors.at(name + ".weight").shape;
  Layer layer{static_cast<int>(shape[0]), static_cast<int>(shape[1]), read(checkpoint, name + ".weight"), {}};
  if (checkpoint.weights.tensors.contains(name + ".bias")) {
    layer.bias = read(checkpoint, name + ".bias");
    return layer;
  }
  const auto scale = read(checkpoint, name + ".scale"), shift = read(checkpoint, name + ".shift"),
             mean = read(checkpoint, name + ".mean"), variance = read(checkpoint, name + ".variance");
  const std::size_t each = layer.weight.size() / scale.size();
  for (std::size_t o = 0; o < scale.size(); ++o) {
    const double factor = scale[o] / std::sqrt(variance[o] + kNormEpsilon);
    for (std::size_t i = 0; i < each; ++i) layer.weight[o * each + i] *= factor;
    layer.bias.push_back(shift[o] - mean[o] * factor);
  }
  return layer;
}

// The space that a forward pass works in. Each thread has one, which grows to the largest network
// that the thread has asked.
struct Workspace {
  Floats planes, trunk, inner, value, features, hidden, outputs;

  static Workspace& of_this_thread() {
    static thread_local Workspace workspace;
    return workspace;
  }
};

Convolution3x3 make_convolution(const Layer& layer, const Kernels& kernels) {
  return {layer.weight.data(), layer.bias.data(), layer.inputs, layer.outputs, kernels};
}

// A linear layer, also a 1x1 convolution, whose rows are then squares. Rows are as wide as the padded
// numbers of inputs and outputs.
class Linear {
 public:
  Linear(const Layer& layer, const Kernels& kernels)
      : kernels_(&kernels),
        shape_{padded(layer.inputs, kernels), padded(layer.outputs, kernels), kernels.panel, kernels.vector},
        matrix_(static_cast<std::size_t>(shape_.size())),
        bias_(layer.bias.begin(), layer.bias.end()) {
    bias_.resize(static_cast<std::size_t>(outputs()));
    for (int o = 0; o < layer.outputs; ++o)
      for (int i = 0; i < layer.inputs; ++i)
        matrix_[shape_.position(i, o)] =
            static_cast<float>(layer.weight[static_cast<std::size_t>(o) * layer.inputs + i]);
  }

  int inputs() const { return shape_.depth; }
  int outputs() const { return shape_.columns; }

  const float* run(const float* in, int rows, bool relu, Floats& out) const {
    float* y = grown(out, static_cast<std::size_t>(rows) * outputs());
    kernels_->multiply(in, rows, inputs(), matrix_.data(), outputs(), y);
    for (int r = 0; r < rows; ++r)
      for (int o = 0; o < outputs(); ++o) {
        float& value = y[r * outputs() + o];
        value += bias_[o];
        if (relu) value = std::max(value, 0.0f);
      }
    return y;
  }

 private:
  const Kernels* kernels_;
  PackedShape shape_;
  Floats matrix_, bias_;
};

// The layer that gives the outputs of both, which have the same inputs.
Layer joined(Layer a, const Layer& b) {
  a.outputs += b.outputs;
  a.weight.insert(a.weight.end(), b.weight.begin(), b.weight.end());
  a.bias.insert(a.bias.end(), b.bias.begin(), b.bias.end());
  return a;
}

class CpuNetwork : public ServedNetwork {
 public:
  CpuNetwork(const Checkpoint& checkpoint, const Kernels& kernels)
      : shape_(checkpoint.network),
        planes_(padded(kPlanes, kernels)),
        stem_(make_convolution(read_layer(checkpoint, "stem"), kernels)),
        policy_(make_convolution(read_layer(checkpoint, "policy"), kernels)),
        value_(read_layer(checkpoint, "value"), kernels),
        hidden_(read_layer(checkpoint, "hidden"), kernels),
        outputs_(joined(read_layer(checkpoint, "wdl"), read_layer(checkpoint, "plies")), kernels) {
    for (int i = 0; i < shape_.blocks; ++i) {
      const std::string block = "block" + std::to_string(i);
      blocks_.push_back({make_convolution(read_layer(checkpoint, block + ".first"), kernels),
                         make_convolution(read_layer(checkpoint, block + ".second"), kernels)});
    }
  }

  void forward(const float* planes, int n, float* policy, float* wdl, float* plies_left) const override {
    const int most = cpu::boards_at_once(stem_.outputs());
    for (int first = 0; first < n; first += most) {
      const int boards = std::min(most, n - first);
      const float* trunk = run_trunk(planes + first * kInputSize, boards);
      policy_.run(trunk, boards, nullptr, false, policy + first * Move::kIndices);
      run_value(trunk, boards, wdl + first * 3, plies_left + first);
    }
  }

 private:
  struct Block { Convolution3x3 first, second; };

  // From [plane][square] to [square][plane].
  const float* turn_planes(const float* planes, int boards) const {
    float* out = grown(Workspace::of_this_thread().planes,
                       static_cast<std::size_t>(boards) * kBoardSquares * planes_);
    std::fill_n(out, boards * kBoardSquares * planes_, 0.0f);
    for (int b = 0; b < boards; ++b)
      for (int plane = 0; plane < kPlanes; ++plane)
        for (int square = 0; square < kPlaneSize; ++square)
          out[(b * kBoardSquares + square) * planes_ + plane] =
              planes[(b * kPlanes + plane) * kPlaneSize + square];
    return out;
  }

  const float* run_trunk(const float* planes, int boards) const {
    Workspace& space = Workspace::of_this_thread();
    const std::size_t size = static_cast<std::size_t>(boards) * kBoardSquares * stem_.outputs();
    float* trunk = grown(space.trunk, size);
    float* inner = grown(space.inner, size);
    stem_.run(turn_planes(planes, boards), boards, nullptr, true, trunk);
    for (const Block& block : blocks_) {
      block.first.run(trunk, boards, nullptr, true, inner);
      block.second.run(inner, boards, trunk, true, trunk);  // each output needs only its own residual
    }
    return trunk;
  }

  void run_value(const float* trunk, int boards, float* wdl, float* plies_left) const {
    Workspace& space = Workspace::of_this_thread();
    const float* value = value_.run(trunk, boards * kBoardSquares, true, space.value);
    float* features = grown(space.features, static_cast<std::size_t>(boards) * hidden_.inputs());
    for (int b = 0; b < boards; ++b)
      for (int square = 0; square < kBoardSquares; ++square)
        std::copy_n(value + (b * kBoardSquares + square) * value_.outputs(), shape_.value_channels,
                    features + b * hidden_.inputs() + square * shape_.value_channels);
    const float* hidden = hidden_.run(features, boards, true, space.hidden);
    const float* outputs = outputs_.run(hidden, boards, false, space.outputs);
    for (int b = 0; b < boards; ++b) {
      const float* out = outputs + b * outputs_.outputs();
      std::copy_n(out, 3, wdl + b * 3);
      plies_left[b] = kPliesUnit * std::max(out[3], 0.0f) +
                      kPliesUnit * static_cast<float>(std::log1p(std::exp(-std::abs(double{out[3]}))));
    }
  }

  NetworkConfig shape_;
  int planes_;  // padded
  Convolution3x3 stem_;
  std::vector<Block> blocks_;
  Convolution3x3 policy_;
  Linear value_, hidden_, outputs_;
};

}  // namespace

std::unique_ptr<ServedNetwork> make_cpu_network(const Checkpoint& checkpoint) {
  return make_cpu_network(checkpoint, cpu::kernel_choices().choose(checkpoint));
}

std::unique_ptr<ServedNetwork> make_cpu_network(const Checkpoint& checkpoint, const Kernels& kernels) {
  return std::make_unique<CpuNetwork>(checkpoint, kernels);
}

}  // namespace gounki::nn
