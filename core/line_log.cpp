#include "core/line_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/files.h"

namespace gounki {
namespace {

[[noreturn]] void fail_with_errno(const std::filesystem::path& path) {
  throw Failure("cannot write " + path.string() + ": " + std::generic_category().message(errno));
}

}  // namespace

LineLog::LineLog(std::filesystem::path path, const Check& check) : path_(std::move(path)) {
  if (std::filesystem::exists(path_)) check_ordinary_file(path_, "write");
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) fail_with_errno(path_);
  try {
    take_over(check);
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

void LineLog::take_over(const Check& check) {
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) fail_with_errno(path_);
    throw Failure(path_.string() + " is being written by another process");
  }
  const std::string bytes = read_file(path_);
  if (check) check(bytes);
  const std::size_t whole = bytes.rfind('\n') + 1;  // 0 when there is no line end
  if (whole != bytes.size() && ::ftruncate(fd_, static_cast<off_t>(whole)) != 0)
    fail_with_errno(path_);
  empty_ = whole == 0;
}

LineLog::~LineLog() { ::close(fd_); }

void LineLog::append(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  empty_ = false;
  errno = ENOSPC;  // what a short write means
  if (::write(fd_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    fail_with_errno(path_);
}

void LineLog::sync() {
  if (::fsync(fd_) != 0 && errno != EINVAL) fail_with_errno(path_);
}

}  // namespace gounki
