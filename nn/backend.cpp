#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <dlfcn.h>

#include "nn/backend_module.h"
#include "nn/cpu/cpu_network.h"
#include "nn/network.h"

namespace gounki::nn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPathVariable = "GOUNKI_TORCH_MODULE";

}  // namespace

std::vector<fs::path> backend_places() {
  if (const char* place = std::getenv(kPathVariable)) return {place};
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  return {folder / kBackendFile, folder.parent_path() / "lib" / "gounki" / kBackendFile};
}

Backend& load_backend(const std::vector<fs::path>& places) {
  std::string looked;
  for (const fs::path& place : places) {
    if (!fs::exists(place)) {
      looked += (looked.empty() ? "" : " or ") + place.string();
      continue;
    }
    // LibTorch's threads otherwise wait for one another by spinning, which takes ten times as long
    // where others want the cores. Their library reads this when it is loaded.
    setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
    void* module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr)
      throw Failure(place.string() + ": cannot load LibTorch: " + dlerror() +
                    "; install it (Debian: libtorch-dev) or build against the one you have");
    const auto entry = reinterpret_cast<BackendFunction>(dlsym(module, kBackendSymbol));
    Backend* backend = entry == nullptr ? nullptr : entry(kBackendInterface);
    if (backend == nullptr)
      throw Failure(place.string() + ": belongs to another version of gounki; build them together");
    return *backend;
  }
  throw Failure(std::string("networks need the module ") + kBackendFile + ", which is not at " +
                looked + "; build the target gounki_torch or name its file in " + kPathVariable);
}

Backend& backend() {
  static Backend& loaded = load_backend(backend_places());
  return loaded;
}

std::unique_ptr<ServedNetwork> serve(const Checkpoint& checkpoint) {
  const char* variable = std::getenv(kDeviceVariable);
  const std::string device = variable == nullptr || *variable == '\0' ? "auto" : variable;
  // The driver's file, so that LibTorch is not loaded just to learn that there is no GPU.
  const bool may_have_gpu = device == "auto" ? fs::exists("/dev/nvidiactl") : device != "cpu";
  return may_have_gpu ? backend().serve(checkpoint) : make_cpu_network(checkpoint);
}

}  // namespace gounki::nn
