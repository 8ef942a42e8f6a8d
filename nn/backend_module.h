// What the program and the module that holds LibTorch agree on.
#pragma once

#include <filesystem>
#include <vector>

namespace gounki::nn {

class Backend;

// Counts up whenever a class that crosses the border changes, so that a module of another build is
// refused and not called.
inline constexpr int kBackendInterface = 4;

// "cpu", "cuda" or "auto"; where it is not set, "auto": CUDA if there is a GPU.
inline constexpr const char* kDeviceVariable = "GOUNKI_DEVICE";

inline constexpr const char* kBackendFile = "gounki_torch.so";
// extern "C" Backend* gounki_backend(int interface): the module's one backend, which lives as long
// as the process; null when the module was built for another interface.
inline constexpr const char* kBackendSymbol = "gounki_backend";
using BackendFunction = Backend* (*)(int interface);

// Where the module may be: the file that GOUNKI_TORCH_MODULE names or, where it is not set, beside
// the program and where it is installed.
std::vector<std::filesystem::path> backend_places();
// Opens the first of these that exists. Throws a Failure that says what is missing.
Backend& load_backend(const std::vector<std::filesystem::path>& places);

}  // namespace gounki::nn
