#include "nn/encoder.h"

#include <algorithm>

#include "core/movegen.h"

namespace gounki::nn {
namespace {

constexpr int kRepeatedPlane = 12, kQuietPlane = 13, kOnesPlane = 14;

void fill(std::span<float, kInputSize> out, int plane, float value) {
  std::fill_n(out.begin() + plane * kPlaneSize, kPlaneSize, value);
}

void mark(std::span<float, kInputSize> out, int plane, Bitboard squares) {
  for (const Square square : squares) out[plane * kPlaneSize + square.index()] = 1.0f;
}

}  // namespace

void encode(const Position& position, int repetitions, std::span<float, kInputSize> out) {
  std::ranges::fill(out, 0.0f);
  int plane = 0;
  for (const Bitboard side : {position.own(), position.enemy()}) {
    for (int least = 1; least <= 3; ++least)
      for (int n = least; n <= 3; ++n) mark(out, plane + least - 1, side & position.with_squares(n));
    plane += 3;
    for (int least = 1; least <= 3; ++least)
      for (int n = least; n <= 3; ++n) mark(out, plane + least - 1, side & position.with_rounds(n));
    plane += 3;
  }
  if (repetitions > 0) fill(out, kRepeatedPlane, 1.0f);
  fill(out, kQuietPlane, static_cast<float>(position.quiet_plies()) / Rules::kQuietLimit);
  fill(out, kOnesPlane, 1.0f);
}

}  // namespace gounki::nn
