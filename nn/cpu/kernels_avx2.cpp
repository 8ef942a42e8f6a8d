#include <immintrin.h>

#include "nn/cpu/kernels_impl.h"

namespace gounki::nn::cpu {
namespace {

struct Vector {
  static constexpr int kFloats = 8;
  __m256 v;

  static Vector load(const float* p) { return {_mm256_loadu_ps(p)}; }
  static Vector all(float x) { return {_mm256_set1_ps(x)}; }
  void store(float* p) const { _mm256_storeu_ps(p, v); }
  friend Vector operator+(Vector a, Vector b) { return {_mm256_add_ps(a.v, b.v)}; }
  friend Vector operator-(Vector a, Vector b) { return {_mm256_sub_ps(a.v, b.v)}; }
  friend Vector fma(Vector a, Vector b, Vector c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
  friend Vector positive_part(Vector a) { return {_mm256_max_ps(_mm256_setzero_ps(), a.v)}; }
  friend Vector where_positive(Vector y, Vector x) {
    return {_mm256_and_ps(_mm256_cmp_ps(y.v, _mm256_setzero_ps(), _CMP_GT_OQ), x.v)};
  }
};

}  // namespace

constexpr Kernels kAvx2Kernels = Loops<Vector, 6, 2>::kernels("AVX2");

}  // namespace gounki::nn::cpu
