#include "nn/cpu/cpu_network.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/move.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

using cpu::kBoardSquares, cpu::kPoints, cpu::Kernels, cpu::Points;

// Vectors that straddle two lines of the cache take twice as long to load.
template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kLine); }
  bool operator==(const CacheAligned&) const = default;
};
using Floats = std::vector<float, CacheAligned<float>>;

// A gap after each point, or their addresses would fall on the same few lines of the cache.
int points_stride(int boards, int channels) { return boards * cpu::kTiles * channels + 16; }

int padded(int channels, const Kernels& kernels) {
  return (channels + kernels.vector - 1) / kernels.vector * kernels.vector;
}

// A matrix in the panels that the kernels want.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  PackedMatrix(int depth, int columns, const Kernels& kernels)
      : depth_(depth), columns_(columns), kernels_(&kernels),
        data_(static_cast<std::size_t>(depth) * static_cast<std::size_t>(columns)) {}

  float& at(int row, int column) {
    const int panel = column / kernels_->panel * kernels_->panel;
    const bool whole = panel + kernels_->panel <= columns_;
    const int first = whole ? panel : column / kernels_->vector * kernels_->vector;
    const int width = whole ? kernels_->panel : kernels_->vector;
    return data_[static_cast<std::size_t>(first) * depth_ + row * width + column - first];
  }
  void multiply(const float* a, int rows, float* c) const {
    kernels_->multiply(a, rows, depth_, data_.data(), columns_, c);
  }
  int depth() const { return depth_; }
  int columns() const { return columns_; }

 private:
  int depth_ = 0, columns_ = 0;
  const Kernels* kernels_ = nullptr;
  Floats data_;
};

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

Floats padded_bias(const Layer& layer, const Kernels& kernels) {
  Floats bias(static_cast<std::size_t>(padded(layer.outputs, kernels)));
  std::ranges::transform(layer.bias, bias.begin(), [](double b) { return static_cast<float>(b); });
  return bias;
}

// The space that a forward pass works in. Each thread has one, which grows to the largest network
// that the thread has asked.
struct Workspace {
  Floats planes, trunk, inner, points, products, policy, value, features, hidden, outputs;

  static Workspace& of_this_thread() {
    static thread_local Workspace workspace;
    return workspace;
  }
};

float* grown(Floats& floats, std::size_t size) {
  if (floats.size() < size) floats.resize(size);
  return floats.data();
}

class Convolution3x3 {
 public:
  Convolution3x3(const Layer& layer, const Kernels& kernels)
      : kernels_(&kernels), inputs_(padded(layer.inputs, kernels)), bias_(padded_bias(layer, kernels)) {
    for (int p = 0; p < kPoints; ++p) matrices_.emplace_back(inputs_, outputs(), kernels);
    for (int o = 0; o < layer.outputs; ++o)
      for (int i = 0; i < layer.inputs; ++i)
        set_points(&layer.weight[(static_cast<std::size_t>(o) * layer.inputs + i) * 9], i, o);
  }

  int outputs() const { return static_cast<int>(bias_.size()); }

  // [board][square][channel] in and out; `residual` may be null.
  void run(const float* in, int boards, const float* residual, bool relu, float* out) const {
    Workspace& space = Workspace::of_this_thread();
    const auto room = [&](Floats& floats, int channels) {
      const int stride = points_stride(boards, channels);
      return Points{grown(floats, static_cast<std::size_t>(kPoints) * stride), boards, channels, stride};
    };
    const Points points = room(space.points, inputs_), products = room(space.products, outputs());
    kernels_->transform_in(in, points);
    for (int p = 0; p < kPoints; ++p)
      matrices_[p].multiply(points.data + p * points.stride, boards * cpu::kTiles,
                            products.data + p * products.stride);
    kernels_->transform_out(products, bias_.data(), residual, relu, out);
  }

 private:
  // G w G^T of one 3x3 kernel.
  void set_points(const double* w, int input, int output) {
    static constexpr double kG[6][3] = {{1.0 / 4, 0, 0},
                                        {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                        {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                        {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                        {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                        {0, 0, 1}};
    for (int p = 0; p < kPoints; ++p) {
      double sum = 0.0;
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) sum += kG[p / 6][y] * kG[p % 6][x] * w[y * 3 + x];
      matrices_[p].at(input, output) = static_cast<float>(sum);
    }
  }

  const Kernels* kernels_;
  int inputs_;
  Floats bias_;
  std::vector<PackedMatrix> matrices_;
};

// A linear layer, also a 1x1 convolution, whose rows are then squares. Rows are as wide as the padded
// numbers of inputs and outputs.
class Linear {
 public:
  Linear(const Layer& layer, const Kernels& kernels)
      : matrix_(padded(layer.inputs, kernels), padded(layer.outputs, kernels), kernels),
        bias_(padded_bias(layer, kernels)) {
    for (int o = 0; o < layer.outputs; ++o)
      for (int i = 0; i < layer.inputs; ++i)
        matrix_.at(i, o) = static_cast<float>(layer.weight[static_cast<std::size_t>(o) * layer.inputs + i]);
  }

  int inputs() const { return matrix_.depth(); }
  int outputs() const { return matrix_.columns(); }

  const float* run(const float* in, int rows, bool relu, Floats& out) const {
    float* y = grown(out, static_cast<std::size_t>(rows) * outputs());
    matrix_.multiply(in, rows, y);
    for (int r = 0; r < rows; ++r)
      for (int o = 0; o < outputs(); ++o) {
        float& value = y[r * outputs() + o];
        value += bias_[o];
        if (relu) value = std::max(value, 0.0f);
      }
    return y;
  }

 private:
  PackedMatrix matrix_;
  Floats bias_;
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
        stem_(read_layer(checkpoint, "stem"), kernels),
        policy_(read_layer(checkpoint, "policy"), kernels),
        value_(read_layer(checkpoint, "value"), kernels),
        hidden_(read_layer(checkpoint, "hidden"), kernels),
        outputs_(joined(read_layer(checkpoint, "wdl"), read_layer(checkpoint, "plies")), kernels) {
    for (int i = 0; i < shape_.blocks; ++i) {
      const std::string block = "block" + std::to_string(i);
      blocks_.push_back({Convolution3x3(read_layer(checkpoint, block + ".first"), kernels),
                         Convolution3x3(read_layer(checkpoint, block + ".second"), kernels)});
    }
  }

  void forward(const float* planes, int n, float* policy, float* wdl, float* plies_left) const override {
    const int most = boards_at_once();
    for (int first = 0; first < n; first += most) {
      const int boards = std::min(most, n - first);
      const float* trunk = run_trunk(planes + first * kInputSize, boards);
      policy_.run(trunk, boards, nullptr, false, policy + first * Move::kIndices);
      run_value(trunk, boards, wdl + first * 3, plies_left + first);
    }
  }

 private:
  struct Block { Convolution3x3 first, second; };

  // As many as keep the points in the second level of the cache.
  int boards_at_once() const {
    constexpr int kFloatsAtOnce = 64 << 10;
    return std::clamp(kFloatsAtOnce / (2 * points_stride(1, stem_.outputs()) * kPoints), 1, 6);
  }

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

std::unique_ptr<ServedNetwork> make_cpu_network(const Checkpoint& checkpoint, const Kernels& kernels) {
  return std::make_unique<CpuNetwork>(checkpoint, kernels);
}

}  // namespace gounki::nn
