// A vector that holds up to N elements in itself and takes no memory of its own. Search and move
// generation ask for lists all the time, most of them far shorter than the longest that there may be:
// places that are not in use are neither cleared nor copied.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <type_traits>

namespace gounki {

template <class T, std::size_t N>
class FixedList {
 public:
  using value_type = T;
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  FixedList() {}
  explicit FixedList(std::size_t size, const T& value = T()) : size_(size) {
    assert(size <= N);
    std::fill_n(begin(), size, value);
  }
  FixedList(const FixedList& o) : size_(o.size_) { std::copy(o.begin(), o.end(), begin()); }
  FixedList& operator=(const FixedList& o) {
    size_ = o.size_;
    if (this != &o) std::copy(o.begin(), o.end(), begin());
    return *this;
  }

  void push_back(const T& value) {
    assert(size_ < N);
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
  std::size_t size_ = 0;
  union {
    std::array<T, N> items_;
  };
};

}  // namespace gounki
