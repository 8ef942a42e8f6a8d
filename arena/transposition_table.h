// What an alpha-beta search remembers of positions: bounds of their scores and the best move known.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/move.h"

namespace gounki::arena {

enum class Bound : std::uint8_t { Exact, AtLeast, AtMost };

// Of fixed size. What is kept and what is overwritten depends on the searches alone, so a search
// that begins with forget() is the same on every machine.
class TranspositionTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::int32_t score = 0;  // for the side to move; wins and losses count from this position on
    Move best;
    std::uint8_t depth_and_bound = 0;
    std::uint8_t age = 0;

    int depth() const { return depth_and_bound >> 2; }
    Bound bound() const { return static_cast<Bound>(depth_and_bound & 3); }
  };

  TranspositionTable() : buckets_(kBuckets) {}

  // Empties the table.
  void forget() {
    if (++age_ != 0) return;
    buckets_.assign(kBuckets, {});
    age_ = 1;
  }

  // Says that a key will be looked for soon.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key)); }

  const Entry* find(std::uint64_t key) const {
    for (const Entry& entry : bucket(key))
      if (entry.age == age_ && entry.key == key) return &entry;
    return nullptr;
  }

  // Of the two places of a key the first keeps the deeper search, the second the latest.
  void store(std::uint64_t key, int depth, int score, Bound bound, Move best) {
    Bucket& places = buckets_[key & (kBuckets - 1)];
    Entry& deep = places[0];
    const bool first = deep.age != age_ || deep.key == key ||
                       (places[1].key != key && deep.depth() <= depth);
    places[first ? 0 : 1] = {
        key, score, best,
        static_cast<std::uint8_t>(depth << 2 | static_cast<int>(bound)), age_};
  }

 private:
  static constexpr std::uint64_t kBuckets = 1 << 20;  // 32 MB
  using Bucket = std::array<Entry, 2>;
  static_assert(sizeof(Entry) == 16);

  const Bucket& bucket(std::uint64_t key) const { return buckets_[key & (kBuckets - 1)]; }

  std::vector<Bucket> buckets_;
  std::uint8_t age_ = 0;  // of the entries that count; others are empty
};

}  // namespace gounki::arena
