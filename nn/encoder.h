// The planes that a network sees: the position from the mover's side, its own stacks going up.
#pragma once

#include <span>

#include "core/position.h"

namespace gounki::nn {

// Counts up whenever the meaning of a plane changes; checkpoints carry it.
inline constexpr int kEncoderVersion = 1;

// Each plane is 8x8, indexed by the square as the mover sees it (file + 8 * rank).
//
//    0– 2  own stacks with at least 1, 2, 3 squares       3– 5  with at least 1, 2, 3 rounds
//    6– 8  enemy stacks with at least 1, 2, 3 squares     9–11  with at least 1, 2, 3 rounds
//   12     all 1 where the position occurred before (repetitions >= 1)
//   13     quiet plies / 100 everywhere
//   14     all 1: shows a convolution where the board ends
inline constexpr int kPlanes = 15;
inline constexpr int kPlaneSize = 64;
inline constexpr int kInputSize = kPlanes * kPlaneSize;

// Writes kInputSize floats.
void encode(const Position& position, int repetitions, std::span<float, kInputSize> out);

}  // namespace gounki::nn
