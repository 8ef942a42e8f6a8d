#include "nn/torch/layers.h"

#include <algorithm>
#include <cmath>

#include <torch/csrc/autograd/custom_function.h>

#include "nn/cpu/cpu_network.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

using cpu::kBoardSquares;
using torch::autograd::AutogradContext, torch::autograd::variable_list;

constexpr auto kChannelsLast = at::MemoryFormat::ChannelsLast;
constexpr const char* kConvolution = "convolution";
constexpr const char* kSlice = "slice";
constexpr const char* kResidual = "residual";

const cpu::Kernels& kernels() { return cpu::usable_kernels().front(); }

at::Tensor empty_like_board(const at::Tensor& x, std::int64_t channels) {
  return at::empty({x.size(0), channels, 8, 8}, x.options().memory_format(kChannelsLast));
}

// The floats of boards from `board` on; the tensor is channels last.
float* boards_of(const at::Tensor& x, std::int64_t board) {
  return x.data_ptr<float>() + board * kBoardSquares * x.size(1);
}

// `x` with channels of zeros behind its own, so that the kernels can take it.
at::Tensor padded(const at::Tensor& x, std::int64_t dimension) {
  const std::int64_t missing = cpu::padded(static_cast<int>(x.size(dimension)), kernels()) - x.size(dimension);
  if (missing == 0) return x;
  std::vector<std::int64_t> widths(2 * static_cast<std::size_t>(x.dim() - dimension));  // last dimension first
  widths.back() = missing;
  return at::constant_pad_nd(x, widths);
}

// Sums over many rows: in floats over a board, in doubles over the boards.
class ChannelSums {
 public:
  explicit ChannelSums(std::int64_t channels)
      : part_(static_cast<std::size_t>(channels)), sums_(static_cast<std::size_t>(channels)) {}
  float* part() { return part_.data(); }
  void take_part() {
    for (std::size_t c = 0; c < sums_.size(); ++c) sums_[c] += part_[c];
  }
  double operator[](std::size_t c) const { return sums_[c]; }

 private:
  cpu::Floats part_;
  std::vector<double> sums_;
};

struct Moments {
  at::Tensor mean, variance;
};

Moments moments(const at::Tensor& x) {
  const int channels = static_cast<int>(x.size(1));
  const auto rows = static_cast<double>(x.size(0) * kBoardSquares);
  ChannelSums sums(channels), squares(channels);
  Moments out{at::empty({channels}, at::kFloat), at::empty({channels}, at::kFloat)};
  float *mean = out.mean.data_ptr<float>(), *variance = out.variance.data_ptr<float>();
  for (std::int64_t board = 0; board < x.size(0); ++board) {
    kernels().column_sums(boards_of(x, board), kBoardSquares, channels, sums.part());
    sums.take_part();
  }
  for (int c = 0; c < channels; ++c) mean[c] = static_cast<float>(sums[c] / rows);
  for (std::int64_t board = 0; board < x.size(0); ++board) {
    kernels().column_squares(boards_of(x, board), mean, kBoardSquares, channels, squares.part());
    squares.take_part();
  }
  for (int c = 0; c < channels; ++c) variance[c] = static_cast<float>(squares[c] / rows);
  return out;
}

StepConvolution& convolution_of(AutogradContext* context) {
  return *reinterpret_cast<StepConvolution*>(context->saved_data[kConvolution].toInt());
}

void remember(AutogradContext* context, StepConvolution& convolution, int slice) {
  context->saved_data[kConvolution] = reinterpret_cast<std::int64_t>(&convolution);
  context->saved_data[kSlice] = std::int64_t{slice};
}

// relu(batch norm(convolution of x) + residual) as one operation: what lies between is read and written
// once, while it is in the cache.
class NormedConvolution : public torch::autograd::Function<NormedConvolution> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& scale,
                            const at::Tensor& shift, const c10::optional<at::Tensor>& residual,
                            StepConvolution* convolution, int slice, Moments* seen) {
    const at::Tensor z = convolution->forward(x);
    *seen = moments(z);
    const at::Tensor factor = scale / (seen->variance + kNormEpsilon).sqrt();
    const at::Tensor term = shift - seen->mean * factor;
    at::Tensor y = empty_like_board(z, z.size(1));
    kernels().scale(z.data_ptr<float>(), factor.data_ptr<float>(), term.data_ptr<float>(),
                    residual ? residual->data_ptr<float>() : nullptr, /*relu=*/true,
                    static_cast<int>(z.size(0) * kBoardSquares), static_cast<int>(z.size(1)),
                    y.data_ptr<float>());
    context->save_for_backward({x, z, y, scale, seen->mean, seen->variance});
    context->saved_data[kResidual] = residual.has_value();
    remember(context, *convolution, slice);
    return y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &z = saved[1], &y = saved[2], &scale = saved[3], &mean = saved[4],
                     &variance = saved[5];
    const bool has_residual = context->saved_data[kResidual].toBool();
    const int channels = static_cast<int>(z.size(1));
    const at::Tensor y_gradient = gradients[0].contiguous(kChannelsLast);

    at::Tensor g = empty_like_board(z, channels);
    ChannelSums sums(channels), products(channels);
    for (std::int64_t board = 0; board < z.size(0); ++board) {
      kernels().relu_gradient(boards_of(y_gradient, board), boards_of(y, board), boards_of(z, board),
                              mean.data_ptr<float>(), kBoardSquares, channels, boards_of(g, board),
                              sums.part(), products.part());
      sums.take_part();
      products.take_part();
    }
    // With u = (z - mean) / deviation: the gradient of z is scale / deviation times g less the means of
    // g and of u times the mean of u g (Ioffe and Szegedy 2015, section 3).
    at::Tensor shift_gradient = at::empty({channels}, at::kFloat), scale_gradient = shift_gradient.clone();
    cpu::Floats a(channels), b(channels), term(channels);
    const auto rows = static_cast<double>(z.size(0) * kBoardSquares);
    for (int c = 0; c < channels; ++c) {
      const double inverse = 1.0 / std::sqrt(variance.data_ptr<float>()[c] + kNormEpsilon);
      const double m = mean.data_ptr<float>()[c], factor = scale.data_ptr<float>()[c] * inverse;
      shift_gradient.data_ptr<float>()[c] = static_cast<float>(sums[c]);
      scale_gradient.data_ptr<float>()[c] = static_cast<float>(products[c] * inverse);
      const double slope = -factor * inverse * inverse * products[c] / rows;
      a[c] = static_cast<float>(factor);
      b[c] = static_cast<float>(slope);
      term[c] = static_cast<float>(-factor * sums[c] / rows - slope * m);
    }
    at::Tensor z_gradient = has_residual ? empty_like_board(z, channels) : g;
    kernels().combine(g.data_ptr<float>(), z.data_ptr<float>(), a.data(), b.data(), term.data(),
                      static_cast<int>(z.size(0) * kBoardSquares), channels, z_gradient.data_ptr<float>());

    StepConvolution& convolution = convolution_of(context);
    convolution.add_weight_gradient(x, z_gradient, static_cast<int>(context->saved_data[kSlice].toInt()));
    at::Tensor x_gradient;
    if (x.requires_grad()) x_gradient = convolution.input_gradient(z_gradient);
    return {x_gradient, scale_gradient, shift_gradient, has_residual ? g : at::Tensor(), {}, {}, {}};
  }
};

class BiasedConvolution : public torch::autograd::Function<BiasedConvolution> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& bias,
                            StepConvolution* convolution, int slice) {
    context->save_for_backward({x});
    remember(context, *convolution, slice);
    return convolution->forward(x).add_(bias.view({1, -1, 1, 1}));
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const at::Tensor x = context->get_saved_variables()[0];
    const at::Tensor gradient = gradients[0].contiguous(kChannelsLast);
    StepConvolution& convolution = convolution_of(context);
    convolution.add_weight_gradient(x, gradient, static_cast<int>(context->saved_data[kSlice].toInt()));
    return {convolution.input_gradient(gradient), gradient.sum({0, 2, 3}), {}, {}};
  }
};

cpu::Convolution3x3 kernels_of(const at::Tensor& weight) {
  const at::Tensor plain = weight.to(at::kDouble).contiguous();
  return {plain.data_ptr<double>(), nullptr, static_cast<int>(weight.size(1)), static_cast<int>(weight.size(0)),
          kernels()};
}

}  // namespace

at::Tensor Layers::normalize(const at::Tensor& y, const std::string& name) {
  // Without running statistics, so that a step that fails has changed nothing.
  const auto [normed, mean, inverse_deviation] =
      at::native_batch_norm(y, get(name + ".scale"), get(name + ".shift"), {}, {},
                            /*training=*/true, /*momentum=*/0.0, kNormEpsilon);
  note(name, mean.detach(), inverse_deviation.detach().pow(-2).sub(kNormEpsilon));
  return normed;
}

void Layers::note(const std::string& name, const at::Tensor& mean, const at::Tensor& variance) {
  statistics_[name + ".mean"] = mean;
  statistics_[name + ".variance"] = variance;
}

at::Tensor Layers::normed1x1(const at::Tensor& x, const std::string& name) {
  return normalize(at::conv2d(x, get(name + ".weight")), name).relu_();
}

at::Tensor LibTorchLayers::normed(const at::Tensor& x, const std::string& name, const at::Tensor& residual) {
  at::Tensor y = normalize(at::conv2d(x, get(name + ".weight"), {}, 1, 1), name);
  if (residual.defined()) y = y + residual;
  return y.relu_();
}

at::Tensor LibTorchLayers::biased(const at::Tensor& x, const std::string& name) {
  return at::conv2d(x, get(name + ".weight"), get(name + ".bias"), 1, 1);
}

StepConvolution::StepConvolution(const at::Tensor& weight, int slices)
    : outputs_(weight.size(0)),
      inputs_(weight.size(1)),
      forward_(kernels_of(weight)),
      backward_(kernels_of(weight.flip({2, 3}).transpose(0, 1))),
      gradients_(static_cast<std::size_t>(slices),
                 cpu::WeightGradient(cpu::padded(static_cast<int>(inputs_), kernels()),
                                     cpu::padded(static_cast<int>(outputs_), kernels()), kernels())) {}

at::Tensor StepConvolution::run(const cpu::Convolution3x3& convolution, const at::Tensor& x) {
  at::Tensor y = empty_like_board(x, convolution.outputs());
  const std::int64_t most = cpu::boards_at_once(static_cast<int>(std::max(x.size(1), y.size(1))));
  for (std::int64_t board = 0; board < x.size(0); board += most)
    convolution.run(boards_of(x, board), static_cast<int>(std::min(most, x.size(0) - board)), nullptr, false,
                    boards_of(y, board));
  return y;
}

void StepConvolution::add_weight_gradient(const at::Tensor& x, const at::Tensor& out_gradient, int slice) {
  const std::int64_t most = cpu::boards_at_once(static_cast<int>(std::max(x.size(1), out_gradient.size(1))));
  for (std::int64_t board = 0; board < x.size(0); board += most)
    gradients_[slice].add(boards_of(x, board), boards_of(out_gradient, board),
                          static_cast<int>(std::min(most, x.size(0) - board)));
}

void StepConvolution::write_weight_gradient(at::Tensor& out) {
  for (std::size_t s = 1; s < gradients_.size(); ++s) gradients_[0].add(gradients_[s]);
  const at::Tensor whole = at::empty({cpu::padded(static_cast<int>(outputs_), kernels()),
                                      cpu::padded(static_cast<int>(inputs_), kernels()), 3, 3}, at::kFloat);
  gradients_[0].write(whole.data_ptr<float>());
  out.copy_(whole.narrow(0, 0, outputs_).narrow(1, 0, inputs_));
}

at::Tensor KernelLayers::normed(const at::Tensor& x, const std::string& name, const at::Tensor& residual) {
  const at::Tensor &scale = get(name + ".scale"), &shift = get(name + ".shift");
  const std::int64_t channels = scale.size(0);
  Moments seen;
  const at::Tensor y = NormedConvolution::apply(
      padded(x, 1).contiguous(kChannelsLast), padded(scale, 0), padded(shift, 0),
      residual.defined() ? c10::make_optional(padded(residual, 1).contiguous(kChannelsLast)) : c10::nullopt,
      convolutions_.at(name).get(), slice_, &seen);
  note(name, seen.mean.narrow(0, 0, channels), seen.variance.narrow(0, 0, channels));
  return y.size(1) == channels ? y : y.narrow(1, 0, channels);
}

at::Tensor KernelLayers::biased(const at::Tensor& x, const std::string& name) {
  const at::Tensor& bias = get(name + ".bias");
  const at::Tensor y = BiasedConvolution::apply(padded(x, 1).contiguous(kChannelsLast), padded(bias, 0),
                                                convolutions_.at(name).get(), slice_);
  return y.narrow(1, 0, bias.size(0));
}

}  // namespace gounki::nn
