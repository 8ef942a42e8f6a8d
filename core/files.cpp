#include "core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace gounki {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_with_errno(const std::string& what, const fs::path& path, int error) {
  throw Failure("cannot " + what + " " + path.string() + ": " +
                std::generic_category().message(error));
}

// An open file that is closed when it goes out of scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  // False when the system reports a failed write only now, as network file systems do.
  bool close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Makes the rename itself last. Some file systems cannot sync a folder and say EINVAL.
bool sync_folder(const fs::path& folder) {
  const Descriptor fd(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY));
  return fd.is_open() && (::fsync(fd.get()) == 0 || errno == EINVAL || errno == ENOTSUP);
}

}  // namespace

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  struct stat there {};
  if (::stat(path.c_str(), &there) == 0 && !S_ISDIR(there.st_mode)) check_ordinary_file(path, "write");
  fs::path temporary = path;
  temporary += ".tmp" + std::to_string(::getpid());

  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.is_open()) fail_with_errno("write", path, errno);
  const bool written = write_all(file.get(), bytes) && ::fsync(file.get()) == 0 && file.close() &&
                       ::rename(temporary.c_str(), path.c_str()) == 0;
  if (!written) {
    const int error = errno;
    ::unlink(temporary.c_str());
    fail_with_errno("write", path, error);
  }
  if (!sync_folder(path.parent_path())) fail_with_errno("sync the folder of", path, errno);
}

void check_writable(const fs::path& path) {
  struct stat there {};
  if (::stat(path.c_str(), &there) == 0) check_ordinary_file(path, "write");
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (::access(folder.c_str(), W_OK | X_OK) != 0) fail_with_errno("write", path, errno);
}

void check_ordinary_file(const fs::path& path, const std::string& doing) {
  struct stat there {};
  if (::stat(path.c_str(), &there) != 0) fail_with_errno(doing, path, errno);
  if (S_ISDIR(there.st_mode)) fail_with_errno(doing, path, EISDIR);
  if (!S_ISREG(there.st_mode))
    throw Failure("cannot " + doing + " " + path.string() + ": it is there and no ordinary file");
}

std::string read_file(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) fail_with_errno("read", path, errno);
  std::string bytes;
  struct stat info {};
  if (::fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode))
    bytes.reserve(static_cast<std::size_t>(info.st_size));
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_with_errno("read", path, errno);
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace gounki
