// Which kernels serve a network. All give the same bits, so this is a matter of speed alone: the
// fastest are found by a short trial, and remembered.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "nn/cpu/kernels.h"
#include "nn/network.h"

namespace gounki::nn::cpu {

// "avx512", "avx2" or "portable" forces those kernels.
inline constexpr const char* kKernelsVariable = "GOUNKI_KERNELS";

// gounki/kernels.json in $XDG_CACHE_HOME or ~/.cache; empty where neither is known.
std::filesystem::path kernel_choices_path();

// May be used from several threads.
class KernelChoices {
 public:
  // The file remembers choices from one process to the next: an object whose keys name the processor,
  // the version of the kernels and the network's shape, and whose values are names of kernels. A file
  // that is damaged or cannot be written is as good as none. An empty path stands for no file.
  explicit KernelChoices(std::filesystem::path file) : file_(std::move(file)) {}

  // Throws a Failure when the environment forces kernels that are unknown or not for this processor.
  const Kernels& choose(const Checkpoint& checkpoint);
  // From now on these are chosen for the shape.
  void remember(const NetworkConfig& network, const Kernels& kernels);

 private:
  void store(const std::string& key, const Kernels& kernels);

  std::filesystem::path file_;
  std::mutex mutex_;
  std::map<std::string, const Kernels*> known_;
};

// The process's own, with the file of kernel_choices_path().
KernelChoices& kernel_choices();

}  // namespace gounki::nn::cpu
