// Files that grow by whole lines and are never rewritten.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace gounki {

// One process at a time writes one.
class LineLog {
 public:
  using Check = std::function<void(std::string_view bytes)>;

  // Opens the file or makes it, lets `check` look at what it holds, and cuts off a last line that a
  // kill left without its end. Throws a Failure that names the file where that is impossible or another
  // LineLog has it open; the file is then as it was, as it is when `check` throws.
  explicit LineLog(std::filesystem::path path, const Check& check = {});
  LineLog(const LineLog&) = delete;
  LineLog& operator=(const LineLog&) = delete;
  ~LineLog();

  // Nothing was in it, and nothing was added.
  bool is_empty() const { return empty_; }
  // Adds a line, given without its end, with one write, so that a reader sees whole lines.
  void append(std::string_view line);
  // Makes what was written last.
  void sync();

 private:
  void take_over(const Check& check);

  std::filesystem::path path_;
  int fd_ = -1;
  bool empty_ = true;
};

}  // namespace gounki
