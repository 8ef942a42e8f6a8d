// Probabilities from a network's logits, with the same bits on every machine: the C library's exp
// differs between its versions and between processors.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace gounki::nn {

// e to the power of x, for x <= 0, within 1.1 units in the last place; what is below -87 counts as -87
// (1.6e-38), and what is not a number stays so. Without branches, so that loops over it are vectorised.
inline float exp_of_negative(float x) {
  // x = n ln 2 + r with |r| <= ln(2) / 2; ln 2 in two parts, of which the first times n is exact.
  constexpr float kLog2E = 1.44269504f, kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  constexpr float kRounder = 12582912.0f;  // 1.5 * 2^23: a sum with it has no fraction
  x = x < -87.0f ? -87.0f : x;
  const float shifted = x * kLog2E + kRounder;
  const float n = shifted - kRounder;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  // e^r by its Taylor series to the seventh power, whose rest is below 1e-8 of it.
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r * r + r + 1.0f;
  // 2^n by its exponent; the low bits of `shifted` are n.
  const auto exponent = (std::bit_cast<std::uint32_t>(shifted) << 23) + (127u << 23);
  return p * std::bit_cast<float>(exponent);
}

// Turns logits, at least one, into probabilities that sum to 1. False when one of them is not finite
// (minus infinity excepted, whose probability is as good as 0).
bool softmax(std::span<float> logits);

}  // namespace gounki::nn
