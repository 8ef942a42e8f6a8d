// gounki perft: how many leaves the tree of legal moves has.
#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/console.h"
#include "play/options.h"

namespace gounki::play {
namespace {

struct PerftOptions : PositionOptions {
  int depth = 0;
  bool divide = false;
  bool json = false;
};

struct RootMove {
  std::string text;
  Move move;
  std::uint64_t leaves = 0;
};

void run_perft(const PerftOptions& options) {
  const Game game = options.game();
  const Position& root = game.position();
  std::vector<RootMove> moves;
  if (options.depth > 0)
    for (const Move move : legal_moves(root, game.rules()))
      moves.push_back({to_string(move, root), move});
  std::sort(moves.begin(), moves.end(),
            [](const RootMove& a, const RootMove& b) { return a.text < b.text; });

  Console console;
  const auto start = Console::Clock::now();
  std::uint64_t total = options.depth == 0 ? 1 : 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    moves[i].leaves = perft(root.after(moves[i].move), options.depth - 1, game.rules());
    total += moves[i].leaves;
    const double seconds = std::chrono::duration<double>(Console::Clock::now() - start).count();
    const double done = static_cast<double>(i + 1), all = static_cast<double>(moves.size());
    console.progress(fmt::format("perft: {} of {} moves, {} leaves/s, {} left", done, all,
                                 count_text(static_cast<double>(total) / seconds),
                                 duration_text(seconds * (all - done) / done)));
  }

  if (options.json) {
    Json out = {{"position", to_string(root)}, {"depth", options.depth}};
    if (options.divide)
      for (const RootMove& m : moves) out["moves"][m.text] = m.leaves;
    out["leaves"] = total;
    fmt::print("{}\n", out.dump());
    return;
  }
  if (options.divide)
    for (const RootMove& m : moves) fmt::print("{} {}\n", m.text, m.leaves);
  fmt::print("{}\n", total);
}

}  // namespace

void add_perft(Program& program) {
  auto options = std::make_shared<PerftOptions>();
  Command command = program.add_command(
      "perft", "Count the leaves of the tree of legal moves; the last line is the number");
  command.option("DEPTH", options->depth, "Plies", {.required = true, .range = {0, 20}});
  add_position_options(command, *options);
  command.flag("--divide", options->divide, "Print the count below each first move too");
  command.flag("--json", options->json, "Print one JSON object");
  command.example("gounki perft 4 --divide");
  command.run([options] { run_perft(*options); });
}

}  // namespace gounki::play
