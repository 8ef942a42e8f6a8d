// Which run a command works on, and with which config.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "play/command_line.h"
#include "selfplay/config.h"

namespace gounki::play {

struct RunOptions {
  std::string config, run;
  std::vector<std::string> settings;  // "section.key=value"

  // The config of the file with the settings applied. Without a file the settings change the config
  // that the run has; without either there is none, and the run must exist.
  std::optional<selfplay::RunConfig> read_config() const;
};
void add_run_options(Command& command, RunOptions& options);

// Every section and key of a config, for help pages.
std::string config_help();

}  // namespace gounki::play
