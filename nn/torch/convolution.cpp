#include "nn/torch/convolution.h"

#include <algorithm>
#include <vector>

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "nn/cpu/convolution.h"
#include "nn/cpu/cpu_network.h"

namespace gounki::nn {
namespace {

using torch::autograd::AutogradContext, torch::autograd::variable_list;

constexpr auto kChannelsLast = at::MemoryFormat::ChannelsLast;

const cpu::Kernels& kernels() { return cpu::usable_kernels().front(); }

// The floats of boards from `board` on; the tensor is channels last.
float* boards_of(const at::Tensor& x, std::int64_t board) {
  return x.data_ptr<float>() + board * cpu::kBoardSquares * x.size(1);
}

at::Tensor convolved(const at::Tensor& x, const at::Tensor& weight) {
  const at::Tensor plain = weight.to(at::kDouble).contiguous();
  const cpu::Convolution3x3 convolution(plain.data_ptr<double>(), nullptr, static_cast<int>(weight.size(1)),
                                        static_cast<int>(weight.size(0)), kernels());
  at::Tensor y = at::empty({x.size(0), weight.size(0), 8, 8}, x.options().memory_format(kChannelsLast));
  const int most = cpu::boards_at_once(static_cast<int>(std::max(weight.size(0), weight.size(1))));
  at::parallel_for(0, x.size(0), most, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t board = first; board < last; board += most)
      convolution.run(boards_of(x, board), static_cast<int>(std::min<std::int64_t>(most, last - board)),
                      nullptr, false, boards_of(y, board));
  });
  return y;
}

// The boards are summed up in slices of a fixed size, so that the sum does not depend on the number
// of threads.
at::Tensor gradient_of_weight(const at::Tensor& x, const at::Tensor& y_gradient) {
  constexpr std::int64_t kSlices = 8;
  const std::int64_t n = x.size(0), slice = (n + kSlices - 1) / kSlices;
  const int inputs = static_cast<int>(x.size(1)), outputs = static_cast<int>(y_gradient.size(1));
  const int most = cpu::boards_at_once(std::max(inputs, outputs));
  std::vector<cpu::WeightGradient> sums(static_cast<std::size_t>((n + slice - 1) / slice),
                                        cpu::WeightGradient(inputs, outputs, kernels()));
  at::parallel_for(0, static_cast<std::int64_t>(sums.size()), 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t s = first; s < last; ++s) {
      const std::int64_t end = std::min(n, (s + 1) * slice);
      for (std::int64_t board = s * slice; board < end; board += most)
        sums[s].add(boards_of(x, board), boards_of(y_gradient, board),
                    static_cast<int>(std::min<std::int64_t>(most, end - board)));
    }
  });
  for (std::size_t s = 1; s < sums.size(); ++s) sums[0].add(sums[s]);
  at::Tensor gradient = at::empty({outputs, inputs, 3, 3}, x.options().memory_format(at::MemoryFormat::Contiguous));
  sums[0].write(gradient.data_ptr<float>());
  return gradient;
}

class KernelConvolution : public torch::autograd::Function<KernelConvolution> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight) {
    context->save_for_backward({x, weight});
    return convolved(x, weight);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1];
    const at::Tensor y_gradient = gradients[0].contiguous(kChannelsLast);
    at::Tensor x_gradient;
    if (x.requires_grad()) x_gradient = convolved(y_gradient, weight.flip({2, 3}).transpose(0, 1));
    return {x_gradient, gradient_of_weight(x, y_gradient)};
  }
};

// `x` with channels of zeros behind its own, so that the kernels can take it.
at::Tensor padded(const at::Tensor& x, std::int64_t dimension) {
  const std::int64_t missing = cpu::padded(static_cast<int>(x.size(dimension)), kernels()) - x.size(dimension);
  if (missing == 0) return x;
  std::vector<std::int64_t> widths(2 * static_cast<std::size_t>(x.dim() - dimension));  // last dimension first
  widths.back() = missing;
  return at::constant_pad_nd(x, widths);
}

}  // namespace

at::Tensor convolution3x3(const at::Tensor& x, const at::Tensor& weight) {
  if (!x.is_cpu()) return at::conv2d(x, weight, {}, 1, 1);
  const at::Tensor y = KernelConvolution::apply(padded(x, 1).contiguous(kChannelsLast),
                                                padded(padded(weight, 1), 0));
  return y.narrow(1, 0, weight.size(0));
}

}  // namespace gounki::nn
