// Files that grow by whole lines and are never rewritten.
#pragma once

#include <filesystem>
#include <string_view>

namespace gounki {

// One process at a time writes one, which its user sees to (FileLock).
class LineLog {
 public:
  // Opens the file or makes it, and cuts off a last line that a kill left without its end. Throws a
  // Failure that names the file where that is impossible.
  explicit LineLog(std::filesystem::path path);
  LineLog(const LineLog&) = delete;
  LineLog& operator=(const LineLog&) = delete;
  ~LineLog();

  // Adds a line, given without its end, with one write, so that a reader sees whole lines.
  void append(std::string_view line);
  // Makes what was written last.
  void sync();

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

}  // namespace gounki
