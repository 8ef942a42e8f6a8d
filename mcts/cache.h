// An evaluator that remembers what another one said.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "mcts/evaluator.h"

namespace gounki::mcts {

// Hands on only those leaves that it has not seen, all of a call in one batch and equal ones once,
// and gives back for the others bit for bit what the inner evaluator said. Two leaves are equal
// when their positions with counters, their repetitions and their lists of moves are; all of that
// is kept and compared, so leaves with one hash are never taken for each other.
//
// The memory is taken once. When it is full, what was stored first goes. Like every evaluator it
// may be called from several threads at once: each of its parts has a lock of its own, and none is
// held while the inner evaluator runs. When that throws, nothing of the call is stored.
class CachingEvaluator final : public Evaluator {
 public:
  using Hash = std::uint64_t (*)(const Leaf&);
  static std::uint64_t hash(const Leaf& leaf);

  // Takes `megabytes` (at least 1) of 2^20 bytes. Tests bring a hash of their own.
  CachingEvaluator(std::shared_ptr<Evaluator> inner, int megabytes,
                   Hash hash = &CachingEvaluator::hash);
  ~CachingEvaluator() override;

  void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override;
  // Evaluates a leaf that is in the cache; says whether it is. One that is not counts as no lookup: it
  // is to be asked for next, together with others.
  bool evaluate_known(const Leaf& leaf, Evaluation& out);
  std::string name() const override { return inner_->name(); }

  // Forgets all answers, because the inner evaluator has changed; the counters go on. Not while
  // another thread evaluates, whose answer may still be of the old one.
  void clear();

  // Leaves that were asked for, and of these those that the inner evaluator did not see.
  std::int64_t lookups() const { return lookups_; }
  std::int64_t hits() const { return hits_; }
  // Answers that can be found.
  std::int64_t entries() const;
  // All memory of this cache, used or not: never more than the constructor's megabytes. What a
  // thread needs for the length of a call is the thread's.
  std::size_t bytes_held() const;

 private:
  class Shard;
  static constexpr std::size_t kShards = 16;

  Shard& shard_of(std::uint64_t hash) const { return *shards_[hash % kShards]; }

  std::shared_ptr<Evaluator> inner_;
  Hash hash_;
  std::array<std::unique_ptr<Shard>, kShards> shards_;
  std::atomic<std::int64_t> lookups_ = 0;
  std::atomic<std::int64_t> hits_ = 0;
};

}  // namespace gounki::mcts
