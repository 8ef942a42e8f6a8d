// The network of nn/weights.h written out in plain loops, one position at a time: what the served and
// the learning network are held against.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "core/move.h"
#include "nn/network.h"
#include "nn/weights.h"

namespace gounki::nn::test {

struct Answer {
  std::vector<float> policy, wdl;
  float plies_left = 0.0f;
};

class ReferenceNetwork {
 public:
  explicit ReferenceNetwork(const Checkpoint& checkpoint) : checkpoint_(checkpoint) {}

  Answer ask(const float* planes) const {
    std::vector<float> x(planes, planes + kInputSize);
    x = relu(normed(x, "stem"));
    for (int i = 0; i < checkpoint_.network.blocks; ++i) {
      const std::string block = "block" + std::to_string(i);
      std::vector<float> y = normed(relu(normed(x, block + ".first")), block + ".second");
      for (std::size_t j = 0; j < y.size(); ++j) y[j] += x[j];
      x = relu(std::move(y));
    }
    Answer out;
    const std::vector<float> value = by_square(relu(normed(x, "value")));
    const std::vector<float> hidden = relu(linear(value, "hidden"));
    out.policy = by_square(convolution(x, "policy", get("policy.bias")));
    out.wdl = linear(hidden, "wdl");
    out.plies_left = kPliesUnit * std::log1p(std::exp(linear(hidden, "plies")[0]));
    return out;
  }

 private:
  std::vector<float> get(const std::string& name) const {
    const Tensor& tensor = checkpoint_.weights.tensors.at(name);
    std::vector<float> out(tensor.data.size() / sizeof(float));
    std::memcpy(out.data(), tensor.data.data(), tensor.data.size());
    return out;
  }

  // [channel][square] in and out.
  std::vector<float> convolution(const std::vector<float>& in, const std::string& name,
                                 const std::vector<float>& bias) const {
    const std::vector<float> weight = get(name + ".weight");
    const int outputs = static_cast<int>(bias.size()), inputs = static_cast<int>(in.size()) / 64;
    const int width = weight.size() == bias.size() * static_cast<std::size_t>(inputs) ? 1 : 3;
    std::vector<float> out;
    for (int o = 0; o < outputs; ++o)
      for (int square = 0; square < 64; ++square) {
        double sum = bias[o];
        for (int i = 0; i < inputs; ++i)
          for (int dy = 0; dy < width; ++dy)
            for (int dx = 0; dx < width; ++dx) {
              const int y = square / 8 + dy - width / 2, x = square % 8 + dx - width / 2;
              if (y < 0 || y > 7 || x < 0 || x > 7) continue;
              sum += static_cast<double>(in[i * 64 + y * 8 + x]) *
                     weight[((o * inputs + i) * width + dy) * width + dx];
            }
        out.push_back(static_cast<float>(sum));
      }
    return out;
  }

  std::vector<float> normed(const std::vector<float>& in, const std::string& name) const {
    const std::vector<float> scale = get(name + ".scale"), shift = get(name + ".shift"),
                             mean = get(name + ".mean"), variance = get(name + ".variance");
    std::vector<float> out = convolution(in, name, std::vector<float>(scale.size(), 0.0f));
    for (std::size_t j = 0; j < out.size(); ++j) {
      const std::size_t c = j / 64;
      out[j] = static_cast<float>((out[j] - mean[c]) / std::sqrt(variance[c] + kNormEpsilon) * scale[c] +
                                  shift[c]);
    }
    return out;
  }

  std::vector<float> linear(const std::vector<float>& in, const std::string& name) const {
    const std::vector<float> weight = get(name + ".weight"), bias = get(name + ".bias");
    std::vector<float> out;
    for (std::size_t o = 0; o < bias.size(); ++o) {
      double sum = bias[o];
      for (std::size_t i = 0; i < in.size(); ++i) sum += weight[o * in.size() + i] * in[i];
      out.push_back(static_cast<float>(sum));
    }
    return out;
  }

  static std::vector<float> relu(std::vector<float> x) {
    for (float& v : x) v = std::max(v, 0.0f);
    return x;
  }
  // From [channel][square] to [square][channel].
  static std::vector<float> by_square(const std::vector<float>& x) {
    const std::size_t channels = x.size() / 64;
    std::vector<float> out(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) out[j % 64 * channels + j / 64] = x[j];
    return out;
  }

  const Checkpoint& checkpoint_;
};

}  // namespace gounki::nn::test
