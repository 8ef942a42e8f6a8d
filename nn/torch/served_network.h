// A network served by LibTorch's operators on its devices, with the batch norms folded into the
// convolutions. On a processor nn/cpu is faster; this is for GPUs.
#pragma once

#include <memory>
#include <vector>

#include <c10/core/Device.h>

#include "nn/network.h"

namespace gounki::nn {

// On GPUs in half precision, elsewhere in single. Each thread that asks is bound to one of the
// devices, in turn, where it has a stream of its own; all devices are of one type.
std::unique_ptr<ServedNetwork> make_served_network(const Checkpoint& checkpoint,
                                                   const std::vector<c10::Device>& devices);

}  // namespace gounki::nn
