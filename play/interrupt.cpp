#include "play/interrupt.h"

#include <csignal>

#include <unistd.h>

#include "arena/process.h"

namespace gounki::play {
namespace {

Interrupts interrupts;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler touches them");

// Only what is safe in a signal handler.
void on_signal(int signal) {
  if (interrupts.level.exchange(1) == 1) {
    arena::kill_all_processes();
    std::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  interrupts.stop = true;
  constexpr char kText[] = "\ngounki: finishing what is under way; once more stops at once\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText, sizeof kText - 1);
}

}  // namespace

const Interrupts& catch_interrupts(WaitingReads reads) {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = reads == WaitingReads::GoOn ? SA_RESTART : 0;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
  return interrupts;
}

}  // namespace gounki::play
