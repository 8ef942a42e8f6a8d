// metrics.jsonl: what happened in a run, one JSON object a line (docs/formats.md). Only the holder
// of the learner's lock writes it.
#pragma once

#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

namespace gounki::selfplay {

class MetricsLog {
 public:
  // Opens the file or makes it, and cuts off a last line that a kill left without its end. Throws a
  // Failure that names the file where that is impossible.
  explicit MetricsLog(std::filesystem::path path);
  MetricsLog(const MetricsLog&) = delete;
  MetricsLog& operator=(const MetricsLog&) = delete;
  ~MetricsLog();

  // Adds a line with one write, so that a reader sees whole lines.
  void append(const nlohmann::ordered_json& line);
  // Makes what was written last.
  void sync();

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

// Every whole line that is a JSON object; others are left out.
std::vector<nlohmann::json> read_metrics(const std::filesystem::path& path);

}  // namespace gounki::selfplay
