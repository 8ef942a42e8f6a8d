#include "play/options.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <spdlog/fmt/fmt.h>

#include "core/files.h"
#include "core/notation.h"
#include "core/text.h"
#include "nn/backend_module.h"

namespace gounki::play {

Rules RulesOptions::rules() const {
  Rules rules;
  rules.null_moves = !no_null_moves;
  rules.repetition_draw = rules.quiet_draw = !no_draw_rules;
  return rules;
}

void add_rules_options(Command& command, RulesOptions& options) {
  command.flag("--no-null-moves", options.no_null_moves,
               "Forbid moves that bounce back to where they began");
  command.flag("--no-draw-rules", options.no_draw_rules,
               "No draw by third occurrence or by 100 quiet plies");
}

Game PositionOptions::game() const {
  Game game(value_or_throw<Failure>(parse_position(position)), rules());
  for (std::size_t at = 0;;) {
    at = moves.find_first_not_of(" \t\n", at);
    if (at == std::string::npos) return game;
    const std::string place = fmt::format("--moves, ply {} at character {}", game.moves().size() + 1,
                                          character_number(moves, at));
    if (game.is_over()) throw Failure(place + ": the game was over, " + outcome_text(game));
    const Move move = value_or_throw<Failure>(read_move(moves, at, game.position(), game.rules()), place);
    game.play(move);
  }
}

void add_position_options(Command& command, PositionOptions& options) {
  command.option("--position", options.position, "A position as text, or start");
  command.option("--moves", options.moves, "Moves to play from there, such as \"a2-b3 h7-g6\"");
  add_rules_options(command, options);
}

std::string params_help(const std::vector<ParamInfo>& params) {
  const auto range = [](const ParamInfo& p) {
    if (p.type != "integer" && p.type != "number") return p.type;
    return fmt::format("{:g} to {:g}", p.range.min, p.range.max);
  };
  std::size_t name_width = 0, value_width = 0, range_width = 0;
  for (const ParamInfo& p : params) {
    name_width = std::max(name_width, p.name.size());
    value_width = std::max(value_width, p.value.size());
    range_width = std::max(range_width, range(p).size());
  }
  std::string out;
  for (const ParamInfo& p : params)
    out += fmt::format("  {:<{}}  {:>{}}  {:<{}}  {}\n", p.name, name_width, p.value, value_width,
                       range(p), range_width, p.help);
  return out;
}

void add_device_option(Command& command) {
  command.function(
      "--device",
      [](const std::string& device) {
        if (device != "cpu" && device != "cuda" && device != "auto")
          throw UsageError("--device " + device + ": expected cpu, cuda or auto");
        // Nothing has asked for a network yet, and programs that we start are to do the same.
        setenv(nn::kDeviceVariable, device.c_str(), /*overwrite=*/1);
      },
      "Where networks run: cpu, cuda, or auto for GPUs where there are some", "TEXT", "auto");
}

std::unique_ptr<arena::Player> player_from_text(const std::string& text) {
  value_or_throw<UsageError>(arena::check_player_text(text));
  return value_or_throw<Failure>(arena::make_player(text));
}

std::string players_help() {
  std::string out = "Players (kind:key=value,…):\n";
  for (const arena::PlayerKind& kind : arena::player_kinds())
    out += fmt::format("  {:<28} {}\n", kind.form, kind.help);
  return out;
}

void check_output_file(const std::string& option, const std::string& file,
                       const std::vector<std::string>& needed) {
  namespace fs = std::filesystem;
  if (file.empty()) return;
  for (const std::string& other : needed) {
    std::error_code none;
    if (other.empty()) continue;
    if (fs::equivalent(file, other, none) || fs::weakly_canonical(file) == fs::weakly_canonical(other))
      throw UsageError(fmt::format("{}: {} is also another of the files; give it a name of its own",
                                   option, file));
  }
  check_writable(file);
}

std::string read_record_file(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr std::uintmax_t kMost = 256u << 20;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_fifo(status))
    throw Failure(path + ": is not a file; expected a game record");
  if (const auto size = fs::file_size(path, error); !error && size > kMost)
    throw Failure(fmt::format("{}: has {} MiB, more than the 256 MiB that are read at once; split it",
                              path, size >> 20));
  std::string text = read_file(path);
  if (const auto zero = text.find('\0'); zero != std::string::npos)
    throw Failure(fmt::format("{}: is not text, byte {} is 0; expected a game record", path, zero));
  return text;
}

std::string outcome_text(const Game& game) {
  const Position& last = game.position();
  switch (game.outcome()) {
    case Outcome::Ongoing:
      return last.side_to_move() == Side::White ? "White to move" : "Black to move";
    case Outcome::Draw:
      if (game.repetitions() >= 2) return "a draw: the position occurred for the third time";
      return fmt::format("a draw: {} plies without a capture or a step forward",
                         last.quiet_plies());
    default:
      return fmt::format("{} wins: it {}", game.outcome() == Outcome::WhiteWins ? "White" : "Black",
                         last.exited() ? "left the board" : "captured the last stack");
  }
}

}  // namespace gounki::play
