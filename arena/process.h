// Another program as a child process, spoken to line by line. Nothing here waits past its deadline,
// whatever the program does or leaves undone.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "core/error.h"

namespace gounki::arena {

using Deadline = std::chrono::steady_clock::time_point;

inline Deadline in_ms(std::int64_t ms) {
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
}
inline bool passed(Deadline deadline) { return std::chrono::steady_clock::now() >= deadline; }

// The words of a command line as a shell would split it, and no more of a shell than that: '…' keeps
// all between, "…" too, where \ keeps the next character, as it does outside of quotes.
Expected<std::vector<std::string>> split_command(std::string_view text);
// One text with its quotes resolved in that way, spaces kept.
Expected<std::string> unquoted(std::string_view text);
// Splits where the separator stands outside of quotes.
std::vector<std::string_view> split_outside_quotes(std::string_view text, char separator);

// Ends every process that runs, with its group. For a program that is about to be ended by a signal:
// it may be called in the handler.
void kill_all_processes() noexcept;

class Process {
 public:
  // A longer line is a flood.
  static constexpr std::size_t kMostLine = 1 << 20;

  // Starts the program words[0], looked for as a shell does, in a process group of its own. What it
  // writes to standard error is added to the file `log`, or lost where that is empty.
  static Expected<std::unique_ptr<Process>> start(const std::vector<std::string>& words,
                                                  const std::string& log = {});
  // Ends it at once if it still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  enum class Sent { All, Broken, Late };
  // Broken: it has closed its input, or ended. No signal is raised.
  Sent send(std::string_view text, Deadline deadline);

  enum class Got { Line, Late, End, Flood };
  // The next line, without its end. What follows the last end of a line is none. A line that is there
  // already comes back also when the deadline has passed.
  Got read_line(std::string& line, Deadline deadline);

  // What has become of it, waiting a moment for its end: "ended with exit status 3", "was ended by
  // signal 9", "closed a pipe, but runs".
  std::string state();
  // Closes its pipes, gives it so long to end by itself, and as long again after SIGTERM; then
  // SIGKILL ends its whole group.
  void end(int wait_ms);

 private:
  Process(pid_t pid, int input, int output);
  bool take_line(std::string& line);
  bool wait_for_end(Deadline deadline);
  void close_pipes();

  pid_t pid_;        // and its group; -1 when it was waited for
  int input_ = -1;   // to its standard input
  int output_ = -1;  // from its standard output
  std::string buffer_;
  std::size_t taken_ = 0, searched_ = 0;  // parts of the buffer that were given out, or hold no line end
};

}  // namespace gounki::arena
