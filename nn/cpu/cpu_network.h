// A network served by the processor without LibTorch: no time to start, and for the small networks
// that a processor can play with several times as fast. What it answers for a position depends on
// the position alone, to the bit, whatever the batch and the instruction set.
#pragma once

#include <memory>
#include <vector>

#include "nn/cpu/kernels.h"
#include "nn/network.h"

namespace gounki::nn {

namespace cpu {

// Those that this processor can run, the widest vectors first.
const std::vector<Kernels>& usable_kernels();

}  // namespace cpu

// The checkpoint has been checked against its shape. Without kernels it takes those that
// cpu::kernel_choices() (nn/cpu/choice.h) says.
std::unique_ptr<ServedNetwork> make_cpu_network(const Checkpoint& checkpoint);
std::unique_ptr<ServedNetwork> make_cpu_network(const Checkpoint& checkpoint, const cpu::Kernels& kernels);

}  // namespace gounki::nn
