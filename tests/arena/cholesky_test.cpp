#include "arena/cholesky.h"

#include <catch2/catch.hpp>

#include "core/random.h"

namespace gounki::arena {
namespace {

TEST_CASE("a solution put into the system gives its right side") {
  Rng rng(3);
  for (const int n : {1, 2, 5, 17}) {
    // B·Bᵀ + 1 is positive definite for any B.
    Matrix b(n), a(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) b(i, j) = rng.normal();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        a(i, j) = i == j;
        for (int k = 0; k < n; ++k) a(i, j) += b(i, k) * b(j, k);
      }
    Vector right(static_cast<std::size_t>(n));
    for (double& value : right) value = rng.normal();
    const Vector x = Cholesky(a).solve(right);
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int j = 0; j < n; ++j) sum += a(i, j) * x[j];
      CHECK(sum == Approx(right[i]).margin(1e-9));
    }
  }
}

TEST_CASE("a system of two solved by hand") {
  Matrix a(2);
  a(0, 0) = 4, a(1, 0) = 2, a(0, 1) = 2, a(1, 1) = 3;
  const Vector x = Cholesky(a).solve({10, 9});
  CHECK(x[0] == Approx(1.5));
  CHECK(x[1] == Approx(2.0));
  CHECK(dot({1, 2, 3}, {4, 5, 6}) == 32.0);
}

}  // namespace
}  // namespace gounki::arena
