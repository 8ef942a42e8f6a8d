// A vector with a place for each legal move of a position, which takes no memory of its own: self-play
// asks for such lists all the time.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <type_traits>

#include "core/movegen.h"

namespace gounki::mcts {

template <class T>
class PerMove {
 public:
  using value_type = T;
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  PerMove() {}
  explicit PerMove(std::size_t size, const T& value = T()) {
    for (std::size_t i = 0; i < size; ++i) push_back(value);
  }

  PerMove(const PerMove& o) : size_(o.size_) { std::copy(o.begin(), o.end(), begin()); }
  PerMove& operator=(const PerMove& o) {
    size_ = o.size_;
    std::copy(o.begin(), o.end(), begin());
    return *this;
  }

  void push_back(const T& value) {
    assert(size_ < items_.size());
    items_[size_++] = value;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* data() { return items_.data(); }
  const T* data() const { return items_.data(); }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }

 private:
  // Most positions have few of the most moves that there may be, so the rest is left as it is.
  union {
    std::array<T, MoveList::kCapacity> items_;
  };
  std::size_t size_ = 0;
};

}  // namespace gounki::mcts
