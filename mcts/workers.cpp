#include "mcts/workers.h"

#include <algorithm>
#include <mutex>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

namespace gounki::mcts {
namespace {

// TBB orders what the caller does before what its workers do, and that before what the caller does
// next; but ThreadSanitizer cannot see into TBB (see CMakeLists.txt). A lock that each passes says
// the same where it can.
std::mutex handover;
void pass_on() { const std::lock_guard lock(handover); }

struct PassOnAtEnd {
  ~PassOnAtEnd() { pass_on(); }
};

}  // namespace

int core_count() { return tbb::info::default_concurrency(); }

struct Workers::Arena {
  explicit Arena(int threads) : threads(threads), arena(threads) {}
  int threads;
  tbb::task_arena arena;
};

Workers::Workers(int threads) : arena_(std::make_unique<Arena>(threads)) {}
Workers::~Workers() = default;

void Workers::run(int workers, const std::function<void(int)>& work) {
  const tbb::global_control allow(
      tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(std::max(arena_->threads, core_count())));
  const PassOnAtEnd to_caller;
  pass_on();
  arena_->arena.execute([&] {
    const auto body = [&](int worker) {
      pass_on();
      const PassOnAtEnd done;
      work(worker);
    };
    tbb::parallel_for(0, workers, body, tbb::simple_partitioner());
  });
}

void run_workers(int threads, int workers, const std::function<void(int)>& work) {
  Workers(threads).run(workers, work);
}

}  // namespace gounki::mcts
