#include "mcts/cache.h"

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <thread>
#include <utility>

#include "mcts/evaluators.h"
#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

using testing::evaluate;

Leaf leaf_of(const Position& position, int repetitions = 0) {
  return {position, repetitions, legal_moves(position)};
}

std::vector<Leaf> random_leaves(int count, std::uint64_t seed) {
  std::vector<Leaf> leaves;
  for (const Position& position : testing::random_positions(count, seed))
    leaves.push_back(leaf_of(position));
  return leaves;
}

// No two alike, at little cost: one position with many counters.
Leaf numbered_leaf(int number) {
  Position position = Position::start();
  position.set_counters(number % 100, number / 100 % 10'000);
  return leaf_of(position, number / 1'000'000);
}

// Bit for bit.
bool same(const Evaluation& a, const Evaluation& b) {
  return std::memcmp(&a.wdl, &b.wdl, sizeof a.wdl) == 0 &&
         std::memcmp(&a.plies_left, &b.plies_left, sizeof a.plies_left) == 0 &&
         a.priors.size() == b.priors.size() &&
         std::memcmp(a.priors.data(), b.priors.data(), a.priors.size() * sizeof(float)) == 0;
}

// A hash evaluator, a counter for it, and a cache around both.
struct Stack {
  explicit Stack(int megabytes = 4, CachingEvaluator::Hash hash = &CachingEvaluator::hash)
      : inner(std::make_shared<HashEvaluator>(5)),
        counter(std::make_shared<CountingEvaluator>(inner)), cache(counter, megabytes, hash) {}

  std::shared_ptr<HashEvaluator> inner;
  std::shared_ptr<CountingEvaluator> counter;
  CachingEvaluator cache;
};

// Gives what it is told to, or throws.
class Oracle final : public Evaluator {
 public:
  Evaluation answer;
  bool throws = false;
  void evaluate(std::span<const Leaf* const>, std::span<Evaluation> out) override {
    for (Evaluation& evaluation : out) evaluation = answer;
    if (throws) throw std::runtime_error("the network is gone");
  }
  std::string name() const override { return "oracle"; }
};

TEST_CASE("what was asked before is answered as before, without the inner evaluator") {
  Stack stack;
  const std::vector<Leaf> leaves = random_leaves(200, 1);
  const std::vector<Evaluation> expected = evaluate(*stack.inner, leaves);
  for (int round = 0; round < 3; ++round) {
    const std::vector<Evaluation> answers = evaluate(stack.cache, leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) CHECK(same(answers[i], expected[i]));
  }
  CHECK(stack.counter->calls() == 1);
  CHECK(stack.cache.entries() == stack.counter->positions());
  CHECK(stack.cache.lookups() == 600);
  CHECK(stack.cache.hits() == 600 - stack.counter->positions());
  CHECK(stack.cache.name() == stack.inner->name());
}

TEST_CASE("one leaf is answered where it is known, and else left to the next call") {
  Stack stack;
  const std::vector<Leaf> leaves = random_leaves(2, 9);
  const Evaluation expected = evaluate(*stack.inner, leaves[0]);
  Evaluation answer;
  CHECK_FALSE(stack.cache.evaluate_known(leaves[0], answer));
  CHECK(stack.cache.lookups() == 0);
  evaluate(stack.cache, leaves[0]);
  CHECK(stack.cache.evaluate_known(leaves[0], answer));
  CHECK(same(answer, expected));
  CHECK_FALSE(stack.cache.evaluate_known(leaves[1], answer));
  CHECK(stack.counter->positions() == 1);
  CHECK(stack.cache.lookups() == 2);
  CHECK(stack.cache.hits() == 1);
}

TEST_CASE("an answer keeps every bit of its numbers") {
  const auto oracle = std::make_shared<Oracle>();
  CachingEvaluator cache(oracle, 1);
  const Leaf leaf = leaf_of(Position::start());
  oracle->answer = {{-0.0f, std::numeric_limits<float>::denorm_min(), 1.0f}, std::nanf("7"), {}};
  oracle->answer.priors.assign(static_cast<std::size_t>(leaf.moves.size()), -0.0f);
  const Evaluation expected = oracle->answer;
  evaluate(cache, leaf);
  oracle->answer.plies_left = 3.0f;
  CHECK(same(evaluate(cache, leaf), expected));
  CHECK(cache.hits() == 1);
}

TEST_CASE("leaves that differ in anything are different") {
  const Position start = Position::start();
  Position quiet = start, later = start, other_board = start, other_side = start;
  quiet.set_counters(1, 0);
  later.set_counters(0, 2);
  other_board.put(Square(0), Side::White, start.stack_at(Square(1)));
  other_side.set_side_to_move(Side::Black);
  Leaf fewer = leaf_of(start), others = leaf_of(start);
  fewer.moves = MoveList();
  others.moves = MoveList();
  for (int i = 0; i < 5; ++i) fewer.moves.add(leaf_of(start).moves[i]);
  for (int i = 1; i < 6; ++i) others.moves.add(leaf_of(start).moves[i]);
  const std::vector<Leaf> leaves{
      leaf_of(start),      leaf_of(quiet),    leaf_of(later),    leaf_of(other_board),
      leaf_of(other_side), leaf_of(start, 1), leaf_of(start, 2), fewer, others};
  const CachingEvaluator::Hash tells_nothing = [](const Leaf&) -> std::uint64_t { return 7; };
  for (const auto hash : {CachingEvaluator::Hash{&CachingEvaluator::hash}, tells_nothing}) {
    Stack alone(1, hash), together(1, hash);
    for (const Leaf& leaf : leaves) {
      const std::int64_t before = alone.counter->positions();
      CHECK(same(evaluate(alone.cache, leaf), evaluate(*alone.inner, leaf)));
      CHECK(alone.counter->positions() == before + 1);
    }
    const std::vector<Evaluation> answers = evaluate(together.cache, leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i)
      CHECK(same(answers[i], evaluate(*together.inner, leaves[i])));
    CHECK(together.counter->positions() == static_cast<std::int64_t>(leaves.size()));
  }
}

TEST_CASE("leaves with one hash are not taken for each other") {
  const CachingEvaluator::Hash hashes[] = {
      [](const Leaf&) -> std::uint64_t { return 0; },
      [](const Leaf& leaf) { return CachingEvaluator::hash(leaf) % 4; },
      [](const Leaf& leaf) { return CachingEvaluator::hash(leaf) >> 32 << 32; }};
  const std::vector<Leaf> leaves = random_leaves(300, 2);
  for (const auto hash : hashes) {
    Stack stack(1, hash);
    const std::vector<Evaluation> expected = evaluate(*stack.inner, leaves);
    for (int round = 0; round < 3; ++round)
      for (std::size_t i = 0; i < leaves.size(); ++i)
        CHECK(same(evaluate(stack.cache, leaves[i]), expected[i]));
    // The newest of a hash are still found.
    const std::int64_t before = stack.counter->positions();
    evaluate(stack.cache, leaves.back());
    CHECK(stack.counter->positions() == before);
  }
}

TEST_CASE("equal leaves of a call are evaluated once") {
  Stack stack;
  const std::vector<Leaf> some = random_leaves(3, 3);
  const std::vector<Leaf> leaves{some[0], some[1], some[0], some[2], some[2], some[0]};
  const std::vector<Evaluation> answers = evaluate(stack.cache, leaves);
  CHECK(stack.counter->calls() == 1);
  CHECK(stack.counter->positions() == 3);
  CHECK(stack.cache.hits() == 3);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    CHECK(same(answers[i], evaluate(*stack.inner, leaves[i])));
}

TEST_CASE("known and unknown leaves of a call are answered in order by one inner call") {
  Stack stack;
  const std::vector<Leaf> leaves = random_leaves(50, 4);
  for (std::size_t i = 0; i < leaves.size(); i += 3) evaluate(stack.cache, leaves[i]);
  const std::int64_t calls = stack.counter->calls();
  const std::vector<Evaluation> answers = evaluate(stack.cache, leaves);
  CHECK(stack.counter->calls() == calls + 1);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    CHECK(same(answers[i], evaluate(*stack.inner, leaves[i])));
  // Nothing is left to ask for, so nobody is asked.
  evaluate(stack.cache, leaves);
  CHECK(stack.counter->calls() == calls + 1);
}

TEST_CASE("the memory is that of the constructor, however much is stored") {
  for (const int megabytes : {1, 3}) {
    Stack stack(megabytes);
    const std::size_t most = static_cast<std::size_t>(megabytes) << 20;
    const std::size_t held = stack.cache.bytes_held();
    CHECK(held <= most);
    CHECK(held > most - most / 100);

    // The first fill tells how many there are room for; of the last so many most are still there.
    const int count = 12'000 * megabytes;
    for (int i = 0; i < count; ++i) evaluate(stack.cache, numbered_leaf(i));
    CHECK(stack.counter->positions() == count);
    CHECK(stack.cache.bytes_held() == held);
    const auto entries = static_cast<int>(stack.cache.entries());
    const auto bytes_each = 64 + 32 + 36 * 6;
    CHECK(entries * bytes_each <= static_cast<int>(most));
    CHECK(entries * bytes_each > static_cast<int>(most) * 8 / 10);

    for (int i = count - entries / 2; i < count; ++i) {
      const Leaf leaf = numbered_leaf(i);
      CHECK(same(evaluate(stack.cache, leaf), evaluate(*stack.inner, leaf)));
    }
    CHECK(stack.cache.hits() > entries / 2 * 95 / 100);
    const std::int64_t hits = stack.cache.hits();
    for (int i = 0; i < 100; ++i) evaluate(stack.cache, numbered_leaf(i));
    CHECK(stack.cache.hits() == hits);  // the first are long gone
  }
}

TEST_CASE("entries of all lengths come and go and are never mixed up") {
  Stack stack(1);
  std::vector<Leaf> leaves = random_leaves(2000, 5);
  // Every length from one move to as many as a list holds.
  for (int length = 1; length <= MoveList::kCapacity; ++length)
    for (int ply = 0; ply < 20; ++ply) {
      Leaf leaf = numbered_leaf(ply);
      leaf.moves = MoveList();
      for (int i = 0; i < length; ++i) leaf.moves.add(Move::from_index(i + ply));
      leaves.push_back(leaf);
    }
  Rng rng(6);
  for (int i = 0; i < 60'000; ++i) {
    // A quarter of the leaves most of the time, so that there are hits.
    const Leaf& leaf = leaves[rng.below(rng.below(4) == 0 ? leaves.size() : leaves.size() / 4)];
    if (!same(evaluate(stack.cache, leaf), evaluate(*stack.inner, leaf)))
      FAIL("a wrong answer after " << i);
  }
  CHECK(stack.cache.hits() > 20'000);
  const std::int64_t asked = stack.counter->positions();
  CHECK(asked > static_cast<std::int64_t>(leaves.size()));

  // Those that are counted are those that are found. (A call looks for all before it stores any.)
  Stack roomy(64);
  evaluate(roomy.cache, leaves);
  const std::int64_t distinct = roomy.counter->positions(), entries = stack.cache.entries();
  evaluate(stack.cache, leaves);
  CHECK(stack.counter->positions() - asked == distinct - entries);
}

TEST_CASE("a cleared cache asks anew") {
  const auto oracle = std::make_shared<Oracle>();
  CachingEvaluator cache(oracle, 1);
  const Leaf leaf = leaf_of(Position::start());
  oracle->answer.priors.assign(static_cast<std::size_t>(leaf.moves.size()), 0.25f);
  evaluate(cache, leaf);
  CHECK(cache.entries() == 1);
  oracle->answer.plies_left = 9.0f;
  CHECK(evaluate(cache, leaf).plies_left == -1.0f);
  cache.clear();
  CHECK(cache.entries() == 0);
  CHECK(evaluate(cache, leaf).plies_left == 9.0f);
  CHECK(cache.lookups() == 3);
  CHECK(cache.hits() == 1);
}

TEST_CASE("an inner evaluator that throws leaves nothing behind") {
  const auto oracle = std::make_shared<Oracle>();
  CachingEvaluator cache(oracle, 1);
  const std::vector<Leaf> leaves{numbered_leaf(0), numbered_leaf(1), numbered_leaf(0)};
  oracle->answer.priors.assign(static_cast<std::size_t>(leaves[0].moves.size()), 0.25f);
  evaluate(cache, leaves[0]);
  oracle->throws = true;
  oracle->answer.plies_left = 9.0f;
  CHECK_THROWS_WITH(evaluate(cache, leaves), "the network is gone");
  CHECK(cache.entries() == 1);
  CHECK(evaluate(cache, leaves[0]).plies_left == -1.0f);
  oracle->throws = false;
  oracle->answer.plies_left = 5.0f;
  CHECK(evaluate(cache, leaves[1]).plies_left == 5.0f);
  CHECK(cache.entries() == 2);
}

// Asks the cache around it for the same leaves before it answers, as another thread might.
class Meddler final : public Evaluator {
 public:
  CachingEvaluator* cache = nullptr;
  void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override {
    if (auto* const outer = std::exchange(cache, nullptr)) outer->evaluate(leaves, out);
    inner_.evaluate(leaves, out);
  }
  std::string name() const override { return "meddler"; }

 private:
  HashEvaluator inner_;
};

TEST_CASE("what comes to be known while the inner evaluator runs is stored once") {
  const auto meddler = std::make_shared<Meddler>();
  CachingEvaluator cache(meddler, 1);
  meddler->cache = &cache;
  const std::vector<Leaf> leaves = random_leaves(30, 10);
  HashEvaluator inner;
  for (int round = 0; round < 2; ++round) {
    const std::vector<Evaluation> answers = evaluate(cache, leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i)
      CHECK(same(answers[i], evaluate(inner, leaves[i])));
  }
  CHECK(cache.entries() == 30);
}

TEST_CASE("an answer with too few priors is handed on and not kept") {
  const auto oracle = std::make_shared<Oracle>();
  const auto counter = std::make_shared<CountingEvaluator>(oracle);
  CachingEvaluator cache(counter, 1);
  oracle->answer.priors = {0.5f, 0.5f};
  const Leaf leaf = leaf_of(Position::start());
  for (int i = 0; i < 2; ++i) CHECK(evaluate(cache, leaf).priors.size() == 2);
  CHECK(counter->calls() == 2);
  CHECK(cache.entries() == 0);
}

TEST_CASE("a cache around a cache works") {
  const auto inner = std::make_shared<HashEvaluator>(5);
  CachingEvaluator outer(std::make_shared<CachingEvaluator>(inner, 1), 1);
  const std::vector<Leaf> leaves = random_leaves(40, 7);
  for (int round = 0; round < 2; ++round) {
    const std::vector<Evaluation> answers = evaluate(outer, leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i)
      CHECK(same(answers[i], evaluate(*inner, leaves[i])));
  }
}

TEST_CASE("a search with a cache builds the same tree") {
  for (const char* algorithm : {"puct", "gumbel"})
    for (const int leaves_each : {1, 8}) {
      Stack stack(1);
      const Game game = testing::random_game(8, 12);
      const SearchConfig config = testing::config_of(algorithm, 600);
      const auto tree = testing::searched(config, game, *stack.inner, 1, leaves_each).tree_text();
      CHECK(testing::searched(config, game, stack.cache, 1, leaves_each).tree_text() == tree);
      const std::int64_t first = stack.counter->positions();
      CHECK(testing::searched(config, game, stack.cache, 1, leaves_each).tree_text() == tree);
      CHECK(stack.counter->positions() == first);
      CHECK(stack.cache.hits() >= first);
    }
}

TEST_CASE("many threads agree with the inner evaluator") {
  Stack stack(1);
  const std::vector<Leaf> leaves = random_leaves(6000, 9);
  const std::vector<Evaluation> expected = evaluate(*stack.inner, leaves);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      Rng rng(thread);
      std::array<const Leaf*, 16> batch;
      std::array<std::size_t, 16> numbers;
      std::array<Evaluation, 16> out;
      for (int round = 0; round < 400; ++round) {
        for (std::size_t i = 0; i < batch.size(); ++i)
          batch[i] = &leaves[numbers[i] = rng.below(rng.below(3) == 0 ? leaves.size() : 500)];
        stack.cache.evaluate(batch, out);
        for (std::size_t i = 0; i < batch.size(); ++i)
          wrong += !same(out[i], expected[numbers[i]]);
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(stack.cache.lookups() == 8 * 400 * 16);
  CHECK(stack.cache.hits() == stack.cache.lookups() - stack.counter->positions());
  CHECK(stack.cache.bytes_held() <= 1 << 20);
}

}  // namespace
}  // namespace gounki::mcts
