#include "play/run_options.h"

#include <spdlog/fmt/fmt.h>

#include "play/options.h"
#include "selfplay/run_folder.h"

namespace gounki::play {
namespace {

void apply_setting(selfplay::RunConfig& config, const std::string& text) {
  const auto dot = text.find('.'), equals = text.find('=');
  if (equals == std::string::npos || dot > equals)
    throw UsageError("--set " + text + ": expected section.key=value, such as run.minutes=10");
  const std::string name = text.substr(0, dot);
  std::vector<std::string> known;
  bool found = false;
  selfplay::RunConfig::for_each_section(config, [&](const char* section, auto& values, const char*) {
    known.push_back(section);
    if (name != section) return;
    found = true;
    set_params(values, {text.substr(dot + 1)});
  });
  if (!found)
    throw UsageError("--set " + text + ": unknown section \"" + name + "\", did you mean \"" +
                     nearest_name(name, known) + "\"?");
}

}  // namespace

std::optional<selfplay::RunConfig> RunOptions::read_config() const {
  if (config.empty() && settings.empty()) return std::nullopt;
  selfplay::RunConfig out = selfplay::load_config(
      config.empty() ? selfplay::RunFolder(run).config_path() : std::filesystem::path(config));
  for (const std::string& text : settings) apply_setting(out, text);
  return out;
}

void add_run_options(Command& command, RunOptions& options) {
  command.option("CONFIG", options.config,
                 "A config in TOML; not needed to go on with a run as it is");
  command.option("--run", options.run, "The run's folder, new or an earlier run",
                 {.type = "DIR", .required = true});
  command.repeated("--set", options.settings, "Change a setting of the config",
                   "SECTION.KEY=VALUE");
  add_device_option(command);
}

std::string config_help() {
  std::string out = "Settings (name, default, range):\n";
  const selfplay::RunConfig config;
  selfplay::RunConfig::for_each_section(
      config, [&](const char* name, const auto& section, const char* sentence) {
        out += fmt::format("\n[{}] {}\n{}", name, sentence, params_help(describe_params(section)));
      });
  return out;
}

}  // namespace gounki::play
