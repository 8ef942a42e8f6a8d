#include "play/options.h"

#include <algorithm>
#include <filesystem>

#include <spdlog/fmt/fmt.h>

#include "core/files.h"
#include "core/notation.h"
#include "core/record.h"

namespace gounki::play {

Rules RulesOptions::rules() const {
  Rules rules;
  rules.null_moves = !no_null_moves;
  rules.repetition_draw = rules.quiet_draw = !no_draw_rules;
  return rules;
}

void add_rules_options(CLI::App& command, RulesOptions& options) {
  command.add_flag("--no-null-moves", options.no_null_moves,
                   "Forbid moves that bounce back to where they began");
  command.add_flag("--no-draw-rules", options.no_draw_rules,
                   "No draw by third occurrence or by 100 quiet plies");
}

// The moves are read as those of a record are: numbers, spaces within a move and comments may stand
// among them, and an error names the ply.
Game PositionOptions::game() const {
  const auto first = value_or_throw<Failure>(parse_position(position), "--position");
  GameRecord record;
  record.first = first;
  record.rules = rules();
  if (!moves.empty()) {
    const std::string text = "[SetUp \"1\"]\n[FEN \"" + to_string(first) + "\"]\n\n" + moves;
    record.moves = value_or_throw<Failure>(parse_record(text, rules()), "--moves").moves;
  }
  return record.replay();
}

void add_position_options(CLI::App& command, PositionOptions& options) {
  command.add_option("--position", options.position, "A position as text, or start")
      ->type_name("TEXT")
      ->capture_default_str();
  command.add_option("--moves", options.moves, "Moves to play from there, such as \"a2-b3 h7-g6\"")
      ->type_name("TEXT");
  add_rules_options(command, options);
}

void set_example(CLI::App& command, std::string_view example, std::string_view more) {
  command.footer(fmt::format("Example:\n  {}\n{}{}", example, more.empty() ? "" : "\n", more));
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
  return read_file(path);
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
