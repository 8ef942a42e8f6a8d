// A network served by LibTorch's operators on one of its devices, with the batch norms folded into the
// convolutions. On a processor nn/cpu is faster; this is for GPUs.
#pragma once

#include <memory>

#include <c10/core/Device.h>

#include "nn/network.h"

namespace gounki::nn {

std::unique_ptr<ServedNetwork> make_served_network(const Checkpoint& checkpoint, c10::Device device);

}  // namespace gounki::nn
