// gounki selfplay: the playing half of a run alone, from any number of processes.
#include <memory>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "nn/network.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/interrupt.h"
#include "play/options.h"
#include "play/run_options.h"
#include "play/run_reporter.h"
#include "selfplay/play_games.h"

namespace gounki::play {
namespace {

struct SelfplayOptions : RunOptions {
  selfplay::PlayRequest request;
  bool json = false;
};

void run_selfplay(const SelfplayOptions& options) {
  const auto config = options.read_config();
  RunReporter reporter;
  const auto& interrupts = catch_interrupts();
  const selfplay::PlayTotals totals =
      selfplay::play_games(options.run, config, options.request, nn::backend(), reporter.events(),
                           interrupts.level);
  const selfplay::PlayStats& stats = totals.stats;
  if (options.json) {
    const Json out = {{"run", options.run},
                      {"games", stats.games},
                      {"moves", stats.moves},
                      {"rows", stats.rows},
                      {"white_wins", stats.white_wins},
                      {"black_wins", stats.black_wins},
                      {"draws", stats.draws},
                      {"capped", stats.capped},
                      {"evaluations", stats.evaluations},
                      {"cache_lookups", stats.cache_lookups},
                      {"cache_hits", stats.cache_hits},
                      {"network_share", stats.network_share()},
                      {"batch_fill", stats.batch_fill()},
                      {"seconds", totals.seconds}};
    fmt::print("{}\n", out.dump());
    return;
  }
  fmt::print("{}: {} games in {}: {} won by White, {} by Black, {} drawn, {} capped\n", options.run,
             stats.games, duration_text(totals.seconds), stats.white_wins, stats.black_wins,
             stats.draws, stats.capped);
  if (totals.seconds > 0)
    fmt::print("{} games/h, {} moves/s, {} evaluations/s, {:.1f} % of the time in the network, batches "
               "{:.0f} % full{}\n",
               count_text(3600 * static_cast<double>(stats.games) / totals.seconds),
               count_text(static_cast<double>(stats.moves) / totals.seconds),
               count_text(static_cast<double>(stats.evaluations) / totals.seconds),
               100 * stats.network_share(), 100 * stats.batch_fill(), cache_text(stats));
}

}  // namespace

void add_selfplay(Program& program) {
  auto options = std::make_shared<SelfplayOptions>();
  Command command = program.add_command(
      "selfplay", "Play games for training into a run, beside any number of other processes");
  add_run_options(command, *options);
  command.option("--groups", options->request.groups,
                 "Groups of games to play; 0 goes on until it is stopped", {.range = {0, 1e15}});
  command.option("--threads", options->request.threads, "Cores to use; 0 does as the config says",
                 {.range = {0, 4096}});
  command.flag("--json", options->json, "Print the totals as one JSON object");
  command.example("gounki selfplay configs/quick.toml --run runs/two --groups 4");
  command.run([options] { run_selfplay(*options); });
}

}  // namespace gounki::play
