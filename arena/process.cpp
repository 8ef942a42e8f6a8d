#include "arena/process.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/text.h"

extern char** environ;

namespace gounki::arena {
namespace {

// Follows a text through its quotes.
class Quotes {
 public:
  // Whether this character stands for itself inside quotes or behind a backslash, is a mark that
  // quotes, or is plain.
  enum class Kind { Kept, Mark, Plain };
  Kind next(char c) {
    if (escaped_) {
      escaped_ = false;
      return Kind::Kept;
    }
    if (c == '\\' && open_ != '\'') {
      escaped_ = true;
      return Kind::Mark;
    }
    if (open_ != '\0') {
      if (c != open_) return Kind::Kept;
      open_ = '\0';
      return Kind::Mark;
    }
    if (c != '\'' && c != '"') return Kind::Plain;
    open_ = c;
    return Kind::Mark;
  }

  Expected<void> at_end() const {
    if (open_ != '\0') return fail(std::string("the quote ") + open_ + " is not closed");
    if (escaped_) return fail("nothing follows the last \\");
    return {};
  }

 private:
  char open_ = '\0';
  bool escaped_ = false;
};

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

struct Pipe {
  Descriptor read, write;
};

tl::unexpected<Error> system_error(const std::string& what, int error) {
  return fail(what + ": " + std::strerror(error));
}

// Neither end reaches another child. Our own end never blocks.
Expected<void> open_pipe(Pipe& pipe, bool we_write) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("cannot make a pipe", errno);
  pipe.read = Descriptor(ends[0]);
  pipe.write = Descriptor(ends[1]);
  if (::fcntl(ends[we_write ? 1 : 0], F_SETFL, O_NONBLOCK) != 0)
    return system_error("cannot set up a pipe", errno);
  return {};
}

// Starts words[0] with these as its standard input, output and error; its group is its own, its
// signals are as they are at the start of a program.
Expected<pid_t> spawn(const std::vector<std::string>& words, int in, int out, int err) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in, 0);
  posix_spawn_file_actions_adddup2(&files, out, 1);
  posix_spawn_file_actions_adddup2(&files, err, 2);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);

  pid_t pid = -1;
  const int error =
      ::posix_spawnp(&pid, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return system_error("cannot start \"" + words[0] + "\"", error);
  return pid;
}

// While it lives, a write to a broken pipe of this thread raises no signal.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) != 0;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const timespec at_once{};
    if (!was_pending_)
      while (::sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {}
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_, before_;
  bool was_pending_;
};

// Whether the descriptor is ready (or broken) before the deadline.
bool wait_until_ready(int fd, short events, Deadline deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now()).count();
    pollfd waiting{fd, events, 0};
    const int ready =
        ::poll(&waiting, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;  // the read or write that follows says why
    if (passed(deadline)) return false;
  }
}

// The groups that run, 0 where none does; a signal handler reads it. One that finds no place is not
// ended by a signal.
std::array<std::atomic<pid_t>, 1024> running{};
static_assert(std::atomic<pid_t>::is_always_lock_free);

void replace_running(pid_t old, pid_t now) {
  for (std::atomic<pid_t>& place : running)
    if (pid_t expected = old; place.compare_exchange_strong(expected, now)) return;
}

}  // namespace

void kill_all_processes() noexcept {
  for (const std::atomic<pid_t>& place : running)
    if (const pid_t pid = place.load(); pid > 0) ::kill(-pid, SIGKILL);
}

Process::Process(pid_t pid, int input, int output) : pid_(pid), input_(input), output_(output) {
  replace_running(0, pid);
}

Expected<std::vector<std::string>> split_command(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  Quotes quotes;
  for (const char c : text) {
    const Quotes::Kind kind = quotes.next(c);
    if (kind == Quotes::Kind::Plain && is_space(c)) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (kind != Quotes::Kind::Mark) words.back() += c;
  }
  if (const auto closed = quotes.at_end(); !closed) return tl::make_unexpected(closed.error());
  return words;
}

Expected<std::string> unquoted(std::string_view text) {
  std::string out;
  Quotes quotes;
  for (const char c : text)
    if (quotes.next(c) != Quotes::Kind::Mark) out += c;
  if (const auto closed = quotes.at_end(); !closed) return tl::make_unexpected(closed.error());
  return out;
}

std::vector<std::string_view> split_outside_quotes(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  Quotes quotes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quotes.next(text[i]) != Quotes::Kind::Plain || text[i] != separator) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

Expected<std::unique_ptr<Process>> Process::start(const std::vector<std::string>& words,
                                                  const std::string& log) {
  if (words.empty() || words[0].empty()) return fail("the command is empty");
  Pipe in, out;
  for (const auto& [pipe, we_write] : {std::pair(&in, true), std::pair(&out, false)})
    if (const auto opened = open_pipe(*pipe, we_write); !opened)
      return tl::make_unexpected(opened.error());
  const std::string log_file = log.empty() ? "/dev/null" : log;
  const Descriptor err(::open(log_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (err.get() < 0) return system_error("cannot write " + log_file, errno);

  const auto pid = spawn(words, in.read.get(), out.write.get(), err.get());
  if (!pid) return tl::make_unexpected(pid.error());
  return std::unique_ptr<Process>(new Process(*pid, in.write.release(), out.read.release()));
}

Process::~Process() { end(0); }

Process::Sent Process::send(std::string_view text, Deadline deadline) {
  if (input_ < 0) return Sent::Broken;
  const NoPipeSignal quiet;
  while (!text.empty()) {
    const ssize_t written = ::write(input_, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      if (!wait_until_ready(input_, POLLOUT, deadline)) return Sent::Late;
    } else if (errno != EINTR) {
      return Sent::Broken;
    }
  }
  return Sent::All;
}

// Takes the first line out of the buffer, if there is a whole one.
bool Process::take_line(std::string& line) {
  const std::size_t end = buffer_.find('\n', searched_);
  if (end == std::string::npos) {
    buffer_.erase(0, std::exchange(taken_, 0));
    searched_ = buffer_.size();
    return false;
  }
  line.assign(buffer_, taken_, end - taken_);
  if (line.ends_with('\r')) line.pop_back();
  taken_ = searched_ = end + 1;
  return true;
}

Process::Got Process::read_line(std::string& line, Deadline deadline) {
  constexpr std::size_t kAtOnce = 1 << 16;
  for (;;) {
    if (take_line(line)) return Got::Line;
    if (buffer_.size() > kMostLine) return Got::Flood;
    if (output_ < 0) return Got::End;
    if (!wait_until_ready(output_, POLLIN, deadline)) return Got::Late;

    const std::size_t before = buffer_.size();
    buffer_.resize(before + kAtOnce);
    const ssize_t got = ::read(output_, buffer_.data() + before, kAtOnce);
    const int error = errno;
    buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0 || (got < 0 && error != EAGAIN && error != EINTR)) return Got::End;
  }
}

// Whether it has ended by the deadline. It stays unwaited for, so that its number is not given to
// another process.
bool Process::wait_for_end(Deadline deadline) {
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | WNOHANG) != 0)
      return true;  // nobody's child any more
    if (info.si_pid == pid_) return true;
    if (passed(deadline)) return false;
    ::poll(nullptr, 0, 1);
  }
}

std::string Process::state() {
  constexpr int kMoment = 200;  // milliseconds
  if (pid_ < 0) return "was ended";
  if (!wait_for_end(in_ms(kMoment))) return "closed a pipe, but runs";
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | WNOHANG);
  const std::string number = std::to_string(info.si_status);
  return info.si_code == CLD_EXITED ? "ended with exit status " + number
                                    : "was ended by signal " + number;
}

void Process::close_pipes() {
  for (int* fd : {&input_, &output_})
    if (*fd >= 0) ::close(std::exchange(*fd, -1));
}

void Process::end(int wait_ms) {
  constexpr int kKilled = 5000;  // milliseconds; it takes longer only where a disk or driver hangs
  close_pipes();
  if (pid_ < 0) return;
  if (!wait_for_end(in_ms(wait_ms))) {
    ::kill(-pid_, SIGTERM);
    wait_for_end(in_ms(wait_ms));
  }
  ::kill(-pid_, SIGKILL);  // also what it has started itself and left behind
  wait_for_end(in_ms(kKilled));
  replace_running(pid_, 0);
  ::waitpid(pid_, nullptr, WNOHANG);
  pid_ = -1;
}

}  // namespace gounki::arena
