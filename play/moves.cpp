// gounki moves: the legal moves of a position.
#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "core/record.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/options.h"

namespace gounki::play {
namespace {

struct MovesOptions : PositionOptions {
  bool json = false;
};

void run_moves(const MovesOptions& options) {
  const Game game = options.game();
  std::vector<std::pair<std::string, int>> moves;
  for (const Move move : game.legal_moves())
    moves.emplace_back(to_string(move, game.position()), move.index());
  std::sort(moves.begin(), moves.end());

  if (options.json) {
    Json list = Json::array();
    for (const auto& [text, index] : moves) list.push_back({{"move", text}, {"policy_index", index}});
    const Json out = {{"position", to_string(game.position())},
                      {"result", to_string(game.outcome())},
                      {"moves", list}};
    fmt::print("{}\n", out.dump());
    return;
  }
  for (const auto& [text, index] : moves) fmt::print("{}\n", text);
  if (game.is_over()) fmt::print(stderr, "the game is over, {}\n", outcome_text(game));
}

}  // namespace

void add_moves(Program& program) {
  auto options = std::make_shared<MovesOptions>();
  Command command = program.add_command("moves", "List the legal moves of a position, sorted");
  add_position_options(command, *options);
  command.flag("--json", options->json, "Print one JSON object, with each move's policy index");
  command.example("gounki moves --moves \"c1-b1+ a8-b7+\"");
  command.run([options] { run_moves(*options); });
}

}  // namespace gounki::play
