// Evaluators that need no network, and one that counts for another.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "core/movegen.h"
#include "mcts/evaluator.h"

namespace gounki::mcts {

// Every position is a draw and every move as likely as any other.
class UniformEvaluator final : public Evaluator {
 public:
  void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override;
  std::string name() const override { return "uniform"; }
};

// Values and priors made from the position's hash, its repetitions and a seed: as good as random,
// but the same on every machine. It pins the search in tests and in the bench's signature.
class HashEvaluator final : public Evaluator {
 public:
  explicit HashEvaluator(std::uint64_t seed = 0) : seed_(seed) {}
  void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override;
  std::string name() const override { return "hash"; }

 private:
  std::uint64_t seed_;
};

// The mean result of random games from the leaf, in which a move that wins at once is taken. Every
// move is as likely as any other.
class RolloutEvaluator final : public Evaluator {
 public:
  // A game that is longer counts as a draw.
  static constexpr int kMaxPlies = 400;

  explicit RolloutEvaluator(std::uint64_t seed = 0, int playouts = 1, const Rules& rules = {});
  void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override;
  std::string name() const override;

 private:
  void evaluate_one(const Leaf& leaf, Evaluation& out) const;

  std::uint64_t seed_;
  int playouts_;
  Rules rules_;
};

// The handcrafted value; priors from what a move does: win, capture, save a stack or lose it,
// advance.
class HandcraftedEvaluator final : public Evaluator {
 public:
  void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override;
  std::string name() const override { return "handcrafted"; }
};

// Hands everything on and counts it.
class CountingEvaluator final : public Evaluator {
 public:
  explicit CountingEvaluator(std::shared_ptr<Evaluator> inner) : inner_(std::move(inner)) {}
  void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override;
  std::string name() const override { return inner_->name(); }

  std::int64_t calls() const { return calls_; }
  std::int64_t positions() const { return positions_; }

 private:
  std::shared_ptr<Evaluator> inner_;
  std::atomic<std::int64_t> calls_ = 0;
  std::atomic<std::int64_t> positions_ = 0;
};

}  // namespace gounki::mcts
