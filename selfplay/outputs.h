// What a network answers to samples, as an .npz file for other programs (docs/formats.md).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "nn/network.h"
#include "selfplay/sample.h"

namespace gounki::selfplay {

// The raw outputs for N samples with M legal moves in all. The last three are from the point of view
// of the side to move.
struct NetworkOutputs {
  std::vector<float> planes;                    // N x kInputSize, where they were asked for
  std::vector<std::int64_t> policy_offsets{0};  // N + 1, as in a shard
  std::vector<float> policy_logits;             // M, in the order of the samples' policies
  std::vector<float> wdl;                       // N x 3 logits of win, draw, loss
  std::vector<float> plies_left;                // N

  std::int64_t rows() const { return static_cast<std::int64_t>(plies_left.size()); }
};

// Asks for 64 samples at a time; `progress` is told after each time how many are done. Throws a
// Failure that names the sample when an output is not finite.
NetworkOutputs ask(const nn::ServedNetwork& network, std::span<const Sample> samples,
                   bool with_planes, const std::function<void(std::size_t done)>& progress);

// As an .npz file. `step` is the learner steps of the network.
std::string to_bytes(const NetworkOutputs& outputs, std::int64_t step);

}  // namespace gounki::selfplay
