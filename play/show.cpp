// gounki show: a position for people.
#include <memory>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include "core/files.h"
#include "core/notation.h"
#include "core/record.h"
#include "play/board_view.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/options.h"

namespace gounki::play {
namespace {

struct ShowOptions : PositionOptions {
  std::string svg;
  bool flip = false, symbols = false, json = false;
};

void run_show(const ShowOptions& options) {
  const Game game = options.game();
  const Position& position = game.position();
  BoardStyle style;
  style.flip = options.flip;
  style.symbols = options.symbols;
  style.marked = squares_of_last_move(game);
  if (!options.svg.empty()) write_file_atomically(options.svg, board_svg(position, style));

  if (options.json) {
    const Json out = {{"position", to_string(position)},
                      {"side_to_move", position.side_to_move() == Side::White ? "white" : "black"},
                      {"quiet_plies", position.quiet_plies()},
                      {"ply", position.ply()},
                      {"repetitions", game.repetitions()},
                      {"hash", fmt::format("{:016x}", position.hash())},
                      {"legal_moves", game.legal_moves().size()},
                      {"result", to_string(game.outcome())}};
    fmt::print("{}\n", out.dump());
    return;
  }
  style.color = ::isatty(STDOUT_FILENO) == 1;
  fmt::print("{}{}\n{}\n", board_view(position, style), to_string(position), outcome_text(game));
}

}  // namespace

void add_show(Program& program) {
  auto options = std::make_shared<ShowOptions>();
  Command command = program.add_command("show", "Show a position as a board");
  add_position_options(command, *options);
  command.option("--svg", options->svg, "Draw the board into this file too", {.type = "FILE"});
  command.flag("--flip", options->flip, "Black at the bottom");
  command.flag("--symbols", options->symbols, "Symbols for the pieces in place of letters");
  command.flag("--json", options->json, "Print one JSON object in place of the board");
  command.example("gounki show --moves \"a2-b3\" --svg board.svg");
  command.run([options] { run_show(*options); });
}

}  // namespace gounki::play
