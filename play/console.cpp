#include "play/console.h"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gounki::play {
namespace {

constexpr Console::Clock::duration kQuietAtFirst = std::chrono::seconds(2),
                                   kTerminalEvery = std::chrono::milliseconds(200),
                                   kFileEvery = std::chrono::minutes(1);

int terminal_width(std::FILE* out) {
  winsize size{};
  const bool known = ::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

std::string duration_text(double seconds) {
  const auto s = static_cast<long long>(std::llround(std::max(0.0, seconds)));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

std::string count_text(double count) {
  for (const auto& [unit, name] : {std::pair{1e9, "G"}, std::pair{1e6, "M"}, std::pair{1e3, "k"}})
    if (count >= unit) return fmt::format("{:.3g} {}", count / unit, name);
  return fmt::format("{:.3g}", count);
}

std::string progress_text(std::string_view what, double done, double total, std::string_view unit,
                          double seconds) {
  const double rate = seconds > 0 ? done / seconds : 0.0;
  std::string text = fmt::format("{}: {} of {} {}, {}/s", what, done, total, unit, count_text(rate));
  if (rate > 0) text += fmt::format(", {} left", duration_text((total - done) / rate));
  return text;
}

Console::Console(std::FILE* out) : Console(out, ::isatty(::fileno(out)) == 1, Clock::now()) {}

Console::Console(std::FILE* out, bool terminal, Clock::time_point start)
    : out_(out), terminal_(terminal), next_(start + (terminal ? kQuietAtFirst : kFileEvery)) {}

Console::~Console() { clear(); }

void Console::clear() {
  if (shown_) std::fputs("\r\x1b[K", out_);
  shown_ = false;
  std::fflush(out_);
}

void Console::log(std::string_view line) {
  const std::lock_guard lock(mutex_);
  clear();
  fmt::print(out_, "{}\n", line);
  std::fflush(out_);
}

void Console::progress(std::string_view line, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (now < next_) return;
  next_ = now + (terminal_ ? kTerminalEvery : kFileEvery);
  if (!terminal_) {
    fmt::print(out_, "{}\n", line);
  } else {
    const std::size_t room = static_cast<std::size_t>(terminal_width(out_) - 1);
    fmt::print(out_, "\r\x1b[K{}", line.substr(0, room));
    shown_ = true;
  }
  std::fflush(out_);
}

}  // namespace gounki::play
