#include <cmath>
#include <cstddef>
#include <string>

#include "nn/network.h"

namespace gounki::nn {
namespace {

// Each row of the batch has `width` of these values.
template <class T>
void check_length(const std::vector<T>& values, int size, int width, const char* what) {
  const std::size_t expected = static_cast<std::size_t>(size) * static_cast<std::size_t>(width);
  if (values.size() != expected)
    throw Failure("batch of " + std::to_string(size) + ": " + std::to_string(values.size()) +
                  " values of " + what + ", not " + std::to_string(expected));
}

void check_finite(const std::vector<float>& values, int width, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw Failure("batch: " + std::string(what) + " of sample " +
                    std::to_string(i / static_cast<std::size_t>(width)) + " is not finite");
}

}  // namespace

void check_batch(const Batch& batch) {
  if (batch.size <= 0) throw Failure("batch: no samples in it");
  check_length(batch.planes, batch.size, kInputSize, "the planes");
  check_length(batch.policy, batch.size, Move::kIndices, "the policy");
  check_length(batch.legal, batch.size, Move::kIndices, "the legal moves");
  check_length(batch.wdl, batch.size, 3, "win, draw, loss");
  check_length(batch.plies_left, batch.size, 1, "the plies left");
  check_length(batch.weight, batch.size, 1, "the weights");
  check_finite(batch.planes, kInputSize, "a plane");
  check_finite(batch.policy, Move::kIndices, "the policy");
  check_finite(batch.wdl, 3, "win, draw, loss");
  check_finite(batch.plies_left, 1, "plies left");
  check_finite(batch.weight, 1, "the weight");

  for (std::size_t i = 0; i < batch.policy.size(); ++i)
    if (batch.policy[i] != 0.0f && batch.legal[i] == 0)
      throw Failure("batch: the policy of sample " + std::to_string(i / Move::kIndices) +
                    " is not 0 at the illegal index " + std::to_string(i % Move::kIndices));
  double total = 0.0;
  for (const float weight : batch.weight) {
    if (weight < 0.0f) throw Failure("batch: a weight is negative");
    total += weight;
  }
  if (total <= 0.0) throw Failure("batch: the weights sum to 0");
}

}  // namespace gounki::nn
