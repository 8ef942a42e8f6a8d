#include "nn/softmax.h"

#include <algorithm>
#include <cmath>

namespace gounki::nn {

bool softmax(std::span<float> logits) {
  float highest = logits[0];
  for (const float x : logits) highest = x > highest ? x : highest;
  for (float& x : logits) x = exp_of_negative(x - highest);
  double sum = 0.0;
  for (const float x : logits) sum += x;
  if (!std::isfinite(sum)) return false;
  const auto scale = static_cast<float>(1.0 / sum);
  for (float& x : logits) x *= scale;
  return true;
}

}  // namespace gounki::nn
