// What long work says on stderr: log lines, and how far it is.
#pragma once

#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

namespace gounki::play {

// "12 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);
// "5.24 M", "12.3 k", "842".
std::string count_text(double count);

// Lines for people. On a terminal the progress is one line that updates in place, below the log
// lines; in a file it is a line a minute. Work of less than two seconds shows no progress. May be
// used from several threads.
class Console {
 public:
  using Clock = std::chrono::steady_clock;

  // For a terminal, lines are cut at its width.
  explicit Console(std::FILE* out = stderr);
  Console(std::FILE* out, bool terminal, Clock::time_point start);
  ~Console();

  // One line that stays.
  void log(std::string_view line);
  // How far the work is; takes the place of what was said before.
  void progress(std::string_view line, Clock::time_point now = Clock::now());

 private:
  void clear();

  std::FILE* out_;
  bool terminal_;
  Clock::time_point next_;  // when the next progress may be shown
  bool shown_ = false;  // the terminal's last line is a progress line
  std::mutex mutex_;
};

// Work of a known amount: "perft: 12 of 36 moves, 5.24 M leaves/s, 40 s left".
std::string progress_text(std::string_view what, double done, double total, std::string_view unit,
                          double seconds);

}  // namespace gounki::play
