// Ctrl-C and SIGTERM: the first asks the work under way to finish and save, the second ends the
// program at once.
#pragma once

#include <atomic>

namespace gounki::play {

// Takes the signals over, from now to the end of the program, and returns the flag that the first
// one sets. Commands that have nothing to save leave the signals as they are.
const std::atomic<bool>& catch_interrupts();

}  // namespace gounki::play
