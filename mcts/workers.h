// The one place where work is spread over cores.
#pragma once

#include <functional>
#include <memory>

namespace gounki::mcts {

// The cores that this process may use.
int core_count();

// Threads for work that comes again and again. The place where they meet is made once: TBB keeps each
// that it makes until its last thread has left, which on a busy machine adds up.
class Workers {
 public:
  explicit Workers(int threads);
  ~Workers();

  // As run_workers does, on these threads.
  void run(int workers, const std::function<void(int)>& work);

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

// Calls work(0) … work(workers - 1) on up to `threads` threads, more than there are cores if so many
// are asked for, and returns when all have ended. One exception, of the first to throw, is passed on;
// workers that have not begun by then may never begin.
void run_workers(int threads, int workers, const std::function<void(int)>& work);

}  // namespace gounki::mcts
