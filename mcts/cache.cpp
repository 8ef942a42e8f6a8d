#include "mcts/cache.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/random.h"

namespace gounki::mcts {
namespace {

// An answer as it is stored. Behind it lie the priors (4 bytes each) and the moves (2 bytes each).
struct Entry {
  Position position;
  std::uint64_t hash;
  WinDrawLoss wdl;
  float plies_left;
  std::int32_t repetitions;
  std::uint32_t moves;

  static std::size_t bytes_for(std::size_t moves) {
    const std::size_t bytes = sizeof(Entry) + moves * (sizeof(float) + sizeof(Move));
    return (bytes + alignof(Entry) - 1) / alignof(Entry) * alignof(Entry);
  }
  std::size_t bytes() const { return bytes_for(moves); }
  std::byte* priors() { return reinterpret_cast<std::byte*>(this + 1); }
  std::byte* move_list() { return priors() + moves * sizeof(float); }

  bool is_for(const Leaf& leaf) {
    return position == leaf.position && repetitions == leaf.repetitions &&
           moves == static_cast<std::uint32_t>(leaf.moves.size()) &&
           std::memcmp(move_list(), leaf.moves.data(), moves * sizeof(Move)) == 0;
  }
};

static_assert(std::is_trivially_copyable_v<Entry> && alignof(Entry) == 8);
static_assert(std::has_unique_object_representations_v<Move>, "lists are compared as bytes");

}  // namespace

// A part of the cache: the answers whose hash has the shard's number in its lowest bits.
//
// The entries lie one after another in a ring of bytes, each in one piece. The older ones fill
// [oldest_, top_), the newer ones [0, write_); as these grow, the older ones in their way are given
// up, in the order in which they came. At the end of the ring the newer ones become the older.
//
// The index finds them: buckets of kWays slots, the newest entry first, each slot with 32 bits of
// the hash and the entry's place. A new entry pushes the oldest out of a full bucket; the ring then
// holds that one to no use. An entry that the ring gives up is the oldest of its bucket too.
class alignas(64) CachingEvaluator::Shard {
 public:
  explicit Shard(std::size_t bytes)
      : buckets_(bytes / (kWays * (kBytesPerSlot + sizeof(Slot)))),
        ring_bytes_((bytes - buckets_ * kWays * sizeof(Slot)) / alignof(Entry) * alignof(Entry)),
        index_(std::make_unique<Slot[]>(buckets_ * kWays)),
        ring_(std::make_unique_for_overwrite<std::byte[]>(ring_bytes_)) {
    assert(buckets_ > 0 && ring_bytes_ >= Entry::bytes_for(MoveList::kCapacity));
  }

  bool find(const Leaf& leaf, std::uint64_t hash, Evaluation& out) {
    const std::lock_guard lock(mutex_);
    Entry* const entry = entry_for(leaf, hash);
    if (!entry) return false;
    out.wdl = entry->wdl;
    out.plies_left = entry->plies_left;
    out.priors.resize(entry->moves);
    std::memcpy(out.priors.data(), entry->priors(), entry->moves * sizeof(float));
    return true;
  }

  void store(const Leaf& leaf, std::uint64_t hash, const Evaluation& answer) {
    const std::lock_guard lock(mutex_);
    if (entry_for(leaf, hash)) return;  // another thread asked for it at the same time
    const auto moves = static_cast<std::uint32_t>(leaf.moves.size());
    const std::size_t place = make_room(Entry::bytes_for(moves));
    Entry* const entry = new (&ring_[place])
        Entry{leaf.position, hash, answer.wdl, answer.plies_left, leaf.repetitions, moves};
    std::memcpy(entry->priors(), answer.priors.data(), moves * sizeof(float));
    std::memcpy(entry->move_list(), leaf.moves.data(), moves * sizeof(Move));

    Slot* const bucket = bucket_of(hash);
    entries_ += bucket[kWays - 1].empty();
    std::copy_backward(bucket, bucket + kWays - 1, bucket + kWays);
    bucket[0] = Slot::of(hash, place);
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    std::fill_n(index_.get(), buckets_ * kWays, Slot());
    oldest_ = top_ = write_ = 0;
    entries_ = 0;
  }

  std::int64_t entries() const {
    const std::lock_guard lock(mutex_);
    return entries_;
  }
  std::size_t bytes_held() const {
    return sizeof(Shard) + buckets_ * kWays * sizeof(Slot) + ring_bytes_;
  }

 private:
  static constexpr std::size_t kWays = 8;
  // An entry with 40 moves has 336 bytes, so about 40 % of the slots are in use.
  static constexpr std::size_t kBytesPerSlot = 128;

  // Where an entry lies, in units of its alignment and counted from 1; 0 is none.
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t place = 0;

    static Slot of(std::uint64_t hash, std::size_t byte) {
      return {static_cast<std::uint32_t>(hash),
              static_cast<std::uint32_t>(byte / alignof(Entry)) + 1};
    }
    bool empty() const { return place == 0; }
    std::size_t byte() const { return (place - 1ULL) * alignof(Entry); }
    bool operator==(const Slot&) const = default;
  };

  Slot* bucket_of(std::uint64_t hash) { return &index_[((hash >> 32) * buckets_ >> 32) * kWays]; }
  Entry* entry_at(std::size_t byte) {
    return std::launder(reinterpret_cast<Entry*>(&ring_[byte]));
  }

  Entry* entry_for(const Leaf& leaf, std::uint64_t hash) {
    Slot* const bucket = bucket_of(hash);
    for (Slot* slot = bucket; slot != bucket + kWays && !slot->empty(); ++slot)
      if (slot->tag == static_cast<std::uint32_t>(hash))
        if (Entry* const entry = entry_at(slot->byte()); entry->is_for(leaf)) return entry;
    return nullptr;
  }

  std::size_t make_room(std::size_t bytes) {
    if (write_ + bytes > ring_bytes_) {
      give_up_before(top_);
      top_ = std::exchange(write_, 0);
      oldest_ = 0;
    }
    give_up_before(std::min(top_, write_ + bytes));
    return std::exchange(write_, write_ + bytes);
  }

  void give_up_before(std::size_t end) {
    while (oldest_ < end) {
      const Entry& entry = *entry_at(oldest_);
      Slot* const bucket = bucket_of(entry.hash);
      Slot* const slot = std::find(bucket, bucket + kWays, Slot::of(entry.hash, oldest_));
      if (slot != bucket + kWays) {
        *slot = Slot();
        --entries_;
      }
      oldest_ += entry.bytes();
    }
  }

  mutable std::mutex mutex_;
  std::size_t buckets_;
  std::size_t ring_bytes_;
  std::unique_ptr<Slot[]> index_;
  std::unique_ptr<std::byte[]> ring_;
  std::size_t oldest_ = 0, top_ = 0, write_ = 0;  // bytes from the ring's start
  std::int64_t entries_ = 0;
};

namespace {

// What a call needs of memory; each thread keeps its own for the next call.
class Misses {
 public:
  // For a call with this many leaves.
  void start(std::size_t leaves) {
    leaves_.clear();
    hashes_.clear();
    wanted_.clear();
    table_.assign(std::bit_ceil(2 * leaves), kNone);
  }

  // Leaf `number` of the call must be asked for, unless an equal one already is.
  void add(const Leaf& leaf, std::uint64_t hash, std::size_t number) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash >> 32 & mask;
    while (table_[at] != kNone && !is_same(table_[at], leaf, hash)) at = (at + 1) & mask;
    if (table_[at] == kNone) {
      table_[at] = static_cast<std::uint32_t>(leaves_.size());
      leaves_.push_back(&leaf);
      hashes_.push_back(hash);
    }
    wanted_.push_back({number, table_[at]});
  }

  void ask(Evaluator& evaluator) {
    if (answers_.size() < leaves_.size()) answers_.resize(leaves_.size());
    evaluator.evaluate(leaves_, std::span(answers_).first(leaves_.size()));
  }

  void hand_out(std::span<Evaluation> out) const {
    for (const Wanted& wanted : wanted_) out[wanted.number] = answers_[wanted.miss];
  }

  std::size_t size() const { return leaves_.size(); }
  const Leaf& leaf(std::size_t i) const { return *leaves_[i]; }
  std::uint64_t hash(std::size_t i) const { return hashes_[i]; }
  const Evaluation& answer(std::size_t i) const { return answers_[i]; }

 private:
  struct Wanted {
    std::size_t number;   // of a leaf of the call
    std::uint32_t miss;   // the leaf asked for that is equal to it
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  bool is_same(std::uint32_t miss, const Leaf& leaf, std::uint64_t hash) const {
    const Leaf& other = *leaves_[miss];
    return hashes_[miss] == hash && other.position == leaf.position &&
           other.repetitions == leaf.repetitions && std::ranges::equal(other.moves, leaf.moves);
  }

  std::vector<const Leaf*> leaves_;     // to ask for, each once
  std::vector<std::uint64_t> hashes_;   // of these
  std::vector<Evaluation> answers_;     // to these; never shrinks, to keep its priors' memory
  std::vector<Wanted> wanted_;          // every leaf of the call that is not in the cache
  std::vector<std::uint32_t> table_;    // places in leaves_ by hash, with open addressing
};

}  // namespace

std::uint64_t CachingEvaluator::hash(const Leaf& leaf) {
  const auto bits = [](int number) { return static_cast<std::uint64_t>(number); };
  const Position& position = leaf.position;
  std::uint64_t state = position.hash() ^ bits(leaf.repetitions) << 32 ^
                        bits(position.quiet_plies()) << 16 ^ bits(position.ply());
  return splitmix64(state);
}

CachingEvaluator::CachingEvaluator(std::shared_ptr<Evaluator> inner, int megabytes, Hash hash)
    : inner_(std::move(inner)), hash_(hash) {
  assert(megabytes >= 1);
  const std::size_t bytes = (static_cast<std::size_t>(megabytes) << 20) - sizeof *this;
  for (auto& shard : shards_) shard = std::make_unique<Shard>(bytes / kShards - sizeof(Shard));
}

CachingEvaluator::~CachingEvaluator() = default;

void CachingEvaluator::evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) {
  // Taken for the length of the call: the inner evaluator may be a cache too.
  thread_local Misses kept;
  Misses misses = std::exchange(kept, {});
  misses.start(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::uint64_t hash = hash_(*leaves[i]);
    if (!shard_of(hash).find(*leaves[i], hash, out[i])) misses.add(*leaves[i], hash, i);
  }
  if (misses.size() > 0) {
    misses.ask(*inner_);
    // An answer that is none, which a search refuses, would not fit an entry.
    for (std::size_t i = 0; i < misses.size(); ++i)
      if (misses.answer(i).priors.size() == static_cast<std::size_t>(misses.leaf(i).moves.size()))
        shard_of(misses.hash(i)).store(misses.leaf(i), misses.hash(i), misses.answer(i));
    misses.hand_out(out);
  }
  lookups_ += static_cast<std::int64_t>(leaves.size());
  hits_ += static_cast<std::int64_t>(leaves.size() - misses.size());
  kept = std::move(misses);
}

bool CachingEvaluator::evaluate_known(const Leaf& leaf, Evaluation& out) {
  const std::uint64_t hash = hash_(leaf);
  if (!shard_of(hash).find(leaf, hash, out)) return false;
  ++lookups_;
  ++hits_;
  return true;
}

void CachingEvaluator::clear() {
  for (auto& shard : shards_) shard->clear();
}

std::int64_t CachingEvaluator::entries() const {
  std::int64_t sum = 0;
  for (const auto& shard : shards_) sum += shard->entries();
  return sum;
}

std::size_t CachingEvaluator::bytes_held() const {
  std::size_t sum = sizeof *this;
  for (const auto& shard : shards_) sum += shard->bytes_held();
  return sum;
}

}  // namespace gounki::mcts
