#include "mcts/workers.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>

namespace gounki::mcts {
namespace {

TEST_CASE("each worker runs once, whatever the number of threads") {
  for (const int threads : {1, 2, 5}) {
    // Not atomic: what a worker writes is there for the caller when all have ended.
    std::vector<int> runs(20);
    run_workers(threads, 20, [&](int worker) { ++runs[static_cast<std::size_t>(worker)]; });
    CHECK(runs == std::vector<int>(20, 1));
  }
  run_workers(2, 0, [](int) { FAIL("there is no worker"); });
  CHECK(core_count() >= 1);
}

TEST_CASE("threads beyond the cores run at the same time when they are asked for") {
  const int threads = core_count() + 2;
  std::atomic<int> present = 0;
  run_workers(threads, threads, [&](int) {
    ++present;
    while (present < threads) {}
  });
  CHECK(present == threads);
}

TEST_CASE("an exception of a worker reaches the caller") {
  const auto work = [](int worker) {
    if (worker == 3) throw std::runtime_error("worker 3");
  };
  CHECK_THROWS_WITH(run_workers(2, 8, work), "worker 3");
}

}  // namespace
}  // namespace gounki::mcts
