// gounki match: paired games between two players.
#include <cstdio>
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "arena/elo.h"
#include "arena/match.h"
#include "arena/openings.h"
#include "core/files.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/console.h"
#include "play/interrupt.h"
#include "play/options.h"
#include "play/report.h"

namespace gounki::play {
namespace {

struct MatchOptions : RulesOptions {
  std::string first, second, records;
  arena::MatchConfig match;
  arena::OpeningsConfig openings;
  bool json = false;
};

Json tally_json(const arena::Tally& tally) {
  return {{"wins", tally.wins}, {"draws", tally.draws}, {"losses", tally.losses}};
}

void print_json(const MatchOptions& options, const arena::MatchResult& result) {
  const arena::Strength strength = arena::estimate_strength(result.pairs);
  Json out = {{"first", options.first},
              {"second", options.second},
              {"games", result.total().games()},
              {"total", tally_json(result.total())},
              {"as_white", tally_json(result.as_white)},
              {"as_black", tally_json(result.as_black)},
              {"pairs", result.pairs},
              {"score", strength.score},
              {"score_low", strength.score_low},
              {"score_high", strength.score_high},
              {"elo", strength.elo},  // null where it is infinite
              {"elo_low", strength.elo_low},
              {"elo_high", strength.elo_high},
              {"los", strength.los},
              {"capped", result.capped},
              {"repeated", result.repeated},
              {"plies", result.plies},
              {"seconds", result.seconds},
              {"stopped", result.stopped}};
  fmt::print("{}\n", out.dump());
}

void print_text(const MatchOptions& options, const arena::MatchResult& result) {
  const arena::Tally total = result.total();
  fmt::print("{} against {}: {} games from {} openings in {}\n", options.first, options.second,
             total.games(), total.games() / 2, duration_text(result.seconds));
  fmt::print("  total     {}\n  as White  {}\n  as Black  {}\n", tally_text(total),
             tally_text(result.as_white), tally_text(result.as_black));
  fmt::print("  pairs of 0, ½, 1, 1½, 2 points: {}\n", fmt::join(result.pairs, ", "));
  if (result.capped > 0)
    fmt::print("  {} games reached {} plies and count as draws\n", result.capped,
               options.match.ply_cap);
  if (result.repeated > 0)
    fmt::print("  {} games repeat another move by move\n", result.repeated);
  fmt::print("{}\n", arena::to_string(arena::estimate_strength(result.pairs)));
}

void run_match(const MatchOptions& options) {
  const auto first = player_from_text(options.first);
  const auto second = player_from_text(options.second);
  const auto openings =
      arena::make_openings(options.match.pairs, static_cast<std::uint64_t>(options.match.seed),
                           options.openings, options.rules());

  Console console;
  std::string records;
  arena::MatchCallbacks callbacks;
  callbacks.game = [&](const arena::MatchGame& game) {
    if (!options.records.empty()) records += to_string(game.record) + "\n";
  };
  callbacks.progress = [&](const arena::MatchProgress& p) {
    console.progress(fmt::format(
        "{}, {}", progress_text("match", p.games, p.games_total, "games", p.seconds),
        tally_text(p.so_far)));
  };
  const arena::MatchResult result = arena::play_match(
      *first, *second, openings, options.match, callbacks, &catch_interrupts().stop);
  if (!options.records.empty()) write_file_atomically(options.records, records);
  if (result.stopped) console.log("stopped before all games were played");
  options.json ? print_json(options, result) : print_text(options, result);
}

}  // namespace

void add_match(Program& program) {
  auto options = std::make_shared<MatchOptions>();
  Command command = program.add_command(
      "match", "Play paired games between two players: score, Elo with error bars");
  command.option("A", options->first, "A player, as text", {.required = true});
  command.option("B", options->second, "Another", {.required = true});
  add_param_options(command, options->match);
  add_param_options(command, options->openings, "opening-");
  add_rules_options(command, *options);
  command.option("--records", options->records, "Write the games into this file", {.type = "FILE"});
  command.flag("--json", options->json, "Print one JSON object");
  command.example("gounki match run:runs/quick alphabeta:depth=3 --pairs 20", players_help());
  command.run([options] { run_match(*options); });
}

}  // namespace gounki::play
