// metrics.jsonl: what happened in a run, one JSON object a line (docs/formats.md). Only the holder
// of the learner's lock writes it.
#pragma once

#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/line_log.h"
#include "selfplay/quality.h"

namespace gounki::selfplay {

class MetricsLog {
 public:
  explicit MetricsLog(std::filesystem::path path) : log_(std::move(path)) {}

  void append(const nlohmann::ordered_json& line) { log_.append(line.dump()); }
  void sync() { log_.sync(); }

 private:
  LineLog log_;
};

// Null where there was nothing to measure with.
nlohmann::ordered_json quality_json(const Quality& quality);

// Every whole line that is a JSON object; others are left out.
std::vector<nlohmann::json> read_metrics(const std::filesystem::path& path);

}  // namespace gounki::selfplay
