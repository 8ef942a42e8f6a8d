#include "selfplay/metrics.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/files.h"

namespace gounki::selfplay {
namespace {

[[noreturn]] void fail_with_errno(const std::filesystem::path& path) {
  throw Failure("cannot write " + path.string() + ": " + std::generic_category().message(errno));
}

}  // namespace

MetricsLog::MetricsLog(std::filesystem::path path) : path_(std::move(path)) {
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) fail_with_errno(path_);
  const std::string bytes = read_file(path_);
  const std::size_t whole = bytes.rfind('\n') + 1;  // 0 when there is no line end
  if (whole != bytes.size() && ::ftruncate(fd_, static_cast<off_t>(whole)) != 0)
    fail_with_errno(path_);
}

MetricsLog::~MetricsLog() { ::close(fd_); }

void MetricsLog::append(const nlohmann::ordered_json& line) {
  const std::string text = line.dump() + "\n";
  errno = ENOSPC;  // what a short write means
  if (::write(fd_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    fail_with_errno(path_);
}

void MetricsLog::sync() {
  if (::fsync(fd_) != 0 && errno != EINVAL) fail_with_errno(path_);
}

std::vector<nlohmann::json> read_metrics(const std::filesystem::path& path) {
  std::vector<nlohmann::json> lines;
  if (!std::filesystem::exists(path)) return lines;
  const std::string bytes = read_file(path);
  std::size_t begin = 0;
  for (std::size_t end; (end = bytes.find('\n', begin)) != std::string::npos; begin = end + 1) {
    auto line = nlohmann::json::parse(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                                      bytes.begin() + static_cast<std::ptrdiff_t>(end), nullptr,
                                      false);
    if (line.is_object()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace gounki::selfplay
