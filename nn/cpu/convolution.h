// A 3x3 convolution by the kernels: forward, and the gradient of its weights. (The gradient of its
// inputs is a convolution too, with the kernels turned and inputs and outputs exchanged.)
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "nn/cpu/kernels.h"

namespace gounki::nn::cpu {

// Vectors that straddle two lines of the cache take twice as long to load.
template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kLine); }
  bool operator==(const CacheAligned&) const = default;
};
using Floats = std::vector<float, CacheAligned<float>>;

// At least `size` floats, of which nothing is known.
inline float* grown(Floats& floats, std::size_t size) {
  if (floats.size() < size) floats.resize(size);
  return floats.data();
}

// The number of channels that the kernels need for this many.
inline int padded(int channels, const Kernels& kernels) {
  return (channels + kernels.vector - 1) / kernels.vector * kernels.vector;
}

// Where the numbers of a packed matrix are.
struct PackedShape {
  int depth, columns, panel, vector;

  int size() const { return depth * columns; }
  int position(int row, int column) const {
    const int first = column / panel * panel;
    if (first + panel <= columns) return first * depth + row * panel + column - first;
    const int rest = column / vector * vector;
    return rest * depth + row * vector + column - rest;
  }
};

// How many boards to work on together, so that their points stay in the second level of the cache.
int boards_at_once(int channels);

class Convolution3x3 {
 public:
  // `weight` is [output][input][3][3]; `bias` may be null.
  Convolution3x3(const double* weight, const double* bias, int inputs, int outputs,
                 const Kernels& kernels);

  int outputs() const { return shape_.columns; }  // padded

  // [board][square][channel] in and out, channels padded; `residual` may be null, and may be `out`.
  // For as many boards as boards_at_once says.
  void run(const float* in, int boards, const float* residual, bool relu, float* out) const;

 private:
  const Kernels* kernels_;
  PackedShape shape_;  // of one point's matrix
  int stride_;         // from one point to the next
  Floats matrices_, bias_;
};

// Sums up the gradient of a convolution's weights over many boards.
class WeightGradient {
 public:
  // Padded numbers.
  WeightGradient(int inputs, int outputs, const Kernels& kernels);

  // The inputs of some boards and the gradient of their outputs.
  void add(const float* in, const float* out_gradient, int boards);
  void add(const WeightGradient& other);
  // [output][input][3][3].
  void write(float* weight_gradient) const;

 private:
  const Kernels* kernels_;
  int inputs_, outputs_, stride_;
  Floats points_;  // [point][input][output], with a stride between points
};

}  // namespace gounki::nn::cpu
