// The one place where work is spread over cores.
#pragma once

#include <functional>

namespace gounki::mcts {

// The cores that this process may use.
int core_count();

// Calls work(0) … work(workers - 1) on up to `threads` threads, more than there are cores if so many
// are asked for, and returns when all have ended. One exception, of the first to throw, is passed on;
// workers that have not begun by then may never begin.
void run_workers(int threads, int workers, const std::function<void(int)>& work);

}  // namespace gounki::mcts
