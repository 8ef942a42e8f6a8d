#include "core/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/files.h"

namespace gounki {
namespace {

[[noreturn]] void fail_with_errno(const std::filesystem::path& path) {
  throw Failure("cannot lock " + path.string() + ": " + std::generic_category().message(errno));
}

// Whether the file was removed between being opened and being locked.
bool is_removed(int fd) {
  struct stat info {};
  return ::fstat(fd, &info) != 0 || info.st_nlink == 0;
}

}  // namespace

std::optional<FileLock> FileLock::try_lock(const std::filesystem::path& path) {
  for (;;) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) fail_with_errno(path);
    FileLock lock(path, fd);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return std::nullopt;
      if (errno == EINTR) continue;
      fail_with_errno(path);
    }
    if (is_removed(fd)) continue;
    const std::string pid = std::to_string(::getpid()) + "\n";
    if (::ftruncate(fd, 0) != 0 ||
        ::pwrite(fd, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
      fail_with_errno(path);
    return lock;
  }
}

long FileLock::holder(const std::filesystem::path& path) {
  try {
    return std::strtol(read_file(path).c_str(), nullptr, 10);
  } catch (const Failure&) {
    return 0;
  }
}

FileLock::FileLock(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  return *this;
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

void FileLock::remove() {
  ::unlink(path_.c_str());
  ::close(std::exchange(fd_, -1));
}

}  // namespace gounki
