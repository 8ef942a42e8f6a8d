#include <immintrin.h>

#include "nn/cpu/kernels_impl.h"

namespace gounki::nn::cpu {
namespace {

struct Vector {
  static constexpr int kFloats = 16;
  __m512 v;

  static Vector load(const float* p) { return {_mm512_loadu_ps(p)}; }
  static Vector all(float x) { return {_mm512_set1_ps(x)}; }
  void store(float* p) const { _mm512_storeu_ps(p, v); }
  friend Vector operator+(Vector a, Vector b) { return {_mm512_add_ps(a.v, b.v)}; }
  friend Vector operator-(Vector a, Vector b) { return {_mm512_sub_ps(a.v, b.v)}; }
  friend Vector fma(Vector a, Vector b, Vector c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }
  // Masked with everything, since GCC 12 warns of _mm512_max_ps (bug 105593).
  friend Vector positive_part(Vector a) {
    return {_mm512_maskz_max_ps(0xffff, _mm512_setzero_ps(), a.v)};
  }
  friend Vector where_positive(Vector y, Vector x) {
    return {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(y.v, _mm512_setzero_ps(), _CMP_GT_OQ), x.v)};
  }
};

}  // namespace

constexpr Kernels kAvx512Kernels = Loops<Vector, 12, 2>::kernels("AVX-512");

}  // namespace gounki::nn::cpu
