// Small dense systems with a symmetric positive definite matrix.
#pragma once

#include <cmath>
#include <vector>

namespace gounki::arena {

using Vector = std::vector<double>;

inline double dot(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

class Matrix {
 public:
  explicit Matrix(int size = 0)
      : size_(size), values_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {}
  int size() const { return size_; }
  double& operator()(int row, int column) { return values_[row * std::size_t(size_) + column]; }
  double operator()(int row, int column) const {
    return values_[row * std::size_t(size_) + column];
  }

 private:
  int size_;
  Vector values_;
};

// A = L·Lᵀ; only the lower triangle of A is read.
class Cholesky {
 public:
  explicit Cholesky(Matrix a) : l_(std::move(a)) {
    for (int j = 0; j < l_.size(); ++j) {
      for (int k = 0; k < j; ++k) l_(j, j) -= l_(j, k) * l_(j, k);
      l_(j, j) = std::sqrt(l_(j, j));
      for (int i = j + 1; i < l_.size(); ++i) {
        for (int k = 0; k < j; ++k) l_(i, j) -= l_(i, k) * l_(j, k);
        l_(i, j) /= l_(j, j);
      }
    }
  }

  // The x with A·x = b.
  Vector solve(Vector b) const {
    const int n = l_.size();
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= l_(i, k) * b[k];
      b[i] /= l_(i, i);
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) b[i] -= l_(k, i) * b[k];
      b[i] /= l_(i, i);
    }
    return b;
  }

 private:
  Matrix l_;
};

}  // namespace gounki::arena
