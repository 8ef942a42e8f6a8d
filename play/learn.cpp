// gounki learn: the learning half of a run alone.
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
#include "selfplay/learn.h"
#include "selfplay/metrics.h"

namespace gounki::play {
namespace {

struct LearnOptions : RunOptions {
  selfplay::LearnRequest request;
  std::string samples;
  bool json = false;
};

void run_learn(const LearnOptions& options) {
  const auto config = options.read_config();
  selfplay::LearnRequest request = options.request;
  request.samples = options.samples;
  RunReporter reporter;
  const auto& interrupts = catch_interrupts();
  const selfplay::LearnSummary summary = selfplay::learn(
      options.run, config, request, nn::backend(), reporter.events(), interrupts.level);
  if (options.json) {
    const Json out = {{"run", options.run},
                      {"steps", summary.steps},
                      {"taken", summary.taken},
                      {"rows", summary.rows},
                      {"damaged", summary.damaged},
                      {"held_out", selfplay::quality_json(summary.quality)}};
    fmt::print("{}\n", out.dump());
    return;
  }
  fmt::print("{}: {} steps taken, {} in all, from {} rows\n", options.run, summary.taken,
             summary.steps, summary.rows);
  if (summary.quality.rows > 0) fmt::print("{}\n", quality_text(summary.quality));
  if (summary.damaged > 0)
    fmt::print("{} damaged files were left out; they are named above\n", summary.damaged);
}

}  // namespace

void add_learn(Program& program) {
  auto options = std::make_shared<LearnOptions>();
  Command command = program.add_command(
      "learn", "Learn from a run's samples, beside any number of processes that play");
  add_run_options(command, *options);
  command.option("--samples", options->samples,
                 "Learn from the shards (*.npz, by name) of this folder, in place of the run's own",
                 {.type = "FOLDER"});
  command.option("--steps", options->request.steps,
                 "Steps to take; 0 takes as many as the samples allow", {.range = {0, 1e15}});
  command.option("--threads", options->request.threads, "Cores to use; 0 does as the config says",
                 {.range = {0, 4096}});
  command.flag("--follow", options->request.follow, "Wait for new samples and go on");
  command.flag("--json", options->json, "Print the summary as one JSON object");
  command.example("gounki learn --run runs/two");
  command.run([options] { run_learn(*options); });
}

}  // namespace gounki::play
