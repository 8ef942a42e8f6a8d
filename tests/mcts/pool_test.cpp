#include "mcts/pool.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "core/random.h"

namespace gounki::mcts {
namespace {

struct Item {
  std::uint32_t value = 0;
  void set_link(std::uint32_t index) { value = index; }
  std::uint32_t link() const { return value; }
};

TEST_CASE("blocks lie side by side, never move and never overlap, given back or not") {
  Pool<Item> pool;
  MemoryBudget budget;
  Arena<Item> arena;
  Rng rng(5);
  std::map<std::uint32_t, std::uint32_t> blocks;  // size by first index
  std::map<std::uint32_t, const Item*> addresses;
  std::uint32_t mark = 0;
  std::map<std::uint32_t, std::uint32_t> marks;
  for (int i = 0; i < 20'000; ++i) {
    if (!blocks.empty() && rng.below(5) < 2) {
      auto block = blocks.lower_bound(static_cast<std::uint32_t>(rng.below(mark + 1)));
      if (block == blocks.end()) block = blocks.begin();
      for (std::uint32_t k = 0; k < block->second; ++k)
        REQUIRE(pool.at(block->first + k)->value == marks[block->first]);
      arena.give_back(block->first, block->second, pool);
      blocks.erase(block);
      continue;
    }
    const auto n = static_cast<std::uint32_t>(1 + rng.below(Arena<Item>::kMost));
    const std::uint32_t first = arena.allocate(n, pool, budget);
    REQUIRE(first != Pool<Item>::kNone);
    const auto after = blocks.lower_bound(first);
    if (after != blocks.end()) REQUIRE(first + n <= after->first);
    if (after != blocks.begin()) REQUIRE(std::prev(after)->first + std::prev(after)->second <= first);
    CHECK(pool.at(first + n - 1) - pool.at(first) == static_cast<std::ptrdiff_t>(n - 1));
    marks[first] = ++mark;
    for (std::uint32_t k = 0; k < n; ++k) pool.at(first + k)->value = mark;
    blocks[first] = n;
    if (addresses.count(first) > 0) REQUIRE(addresses[first] == pool.at(first));
    addresses[first] = pool.at(first);
  }
  for (const auto& [first, n] : blocks)
    for (std::uint32_t k = 0; k < n; ++k) REQUIRE(pool.at(first + k)->value == marks[first]);
}

TEST_CASE("a block that is given back is used before new memory") {
  Pool<Item> pool;
  MemoryBudget budget;
  Arena<Item> arena;
  const std::uint32_t large = arena.allocate(100, pool, budget);
  arena.allocate(1, pool, budget);
  arena.give_back(large, 100, pool);
  CHECK(arena.allocate(40, pool, budget) == large);
  CHECK(arena.allocate(60, pool, budget) == large + 40);
  CHECK(arena.allocate(1, pool, budget) > large + 100);
}

TEST_CASE("a budget is kept by all who share it") {
  MemoryBudget budget;
  budget.set_limit(4 * 32768);
  Pool<Item> pool;
  int taken = 0;
  while (pool.take_chunk(budget) != Pool<Item>::kNone) ++taken;
  CHECK(taken == 4);
  CHECK(budget.held() == 4 * 32768);
  pool.clear();
  CHECK(pool.take_chunk(budget) == 0);  // memory held already costs nothing
  CHECK_FALSE(budget.take(1));
}

TEST_CASE("workers take chunks of their own and see those of others") {
  Pool<Item> pool;
  MemoryBudget budget;
  constexpr int kWorkers = 4, kBlocks = 3000;
  std::vector<std::vector<std::uint32_t>> blocks(kWorkers);
  std::vector<std::thread> threads;
  for (int worker = 0; worker < kWorkers; ++worker)
    threads.emplace_back([&, worker] {
      Arena<Item> arena;
      for (int i = 0; i < kBlocks; ++i) {
        const std::uint32_t first = arena.allocate(50, pool, budget);
        for (std::uint32_t k = 0; k < 50; ++k)
          pool.at(first + k)->value = static_cast<std::uint32_t>(worker);
        blocks[static_cast<std::size_t>(worker)].push_back(first);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint32_t> all;
  for (std::size_t worker = 0; worker < kWorkers; ++worker)
    for (const std::uint32_t first : blocks[worker]) {
      REQUIRE(all.insert(first).second);
      for (std::uint32_t k = 0; k < 50; ++k) REQUIRE(pool.at(first + k)->value == worker);
    }
}

}  // namespace
}  // namespace gounki::mcts
