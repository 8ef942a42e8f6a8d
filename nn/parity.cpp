#include "nn/parity.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "core/move.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

struct Outputs {
  explicit Outputs(int positions)
      : policy(static_cast<std::size_t>(positions) * Move::kIndices),
        wdl(static_cast<std::size_t>(positions) * 3),
        plies_left(static_cast<std::size_t>(positions)) {}
  std::vector<float> policy, wdl, plies_left;
};

// Of the numbers of each position, `count` of them, in this unit. A difference that is no number is
// infinite.
double largest_difference(const std::vector<float>& learned, const std::vector<float>& served,
                          std::size_t count, double unit = 1.0) {
  double largest = 0.0;
  for (std::size_t first = 0; first < learned.size(); first += count) {
    double size = 1.0;
    for (std::size_t i = first; i < first + count; ++i) size = std::max(size, std::abs(learned[i] / unit));
    for (std::size_t i = first; i < first + count; ++i) {
      const double difference = std::abs(learned[i] / unit - served[i] / unit) / size;
      largest = std::max(largest, std::isfinite(difference) ? difference : INFINITY);
    }
  }
  return largest;
}

}  // namespace

double Difference::largest() const { return std::max({policy, wdl, plies_left}); }

Difference difference(Learner& learned, const ServedNetwork& served, const float* planes, int positions) {
  Outputs a(positions), b(positions);
  learned.forward(planes, positions, a.policy.data(), a.wdl.data(), a.plies_left.data());
  served.forward(planes, positions, b.policy.data(), b.wdl.data(), b.plies_left.data());
  return {largest_difference(a.policy, b.policy, Move::kIndices), largest_difference(a.wdl, b.wdl, 3),
          largest_difference(a.plies_left, b.plies_left, 1, kPliesUnit)};
}

void check_parity(Learner& learned, const ServedNetwork& served, const float* planes, int positions) {
  const Difference found = difference(learned, served, planes, positions);
  const double allowed = served.half_precision() ? kMostDifferenceInHalf : kMostDifference;
  if (found.largest() <= allowed) return;
  char text[256];
  std::snprintf(text, sizeof text,
                "the network that plays differs from the one that learned, by %.2g in policy logits, %.2g in "
                "win/draw/loss logits, %.2g in plies left (/ 20), where %.2g is allowed; games by it would "
                "teach the wrong thing", found.policy, found.wdl, found.plies_left, allowed);
  throw Failure(text);
}

}  // namespace gounki::nn
