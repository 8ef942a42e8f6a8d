#include "nn/cpu/convolution.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/random.h"
#include "nn/cpu/cpu_network.h"

using namespace gounki;
using namespace gounki::nn::cpu;

namespace {

std::vector<double> random_numbers(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> out(n);
  for (double& x : out) x = static_cast<float>(rng.normal());
  return out;
}

Floats to_floats(const std::vector<double>& x) { return {x.begin(), x.end()}; }

// Calls f(output square, input square, square of the kernel) for all that belong together.
template <class F>
void each_tap(F&& f) {
  for (int out = 0; out < 64; ++out)
    for (int tap = 0; tap < 9; ++tap) {
      const int y = out / 8 + tap / 3 - 1, x = out % 8 + tap % 3 - 1;
      if (y >= 0 && y < 8 && x >= 0 && x < 8) f(out, y * 8 + x, tap);
    }
}

double largest_difference(const Floats& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

struct Shape { int inputs, outputs, boards; };
constexpr Shape kShapes[] = {{16, 32, 1}, {32, 16, 6}, {48, 48, 3}, {64, 80, 2}, {16, 16, 5}};

}  // namespace

TEST_CASE("a convolution by kernels is the sum over its taps") {
  for (const Shape s : kShapes) {
    const auto weight = random_numbers(static_cast<std::size_t>(s.inputs) * s.outputs * 9, 1);
    const auto bias = random_numbers(static_cast<std::size_t>(s.outputs), 2);
    const auto in = random_numbers(static_cast<std::size_t>(s.boards) * 64 * s.inputs, 3);
    const auto residual = random_numbers(static_cast<std::size_t>(s.boards) * 64 * s.outputs, 4);
    std::vector<double> expected = residual;
    for (int b = 0; b < s.boards; ++b)
      for (int o = 0; o < s.outputs; ++o) {
        for (int square = 0; square < 64; ++square) expected[(b * 64 + square) * s.outputs + o] += bias[o];
        each_tap([&](int out, int from, int tap) {
          for (int i = 0; i < s.inputs; ++i)
            expected[(b * 64 + out) * s.outputs + o] +=
                in[(b * 64 + from) * s.inputs + i] * weight[(o * s.inputs + i) * 9 + tap];
        });
      }
    std::vector<double> positive = expected;
    for (double& x : positive) x = std::max(x, 0.0);

    for (const Kernels& kernels : usable_kernels()) {
      INFO(kernels.name << " " << s.inputs << " to " << s.outputs);
      const Convolution3x3 convolution(weight.data(), bias.data(), s.inputs, s.outputs, kernels);
      REQUIRE(convolution.outputs() == s.outputs);
      Floats out = to_floats(residual);
      convolution.run(to_floats(in).data(), s.boards, out.data(), false, out.data());
      CHECK(largest_difference(out, expected) < 1e-3);
      out = to_floats(residual);
      convolution.run(to_floats(in).data(), s.boards, out.data(), true, out.data());
      CHECK(largest_difference(out, positive) < 1e-3);
    }
  }
}

TEST_CASE("the gradient of a convolution's weights is the sum over its taps") {
  for (const Shape s : kShapes) {
    const auto in = random_numbers(static_cast<std::size_t>(s.boards) * 64 * s.inputs, 5);
    const auto gradient = random_numbers(static_cast<std::size_t>(s.boards) * 64 * s.outputs, 6);
    std::vector<double> expected(static_cast<std::size_t>(s.inputs) * s.outputs * 9);
    for (int b = 0; b < s.boards; ++b)
      each_tap([&](int out, int from, int tap) {
        for (int o = 0; o < s.outputs; ++o)
          for (int i = 0; i < s.inputs; ++i)
            expected[(o * s.inputs + i) * 9 + tap] +=
                gradient[(b * 64 + out) * s.outputs + o] * in[(b * 64 + from) * s.inputs + i];
      });
    for (double& x : expected) x *= 2.0;

    std::vector<Floats> found;
    for (const Kernels& kernels : usable_kernels()) {
      INFO(kernels.name << " " << s.inputs << " to " << s.outputs);
      WeightGradient sum(s.inputs, s.outputs, kernels), other(s.inputs, s.outputs, kernels);
      sum.add(to_floats(in).data(), to_floats(gradient).data(), s.boards);
      other.add(to_floats(in).data(), to_floats(gradient).data(), s.boards);
      sum.add(other);
      Floats out(expected.size());
      sum.write(out.data());
      CHECK(largest_difference(out, expected) < 5e-3);
      found.push_back(std::move(out));
    }
    for (const Floats& out : found) CHECK(out == found.front());  // whatever the instruction set
  }
}
