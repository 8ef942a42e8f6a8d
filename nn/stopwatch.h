// Times short work on a machine that may do other work besides.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace gounki::nn {

// Keeps the least time that a call took in any of several measurements, since other work only ever
// makes one slower.
class Stopwatch {
 public:
  // Calls `work` at least once and until `slice` seconds are over.
  template <class Work>
  void measure(double slice, Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    int calls = 0;
    double seconds = 0;
    do {
      work();
      ++calls;
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    } while (seconds < slice);
    least_ = std::min(least_, seconds / calls);
  }
  double seconds() const { return least_; }

 private:
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace gounki::nn
