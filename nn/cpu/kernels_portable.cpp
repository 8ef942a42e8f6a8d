// For processors that the others do not know. Where there is no fused multiply-add in hardware this
// is slow, and right.
#include "nn/cpu/kernels_impl.h"

namespace gounki::nn::cpu {
namespace {

struct Vector {
  static constexpr int kFloats = 8;
  float v[kFloats];

  template <class F>
  static Vector each(F&& f) {
    Vector out;
    for (int i = 0; i < kFloats; ++i) out.v[i] = f(i);
    return out;
  }
  static Vector load(const float* p) { return each([=](int i) { return p[i]; }); }
  static Vector all(float x) { return each([=](int) { return x; }); }
  void store(float* p) const {
    for (int i = 0; i < kFloats; ++i) p[i] = v[i];
  }
  friend Vector operator+(const Vector& a, const Vector& b) {
    return each([&](int i) { return a.v[i] + b.v[i]; });
  }
  friend Vector operator-(const Vector& a, const Vector& b) {
    return each([&](int i) { return a.v[i] - b.v[i]; });
  }
  friend Vector fma(const Vector& a, const Vector& b, const Vector& c) {
    return each([&](int i) { return __builtin_fmaf(a.v[i], b.v[i], c.v[i]); });
  }
  friend Vector positive_part(const Vector& a) {
    return each([&](int i) { return 0.0f > a.v[i] ? 0.0f : a.v[i]; });
  }
  friend Vector where_positive(const Vector& y, const Vector& x) {
    return each([&](int i) { return y.v[i] > 0.0f ? x.v[i] : 0.0f; });
  }
};

}  // namespace

constexpr Kernels kPortableKernels = Loops<Vector, 6, 2>::kernels("portable");

}  // namespace gounki::nn::cpu
