// What is left of processes that a test has started.
#pragma once

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <sys/wait.h>

namespace gounki::arena {

// None lives, and none waits to be waited for.
inline bool have_no_children() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

// Whether a process of the group still lives. One that has ended and only waits for its parent, which
// is not us, does not.
inline bool group_lives(pid_t group) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    std::ifstream file(entry.path() / "stat");
    std::string line;
    if (!std::getline(file, line)) continue;
    char state = 0;
    long parent = 0, its_group = 0;
    // The name before these may hold anything, in parentheses.
    const char* rest = line.c_str() + line.rfind(')') + 1;
    if (std::sscanf(rest, " %c %ld %ld", &state, &parent, &its_group) == 3 && its_group == group &&
        state != 'Z' && state != 'X')
      return true;
  }
  return false;
}

// The same after a moment, which a killed process may need to end.
inline bool group_ends(pid_t group) {
  for (int i = 0; i < 500 && group_lives(group); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return !group_lives(group);
}

}  // namespace gounki::arena
