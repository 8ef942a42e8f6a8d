// The module's entry: what the program finds behind nn::backend().
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <dlfcn.h>
#include <malloc.h>

#include <ATen/ATen.h>
#include <torch/cuda.h>
#include <torch/version.h>

#include "nn/backend_module.h"
#include "nn/cpu/cpu_network.h"
#include "nn/network.h"
#include "nn/torch/learner.h"
#include "nn/torch/served_network.h"
#include "nn/torch/tensors.h"

namespace gounki::nn {
namespace {

c10::Device choose_device() {
  const char* wanted = std::getenv(kDeviceVariable);
  const std::string_view text = wanted == nullptr ? "" : wanted;
  if (text == "cpu") return c10::kCPU;
  if (text != "" && text != "cuda" && text != "auto")
    throw Failure(std::string(kDeviceVariable) + " is \"" + wanted + "\", not cpu, cuda or auto");
  const bool cuda = torch::cuda::is_available();
  if (text == "cuda" && !cuda)
    throw Failure(std::string(kDeviceVariable) + " is cuda, and LibTorch sees no such device");
  return cuda ? c10::kCUDA : c10::kCPU;
}

// By default malloc gives large blocks back to the system each time, and getting them again can cost
// more than the network's arithmetic.
void keep_large_blocks() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

// OpenBLAS has a pool of threads of its own, for which all our threads would queue. Our
// multiplications are small; each stays in the thread that asks.
void keep_blas_single_threaded() {
  if (void* set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
    reinterpret_cast<void (*)(int)>(set_threads)(1);
}

std::string blas_name() {
  if (void* config = dlsym(RTLD_DEFAULT, "openblas_get_config")) {
    const std::string text = reinterpret_cast<const char* (*)()>(config)();
    return text.substr(0, text.find(' ', text.find(' ') + 1));  // "OpenBLAS 0.3.21"
  }
  if (at::hasMKL()) return "MKL";
  return "no fast BLAS found: learning is slow until one is installed (Debian: libopenblas0-pthread)";
}

class TorchBackend : public Backend {
 public:
  TorchBackend() : device_(choose_device()) {
    keep_large_blocks();
    keep_blas_single_threaded();
    at::globalContext().setDeterministicCuDNN(true);
  }

  std::unique_ptr<ServedNetwork> serve(const Checkpoint& checkpoint) override {
    return device_.is_cuda() ? serve_with_libtorch(checkpoint) : make_cpu_network(checkpoint);
  }

  std::unique_ptr<ServedNetwork> serve_with_libtorch(const Checkpoint& checkpoint) override {
    return guarded("network", [&] { return make_served_network(checkpoint, serving_devices()); });
  }

  std::unique_ptr<Learner> make_learner(const NetworkConfig& network, const LearnerConfig& config,
                                        std::uint64_t seed, int threads) override {
    return guarded("learner",
                   [&] { return make_torch_learner(network, config, seed, threads, device_); });
  }

  Expected<std::unique_ptr<Learner>> restore_learner(const TensorFile& state,
                                                     const LearnerConfig& config,
                                                     int threads) override {
    return guarded("learner", [&] { return restore_torch_learner(state, config, threads, device_); });
  }

  int gpus() const override {
    return device_.is_cuda() ? static_cast<int>(torch::cuda::device_count()) : 0;
  }

  std::string description() const override {
    const std::string device = gpus() == 0 ? "CPU" : gpus() == 1 ? "CUDA" : std::to_string(gpus()) + " CUDA";
    return "LibTorch " TORCH_VERSION ", " + device + ", " + blas_name();
  }

 private:
  std::vector<c10::Device> serving_devices() const {
    if (gpus() == 0) return {device_};
    std::vector<c10::Device> devices;
    for (int i = 0; i < gpus(); ++i) devices.emplace_back(c10::kCUDA, static_cast<c10::DeviceIndex>(i));
    return devices;
  }

  c10::Device device_;
};

}  // namespace
}  // namespace gounki::nn

extern "C" __attribute__((visibility("default"))) gounki::nn::Backend* gounki_backend(int interface) {
  if (interface != gounki::nn::kBackendInterface) return nullptr;
  static gounki::nn::TorchBackend backend;
  return &backend;
}
