#include "play/line_reader.h"

#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace gounki::play {

LineReader::Got LineReader::next(std::string& line, const std::atomic<bool>& stop) {
  bool too_long = false;
  for (std::size_t looked = at_;;) {
    const std::size_t end = buffer_.find('\n', looked);
    const bool whole = end != std::string::npos;
    const std::size_t length = (whole ? end : buffer_.size()) - at_;
    too_long = too_long || length > most_;
    if (whole) {
      line.assign(buffer_, at_, too_long ? 0 : length);
      at_ = end + 1;
      return too_long ? Got::TooLong : Got::Line;
    }
    if (too_long) buffer_.clear();
    else buffer_.erase(0, at_);
    at_ = 0;
    looked = buffer_.size();
    if (fill(stop)) continue;
    if (stop || (buffer_.empty() && !too_long)) return Got::End;
    line = std::move(buffer_);
    buffer_.clear();
    return too_long ? Got::TooLong : Got::Line;
  }
}

// Appends what can be read; false at the end.
bool LineReader::fill(const std::atomic<bool>& stop) {
  constexpr int kLookMs = 100;  // a signal does not always end a wait
  char bytes[1 << 16];
  while (!ended_ && !stop) {
    pollfd ready{descriptor_, POLLIN, 0};
    if (::poll(&ready, 1, kLookMs) <= 0) continue;
    const ssize_t got = ::read(descriptor_, bytes, sizeof bytes);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) ended_ = true;
    else return buffer_.append(bytes, static_cast<std::size_t>(got)), true;
  }
  return false;
}

}  // namespace gounki::play
