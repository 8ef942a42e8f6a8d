// gounki train: self-play and learning in turn, the main job.
#include <algorithm>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "nn/network.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/interrupt.h"
#include "play/options.h"
#include "play/tally_text.h"
#include "play/run_options.h"
#include "play/run_reporter.h"
#include "selfplay/train.h"

namespace gounki::play {
namespace {

struct TrainOptions : RunOptions {
  bool json = false;
};

std::string reason_text(const selfplay::TrainSummary& summary) {
  if (summary.reason == "interrupt") return "interrupted";
  return "the limit of " + summary.reason + " is reached";
}

void print_json(const TrainOptions& options, const selfplay::TrainSummary& summary) {
  Json out = {{"run", options.run},           {"reason", summary.reason},
              {"iterations", summary.iterations}, {"games", summary.games},
              {"steps", summary.steps},       {"minutes", summary.minutes},
              {"damaged", summary.damaged},   {"evaluation", Json::array()}};
  for (const selfplay::Evaluated& e : summary.evaluation) {
    const arena::Tally total = e.result.total();
    out["evaluation"].push_back({{"opponent", e.opponent},
                                 {"step", e.step},
                                 {"wins", total.wins},
                                 {"draws", total.draws},
                                 {"losses", total.losses},
                                 {"score", e.strength.score},
                                 {"elo", e.strength.elo},
                                 {"los", e.strength.los}});
  }
  fmt::print("{}\n", out.dump());
}

void print_text(const TrainOptions& options, const selfplay::TrainSummary& summary) {
  fmt::print("{}: {} after {} iterations, {} games, {} steps and {}\n", options.run,
             reason_text(summary), summary.iterations, summary.games, summary.steps,
             duration_text(60 * summary.minutes));
  if (summary.damaged > 0)
    fmt::print("{} damaged files were left out; they are named above\n", summary.damaged);
  if (summary.reason == "interrupt") {
    fmt::print("go on with: gounki train --run {}\n", options.run);
    return;
  }
  if (summary.evaluation.empty()) return;
  std::size_t width = 0;
  for (const auto& e : summary.evaluation) width = std::max(width, e.opponent.size());
  fmt::print("the network of step {} against\n", summary.evaluation.front().step);
  for (const auto& e : summary.evaluation) fmt::print("  {}\n", evaluation_text(e, width));
}

void run_train(const TrainOptions& options) {
  const auto config = options.read_config();
  RunReporter reporter;
  const auto& interrupts = catch_interrupts();
  const selfplay::TrainSummary summary = selfplay::train(options.run, config, nn::backend(),
                                                         reporter.events(), interrupts.level);
  options.json ? print_json(options, summary) : print_text(options, summary);
}

}  // namespace

void add_train(Program& program) {
  auto options = std::make_shared<TrainOptions>();
  Command command = program.add_command(
      "train", "Train a network by self-play, until the config's limit; goes on with an earlier run");
  add_run_options(command, *options);
  command.flag("--json", options->json, "Print the summary as one JSON object");
  command.example("gounki train configs/quick.toml --run runs/quick", config_help());
  command.run([options] { run_train(*options); });
}

}  // namespace gounki::play
