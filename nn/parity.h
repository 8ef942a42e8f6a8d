// Whether a network that is served says what the network that was learned says.
#pragma once

#include <span>

#include "nn/network.h"

namespace gounki::nn {

// The largest difference in any policy or win/draw/loss logit, or in plies left in units of 20. Where a
// position's largest number of that kind is greater than 1, differences are shares of it: all come from
// sums of terms as large, and rounding in single precision grows with those.
struct Difference {
  double policy = 0, wdl = 0, plies_left = 0;
  double largest() const;
};

// `planes` holds `positions` times kInputSize floats.
Difference difference(Learner& learned, const ServedNetwork& served, const float* planes, int positions);

// What a served form of single precision may differ by; half precision, as on a GPU, may differ more.
inline constexpr double kMostDifference = 1e-4, kMostDifferenceInHalf = 5e-2;

// Throws a Failure that says what differs by how much when a served form of the learner's checkpoint
// says something else on these positions.
void check_parity(Learner& learned, const ServedNetwork& served, const float* planes, int positions);

}  // namespace gounki::nn
