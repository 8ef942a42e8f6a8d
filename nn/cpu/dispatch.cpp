#include "nn/cpu/cpu_network.h"

namespace gounki::nn::cpu {

const std::vector<Kernels>& usable_kernels() {
  static const std::vector<Kernels> usable = [] {
    std::vector<Kernels> found;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f")) found.push_back(kAvx512Kernels);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(kAvx2Kernels);
#endif
    found.push_back(kPortableKernels);
    return found;
  }();
  return usable;
}

}  // namespace gounki::nn::cpu
