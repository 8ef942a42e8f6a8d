// A network in the form that answers fastest: batch norms folded into the convolutions, these packed
// for oneDNN where LibTorch can.
#pragma once

#include <memory>

#include <c10/core/Device.h>

#include "nn/network.h"

namespace gounki::nn {

std::unique_ptr<ServedNetwork> make_served_network(const Checkpoint& checkpoint, c10::Device device);

}  // namespace gounki::nn
