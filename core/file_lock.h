// Locks between processes. The kernel gives a lock back when its holder dies, however it dies.
#pragma once

#include <filesystem>
#include <optional>

namespace gounki {

// An exclusive flock on a file that holds the process id of the lock's holder.
class FileLock {
 public:
  // Nothing when another process (or another lock of this one) holds it. Makes the file where it is
  // missing; throws a Failure where it cannot.
  static std::optional<FileLock> try_lock(const std::filesystem::path& path);
  // The process id that the file holds, or 0.
  static long holder(const std::filesystem::path& path);

  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  // Removes the file together with the lock.
  void remove();

 private:
  FileLock(std::filesystem::path path, int fd);
  std::filesystem::path path_;
  int fd_ = -1;
};

}  // namespace gounki
