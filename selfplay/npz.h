// NumPy's .npz files: a zip of one .npy file for each array. The zip is libzip's; the .npy headers
// are read and written here. The bytes written depend on the arrays alone.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"

namespace gounki::selfplay {

// An array as NumPy describes it: little-endian, C order.
struct NpyArray {
  std::string dtype;                // "|u1", "<i2", "<f4", …
  std::vector<std::int64_t> shape;  // empty for a single value
  std::string data;                 // the product of the shape times the size of a value, in bytes

  std::int64_t count() const;
};

template <class T>
std::string npy_dtype() {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
  const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  return std::string(sizeof(T) == 1 ? "|" : "<") + kind + std::to_string(sizeof(T));
}

template <class T>
NpyArray make_array(std::span<const T> values, std::vector<std::int64_t> shape) {
  NpyArray array{npy_dtype<T>(), std::move(shape), std::string(values.size_bytes(), '\0')};
  if (!values.empty()) std::memcpy(array.data.data(), values.data(), values.size_bytes());
  return array;
}

// The values of an array; the type must be the array's.
template <class T>
std::vector<T> values_of(const NpyArray& array) {
  std::vector<T> values(array.data.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), array.data.data(), array.data.size());
  return values;
}

// The whole .npy file of an array, and back. The reader takes what NumPy writes for plain numbers,
// and checks the header's shape against the number of bytes there are.
std::string npy_to_bytes(const NpyArray& array);
Expected<NpyArray> parse_npy(std::string_view bytes);

using NamedArrays = std::vector<std::pair<std::string, NpyArray>>;

// The arrays, in this order, as "<name>.npy" in a zip.
std::string npz_to_bytes(const NamedArrays& arrays);
// All arrays of a file by name, or those of `wanted` when it is not empty (which must exist).
// Nothing of the file is trusted: memory grows only with what could be decompressed.
Expected<std::map<std::string, NpyArray>> parse_npz(std::string_view bytes,
                                                    const std::vector<std::string>& wanted = {});

}  // namespace gounki::selfplay
