// Ctrl-C and SIGTERM: the first asks the work under way to finish and save, the second ends the
// program at once.
#pragma once

#include <atomic>

namespace gounki::play {

// What a signal sets; libraries ask for one or the other.
struct Interrupts {
  std::atomic<bool> stop{false};
  std::atomic<int> level{0};  // 1 after the first signal: selfplay::kFinishGames
};

// Whether a read that waits for input goes on after a signal, or ends as if the input did.
enum class WaitingReads { GoOn, End };

// Takes the signals over, from now to the end of the program. Commands that have nothing to save
// leave the signals as they are.
const Interrupts& catch_interrupts(WaitingReads reads = WaitingReads::GoOn);

}  // namespace gounki::play
