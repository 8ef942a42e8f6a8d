// gounki learn: the learning half of a run alone.
#include <memory>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "nn/network.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/interrupt.h"
#include "play/options.h"
#include "play/run_reporter.h"
#include "selfplay/learn.h"

namespace gounki::play {
namespace {

struct LearnOptions {
  std::string run;
  selfplay::LearnRequest request;
  bool json = false;
};

void run_learn(const LearnOptions& options) {
  RunReporter reporter;
  const auto& interrupts = catch_interrupts();
  const selfplay::LearnSummary summary = selfplay::learn(
      options.run, options.request, nn::backend(), reporter.events(), interrupts.level);
  if (options.json) {
    const Json out = {{"run", options.run},
                      {"steps", summary.steps},
                      {"taken", summary.taken},
                      {"rows", summary.rows},
                      {"damaged", summary.damaged}};
    fmt::print("{}\n", out.dump());
    return;
  }
  fmt::print("{}: {} steps taken, {} in all, from {} rows\n", options.run, summary.taken,
             summary.steps, summary.rows);
  if (summary.damaged > 0)
    fmt::print("{} damaged files were left out; they are named above\n", summary.damaged);
}

}  // namespace

void add_learn(Program& program) {
  auto options = std::make_shared<LearnOptions>();
  Command command = program.add_command(
      "learn", "Learn from a run's samples, beside any number of processes that play");
  command.option("--run", options->run, "The run's folder", {.type = "DIR", .required = true});
  command.option("--steps", options->request.steps,
                 "Steps to take; 0 takes as many as the samples allow", {.range = {0, 1e15}});
  command.option("--threads", options->request.threads, "Cores to use; 0 does as the config says",
                 {.range = {0, 4096}});
  command.flag("--follow", options->request.follow, "Wait for new samples and go on");
  command.flag("--json", options->json, "Print the summary as one JSON object");
  add_device_option(command);
  command.example("gounki learn --run runs/two");
  command.run([options] { run_learn(*options); });
}

}  // namespace gounki::play
