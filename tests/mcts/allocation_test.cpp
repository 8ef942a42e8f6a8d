// Self-play holds thousands of searches at once: none may take memory while it runs, once the first
// have.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

#include "tests/mcts/searches.h"

namespace {
std::atomic<long> allocations = 0;
}

// Counted in this program; the sanitizers bring their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace gounki::mcts {
namespace {

TEST_CASE("a search that has run before takes no memory while it runs") {
  HashEvaluator evaluator;
  for (const std::string algorithm : {"puct", "gumbel"})
    for (const int most : {1, 8}) {
      SearchConfig config = testing::config_of(algorithm, 200);
      config.gumbel_noise = 1.0;
      Search search(config);
      std::vector<Leaf> leaves;
      std::vector<const Leaf*> pointers;
      std::vector<Evaluation> evaluations(8);
      long taken = 0;
      for (int round = 0; round < 6; ++round) {
        search.start(Game(), static_cast<std::uint64_t>(round % 2));
        // The root's first visit makes room for priors and plans; what follows is the loop.
        bool first = true;
        long before = 0;
        while (!search.done()) {
          leaves.clear();
          pointers.clear();
          const int n = search.gather(leaves, most);
          if (n == 0) break;
          for (const Leaf& leaf : leaves) pointers.push_back(&leaf);
          const auto answers = std::span(evaluations).first(static_cast<std::size_t>(n));
          evaluator.evaluate(pointers, answers);
          search.apply(answers);
          if (first) before = allocations;
          first = false;
        }
        taken = allocations - before;
      }
      INFO(algorithm << " " << most);
      CHECK(taken == 0);
    }
}

}  // namespace
}  // namespace gounki::mcts
