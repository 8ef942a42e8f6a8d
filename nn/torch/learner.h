// The learner: gradient descent with Nesterov momentum, and an average of the weights for playing.
#pragma once

#include <cstdint>
#include <memory>

#include <c10/core/Device.h>

#include "nn/network.h"

namespace gounki::nn {

std::unique_ptr<Learner> make_torch_learner(const NetworkConfig& network, const LearnerConfig& config,
                                            std::uint64_t seed, int threads, c10::Device device);
Expected<std::unique_ptr<Learner>> restore_torch_learner(const TensorFile& state,
                                                         const LearnerConfig& config, int threads,
                                                         c10::Device device);

}  // namespace gounki::nn
