// Options that several subcommands share, and what they stand for.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "arena/player.h"
#include "core/error.h"
#include "core/game.h"
#include "core/params.h"
#include "play/command_line.h"

namespace gounki::play {

// JSON whose keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

// The value, or its error thrown as a Failure (exit status 1) or a UsageError (2), with what was
// being done before it where that helps.
template <class Thrown, class T>
T value_or_throw(Expected<T> value, std::string_view doing = {}) {
  if (!value)
    throw Thrown(doing.empty() ? value.error().message
                               : std::string(doing) + ": " + value.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*value);
}

// Of an option that is a seed.
inline const OptionInfo kSeedInfo{.range = {0, 9e15}};

struct RulesOptions {
  bool no_null_moves = false;
  bool no_draw_rules = false;

  Rules rules() const;
};
void add_rules_options(Command& command, RulesOptions& options);

// --position, --moves and the switches of the rules.
struct PositionOptions : RulesOptions {
  std::string position = "start";
  std::string moves;

  // The game that begins at `position` and has had `moves` played. Throws a Failure that says what
  // cannot be read or is illegal, and where.
  Game game() const;
};
void add_position_options(Command& command, PositionOptions& options);

// The parameters of a config as options of a command: "ply_cap" becomes --ply-cap, or
// --opening-ply-cap with the prefix "opening-".
template <class Config>
void add_param_options(Command& command, Config& config, const std::string& prefix = "") {
  for (const ParamInfo& param : describe_params(config)) {
    std::string name = "--" + prefix + param.name;
    std::replace(name.begin(), name.end(), '_', '-');
    command.function(
        name,
        [&config, key = param.name, name](const std::string& value) {
          value_or_throw<UsageError>(set_param(config, key, value), name);
        },
        param.help, param.type == "integer" ? "N" : param.type == "number" ? "X" : "TEXT",
        param.value);
  }
}

// Applies "key=value" texts to a config; an unknown key or a bad value is a UsageError.
template <class Config>
void set_params(Config& config, const std::vector<std::string>& assignments) {
  for (const std::string& text : assignments) {
    const auto equals = text.find('=');
    if (equals == std::string::npos)
      throw UsageError("--set " + text + ": expected key=value, such as visits=400");
    value_or_throw<UsageError>(
        set_param(config, text.substr(0, equals), text.substr(equals + 1)), "--set " + text);
  }
}
// The parameters of a config as a table for help pages: name, default, range and sentence.
std::string params_help(const std::vector<ParamInfo>& params);

// --device: where networks are served and learn.
void add_device_option(Command& command);

// A player made from its text; a text that makes none is a UsageError, a network that cannot be
// loaded a Failure.
std::unique_ptr<arena::Player> player_from_text(const std::string& text);
// The kinds of players, for help pages.
std::string players_help();

// For a file that is written when long work is done: throws now what would go wrong then, and a
// UsageError where it is one of the files that the work needs. Empty names stand for no file.
void check_output_file(const std::string& option, const std::string& file,
                       const std::vector<std::string>& needed = {});

// The text of a game record's file. Throws a Failure for what cannot be one: a folder, a device,
// bytes that are no text, or more than 256 MiB.
std::string read_record_file(const std::string& path);

// How a game that is over ended, for people: "White wins: it left the board"; who is to move in one
// that goes on.
std::string outcome_text(const Game& game);

}  // namespace gounki::play
