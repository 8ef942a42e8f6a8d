// Memory for a tree: arrays of elements that never move, from which each worker carves blocks of its
// own, and lists of blocks that are free again.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <vector>

#include <sys/mman.h>

namespace gounki::mcts {

// The bytes that some pools hold together, and the most that they may. Any thread may take.
class MemoryBudget {
 public:
  void set_limit(std::size_t bytes) { limit_ = bytes; }  // 0 for none
  bool take(std::size_t bytes) {
    const std::size_t limit = limit_.load(std::memory_order_relaxed);
    const std::size_t held = held_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (limit == 0 || held <= limit) return true;
    held_.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }
  std::size_t held() const { return held_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> held_ = 0, limit_ = 0;
};

// Chunks of elements. A chunk belongs to one worker until `clear`, which keeps the memory.
template <class T>
class Pool {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kChunk = std::bit_floor(32768u / static_cast<unsigned>(sizeof(T)));

  T* at(std::uint32_t index) const {
    return table_.load(std::memory_order_acquire)[index / kChunk] + index % kChunk;
  }
  // The first index of a chunk that nobody uses, with whatever was in it; kNone when the budget is
  // spent or the indices are. May be called from several threads at once.
  std::uint32_t take_chunk(MemoryBudget& budget) {
    const std::lock_guard lock(mutex_);
    if (used_ == count_ && !add_chunks(budget)) return kNone;
    return static_cast<std::uint32_t>(used_++) * kChunk;
  }
  void clear() { used_ = 0; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  static constexpr std::size_t kBytes = kChunk * sizeof(T);
  // A pool that has grown to one huge page takes its memory in huge pages, which spare the processor
  // most of its address translation. Smaller ones must not begin at the same place of a page each: they
  // would crowd into the same sets of the caches.
  static constexpr std::size_t kHugePage = std::size_t{1} << 21;

  bool add_chunks(MemoryBudget& budget) {
    if (count_ * kBytes >= kHugePage && add_memory(kHugePage, kHugePage, budget)) return true;
    return add_memory(kBytes, 64, budget);
  }
  bool add_memory(std::size_t bytes, std::size_t alignment, MemoryBudget& budget) {
    if (count_ + bytes / kBytes > kNone / kChunk || !budget.take(bytes)) return false;
    memory_.emplace_back(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
    T* memory = memory_.back().get();
    if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (alignment == kHugePage) ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    std::uninitialized_default_construct_n(memory, bytes / sizeof(T));
    for (std::size_t i = 0; i < bytes / kBytes; ++i) enter_chunk(memory + i * kChunk);
    return true;
  }
  // A table that is too small is copied into a larger one. The old one stays, for who reads it now.
  void enter_chunk(T* chunk) {
    if (count_ == capacity_) {
      const std::size_t capacity = std::max<std::size_t>(8, 2 * capacity_);
      auto table = std::make_unique<T*[]>(capacity);
      std::copy_n(table_.load(std::memory_order_relaxed), count_, table.get());
      table_.store(table.get(), std::memory_order_release);
      tables_.push_back(std::move(table));
      capacity_ = capacity;
    }
    table_.load(std::memory_order_relaxed)[count_++] = chunk;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<T[], Free>> memory_;
  std::size_t count_ = 0, used_ = 0;  // chunks
  std::vector<std::unique_ptr<T*[]>> tables_;
  std::size_t capacity_ = 0;
  // Read all the time by all workers, unlike the rest.
  alignas(128) std::atomic<T**> table_ = nullptr;
};

// What one worker carves blocks of 1 to 255 elements from: chunks of a pool, and blocks that were
// given back. Free blocks of a size are a list that runs through their first elements: T has
// `set_link(index)` and `link()`.
template <class T>
class Arena {
 public:
  static constexpr std::uint32_t kNone = Pool<T>::kNone;
  static constexpr std::uint32_t kMost = 255;

  Arena() { clear(); }

  // The first of `n` elements that lie side by side, with whatever was in them; kNone when there is
  // no memory for them.
  std::uint32_t allocate(std::uint32_t n, Pool<T>& pool, MemoryBudget& budget) {
    assert(n >= 1 && n <= kMost);
    if (any_free_)
      if (const std::uint32_t block = take_free(n, pool); block != kNone) return block;
    if (end_ - next_ < n) {
      const std::uint32_t chunk = pool.take_chunk(budget);
      if (chunk == kNone) return kNone;
      next_ = chunk;
      end_ = chunk + Pool<T>::kChunk;
    }
    const std::uint32_t first = next_;
    next_ += n;
    return first;
  }
  void give_back(std::uint32_t block, std::uint32_t n, Pool<T>& pool) {
    pool.at(block)->set_link(free_[n]);
    free_[n] = block;
    sizes_[n / 64] |= std::uint64_t{1} << n % 64;
    any_free_ = true;
  }
  // Forgets all blocks; the pool is cleared too.
  void clear() {
    next_ = end_ = 0;
    forget_free();
  }
  // Makes one block of free blocks that lie side by side, as far as blocks go.
  void join_free(Pool<T>& pool) {
    struct Block {
      std::uint32_t first, size;
    };
    std::vector<Block> blocks;
    for (std::uint32_t size = 1; size <= kMost; ++size)
      for (std::uint32_t at = free_[size]; at != kNone; at = pool.at(at)->link())
        blocks.push_back({at, size});
    std::sort(blocks.begin(), blocks.end(),
              [](const Block& a, const Block& b) { return a.first < b.first; });
    forget_free();
    for (std::size_t i = 0; i < blocks.size();) {
      Block joined = blocks[i];
      const auto joins = [&joined](const Block& next) {
        return joined.first + joined.size == next.first &&
               next.first % Pool<T>::kChunk != 0 && joined.size + next.size <= kMost;
      };
      for (++i; i < blocks.size() && joins(blocks[i]); ++i) joined.size += blocks[i].size;
      give_back(joined.first, joined.size, pool);
    }
  }

 private:
  // The smallest free block that is large enough; what is left of it is free again.
  std::uint32_t take_free(std::uint32_t n, Pool<T>& pool) {
    const std::uint32_t size = least_size(n);
    if (size > kMost) return kNone;
    const std::uint32_t block = free_[size];
    free_[size] = pool.at(block)->link();
    if (free_[size] == kNone) sizes_[size / 64] &= ~(std::uint64_t{1} << size % 64);
    if (size > n) give_back(block + n, size - n, pool);
    return block;
  }
  void forget_free() {
    any_free_ = false;
    free_.fill(kNone);
    sizes_.fill(0);
  }
  std::uint32_t least_size(std::uint32_t n) const {
    std::uint64_t word = sizes_[n / 64] & (~std::uint64_t{0} << n % 64);
    for (std::uint32_t i = n / 64;; word = sizes_[i]) {
      if (word != 0) return 64 * i + static_cast<std::uint32_t>(std::countr_zero(word));
      if (++i == sizes_.size()) return kMost + 1;
    }
  }

  std::uint32_t next_, end_;
  bool any_free_;
  std::array<std::uint32_t, kMost + 1> free_;
  std::array<std::uint64_t, 4> sizes_;  // a bit for each size of which there is a free block
};

}  // namespace gounki::mcts
