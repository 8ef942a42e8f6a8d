#include "play/interrupt.h"

#include <csignal>

#include <unistd.h>

namespace gounki::play {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler touches it");

// Only what is safe in a signal handler.
void on_signal(int signal) {
  if (interrupted.exchange(true)) {
    std::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  constexpr char kText[] = "\ngounki: finishing what is under way; once more stops at once\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText, sizeof kText - 1);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return interrupted;
}

}  // namespace gounki::play
