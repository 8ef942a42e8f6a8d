// What is in a file or a run's folder, as facts for people and programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "play/console.h"
#include "play/options.h"

namespace gounki::play {

struct Inspection {
  Json facts;
  std::vector<std::string> damaged;  // files of a run that cannot be read, each with the reason
};

// A checkpoint, a learner's state, a sample shard, a game record, or a run. Throws a Failure that
// names the file when it cannot be read. Of a run every file is read where `check` is set, else only
// as much as counting takes.
Inspection inspect(const std::filesystem::path& path, bool check, Console& console);
// The same for what is known to be a folder.
Inspection inspect_run(const std::filesystem::path& path, bool check, Console& console);

}  // namespace gounki::play
