#include <cmath>
#include <cstddef>
#include <string>

#include "nn/network.h"

namespace gounki::nn {
namespace {

// The batch should have so many of these values.
template <class T>
void check_length(const std::vector<T>& values, int size, std::size_t expected, const char* what) {
  if (values.size() != expected)
    throw Failure("batch of " + std::to_string(size) + ": " + std::to_string(values.size()) +
                  " values of " + what + ", not " + std::to_string(expected));
}

// `width` values belong to a sample.
void check_finite(const std::vector<float>& values, int width, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw Failure("batch: " + std::string(what) + " of sample " +
                    std::to_string(i / static_cast<std::size_t>(width)) + " is not finite");
}

void check_policy(const Batch& batch) {
  const auto size = static_cast<std::size_t>(batch.size);
  check_length(batch.policy_offsets, batch.size, size + 1, "where policies begin");
  check_length(batch.policy_index, batch.size, batch.policy.size(), "policy indices");
  if (batch.policy_offsets.front() != 0 ||
      batch.policy_offsets.back() != static_cast<std::int32_t>(batch.policy.size()))
    throw Failure("batch: the policies do not fill their array");
  for (std::size_t i = 0; i < size; ++i) {
    const std::string sample = " of sample " + std::to_string(i);
    if (batch.policy_offsets[i] >= batch.policy_offsets[i + 1])
      throw Failure("batch: no legal move" + sample);
    for (auto at = static_cast<std::size_t>(batch.policy_offsets[i]);
         at < static_cast<std::size_t>(batch.policy_offsets[i + 1]); ++at) {
      if (batch.policy_index[at] >= Move::kIndices)
        throw Failure("batch: a policy index" + sample + " is past " + std::to_string(Move::kIndices - 1));
      if (!std::isfinite(batch.policy[at])) throw Failure("batch: the policy" + sample + " is not finite");
    }
    if (batch.reply[i] >= Move::kIndices)
      throw Failure("batch: the reply" + sample + " is past " + std::to_string(Move::kIndices - 1));
  }
}

}  // namespace

void check_batch(const Batch& batch) {
  if (batch.size <= 0) throw Failure("batch: no samples in it");
  const auto size = static_cast<std::size_t>(batch.size);
  check_length(batch.planes, batch.size, size * kInputSize, "the planes");
  check_length(batch.wdl, batch.size, size * 3, "win, draw, loss");
  check_length(batch.plies_left, batch.size, size, "the plies left");
  check_length(batch.reply, batch.size, size, "the replies");
  check_length(batch.weight, batch.size, size, "the weights");
  check_policy(batch);
  check_finite(batch.planes, kInputSize, "a plane");
  check_finite(batch.wdl, 3, "win, draw, loss");
  check_finite(batch.plies_left, 1, "plies left");
  check_finite(batch.weight, 1, "the weight");

  double total = 0.0;
  for (const float weight : batch.weight) {
    if (weight < 0.0f) throw Failure("batch: a weight is negative");
    total += weight;
  }
  if (total <= 0.0) throw Failure("batch: the weights sum to 0");
}

}  // namespace gounki::nn
