// Lines from a pipe or a terminal, of bounded length, for as long as nobody says stop.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

namespace gounki::play {

class LineReader {
 public:
  enum class Got { Line, TooLong, End };
  // `most` bytes a line, its end not counted.
  LineReader(int descriptor, std::size_t most) : descriptor_(descriptor), most_(most) {}

  // The next line, without its end; what follows the last line end is a line too. TooLong stands for a
  // whole line, which is skipped. End also when `stop` turns true, or when nothing can be read.
  Got next(std::string& line, const std::atomic<bool>& stop);

 private:
  bool fill(const std::atomic<bool>& stop);

  int descriptor_;
  std::size_t most_;
  std::string buffer_;
  std::size_t at_ = 0;  // of the next line in the buffer
  bool ended_ = false;
};

}  // namespace gounki::play
