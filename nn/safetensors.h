// Named tensors in a .safetensors file (docs/formats.md): an 8-byte little-endian header length, a
// JSON header, the bytes. Reads and writes the format itself; what the tensors mean is not known here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"

namespace gounki::nn {

struct Tensor {
  std::string dtype = "F32";        // as safetensors names it: F32, I64, …
  std::vector<std::int64_t> shape;  // row-major
  std::vector<std::byte> data;
};

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;  // by name, which is the order in the file
};

std::string to_bytes(const TensorFile& file);
// Checks every size and offset against the length of the bytes before it allocates.
Expected<TensorFile> parse_safetensors(std::string_view bytes);

}  // namespace gounki::nn
