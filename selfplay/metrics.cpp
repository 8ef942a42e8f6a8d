#include "selfplay/metrics.h"

#include <string>

#include "core/files.h"

namespace gounki::selfplay {

nlohmann::ordered_json quality_json(const Quality& quality) {
  if (quality.rows == 0) return nullptr;
  return {{"rows", quality.rows},
          {"policy", quality.policy},
          {"policy_kl", quality.policy_kl},
          {"value", quality.value},
          {"value_accuracy", quality.value_accuracy},
          {"calibration_error", quality.calibration_error},
          {"plies_error", quality.plies_error}};
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
