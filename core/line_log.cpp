#include "core/line_log.h"

#include <fcntl.h>
#include <sys/stat.h>
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

LineLog::LineLog(std::filesystem::path path) : path_(std::move(path)) {
  struct stat there {};
  if (::stat(path_.c_str(), &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
    throw Failure("cannot write " + path_.string() + ": it is there and no ordinary file");
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) fail_with_errno(path_);
  const std::string bytes = read_file(path_);
  const std::size_t whole = bytes.rfind('\n') + 1;  // 0 when there is no line end
  if (whole != bytes.size() && ::ftruncate(fd_, static_cast<off_t>(whole)) != 0)
    fail_with_errno(path_);
}

LineLog::~LineLog() { ::close(fd_); }

void LineLog::append(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  errno = ENOSPC;  // what a short write means
  if (::write(fd_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    fail_with_errno(path_);
}

void LineLog::sync() {
  if (::fsync(fd_) != 0 && errno != EINVAL) fail_with_errno(path_);
}

}  // namespace gounki
