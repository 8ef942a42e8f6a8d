// What is in a run's folder.
#include <chrono>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "nn/network.h"
#include "play/inspect.h"
#include "selfplay/config.h"
#include "selfplay/metrics.h"
#include "selfplay/run_folder.h"
#include "selfplay/shard.h"

namespace gounki::play {

namespace fs = std::filesystem;

namespace {

std::uintmax_t bytes_in(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;  // a run may be under way
    if (!entry->is_regular_file(gone)) continue;
    if (const auto size = entry->file_size(gone); !gone) bytes += size;
  }
  return bytes;
}

// The newest evaluation against each opponent.
Json evaluations(const std::vector<nlohmann::json>& metrics) {
  Json out = Json::object();
  for (const auto& line : metrics)
    if (line.value("type", "") == "evaluation")
      out[line.value("opponent", "?")] =
          fmt::format("step {}: {} won, {} drawn, {} lost", line.value("step", 0),
                      line.value("wins", 0), line.value("draws", 0), line.value("losses", 0));
  return out;
}

}  // namespace

Inspection inspect_run(const fs::path& path, bool check, Console& console) {
  const selfplay::RunFolder run(path);
  std::error_code error;
  if (!fs::exists(run.config_path(), error))
    throw Failure(path.string() + ": is not a run, it has no config.toml");
  const selfplay::RunConfig config = selfplay::load_config(run.config_path());

  Inspection inspection;
  const auto read = [&](const fs::path& file) {
    try {
      return inspect(file, false, console).facts;
    } catch (const Failure& failure) {
      inspection.damaged.emplace_back(failure.what());
      return Json();
    }
  };

  const std::vector<std::int64_t> groups = run.groups();
  const std::vector<fs::path> checkpoints = nn::checkpoints(path);
  std::int64_t rows = 0;
  double done = 0;
  const double total = static_cast<double>(groups.size() + checkpoints.size());
  const auto start = Console::Clock::now();
  const auto step = [&] {
    const double seconds = std::chrono::duration<double>(Console::Clock::now() - start).count();
    console.progress(progress_text("inspect", ++done, total, "parts", seconds));
  };
  for (const std::int64_t group : groups) {
    if (check) {
      const Json facts = read(run.shard_path(group));
      if (facts.is_object()) rows += facts["rows"].get<std::int64_t>();
      read(run.record_path(group));
    } else if (const auto games = selfplay::load_shard_games(run.shard_path(group))) {
      rows += static_cast<std::int64_t>(games->size());
    } else {
      inspection.damaged.push_back(games.error().message);
    }
    step();
  }
  for (const fs::path& checkpoint : checkpoints) {
    if (check) read(checkpoint);
    step();
  }
  const bool learner = fs::exists(run.learner_path(), error);
  const Json state = learner ? read(run.learner_path()) : Json();

  inspection.facts = {{"run", path.string()},
                      {"kind", "run"},
                      {"bytes", bytes_in(path)},
                      {"groups", groups.size()},
                      {"games", static_cast<std::int64_t>(groups.size()) *
                                    config.selfplay.games_per_group},
                      {"rows", rows},
                      {"checkpoints", checkpoints.size()}};
  if (!checkpoints.empty()) inspection.facts["newest_checkpoint"] = checkpoints.front().string();
  if (state.is_object() && state.contains("step")) inspection.facts["learner_step"] = state["step"];
  const auto metrics = selfplay::read_metrics(run.metrics_path());
  inspection.facts["metrics_lines"] = metrics.size();
  inspection.facts["damaged"] = inspection.damaged.size();
  inspection.facts["evaluations"] = evaluations(metrics);
  return inspection;
}

}  // namespace gounki::play
