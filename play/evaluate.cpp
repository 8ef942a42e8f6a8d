// gounki evaluate: a network's raw outputs for every sample of a shard.
#include <chrono>
#include <memory>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/files.h"
#include "nn/network.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/console.h"
#include "play/options.h"
#include "selfplay/outputs.h"
#include "selfplay/shard.h"

namespace gounki::play {
namespace {

struct EvaluateOptions {
  std::string network, samples, out;
  bool planes = false;
  bool json = false;
};

selfplay::NetworkOutputs ask(const nn::Checkpoint& checkpoint,
                             const std::vector<selfplay::Sample>& samples, bool planes) {
  Console console;
  const auto start = Console::Clock::now();
  const auto network = nn::serve(checkpoint);
  return selfplay::ask(*network, samples, planes, [&](std::size_t done) {
    const std::chrono::duration<double> seconds = Console::Clock::now() - start;
    console.progress(progress_text("evaluate", static_cast<double>(done),
                                   static_cast<double>(samples.size()), "samples",
                                   seconds.count()));
  });
}

void run_evaluate(const EvaluateOptions& options) {
  check_output_file("OUT", options.out, {options.network, options.samples});
  const auto file = value_or_throw<Failure>(nn::checkpoint_of(options.network));
  const auto checkpoint = value_or_throw<Failure>(nn::load_checkpoint(file));
  const auto shard = value_or_throw<Failure>(selfplay::load_shard(options.samples));
  const selfplay::NetworkOutputs outputs = ask(checkpoint, shard.samples, options.planes);
  write_file_atomically(options.out, selfplay::to_bytes(outputs, checkpoint.step));
  if (options.json) {
    const Json out = {{"network", file.string()},
                      {"step", checkpoint.step},
                      {"samples", outputs.rows()},
                      {"moves", outputs.policy_logits.size()}};
    fmt::print("{}\n", out.dump());
    return;
  }
  fmt::print("{}: what {} says of {} samples with {} legal moves\n", options.out, file.string(),
             outputs.rows(), outputs.policy_logits.size());
}

}  // namespace

void add_evaluate(Program& program) {
  auto options = std::make_shared<EvaluateOptions>();
  Command command = program.add_command(
      "evaluate", "Write a network's raw outputs for every sample of a shard");
  command.option("NET", options->network, "A checkpoint, or a run, whose newest one is taken",
                 {.required = true});
  command.option("SAMPLES", options->samples, "A sample shard (.npz)", {.required = true});
  command.option("OUT", options->out, "The file of the outputs (.npz)", {.required = true});
  command.flag("--planes", options->planes, "Write the network's input planes too");
  command.flag("--json", options->json, "Print the summary as one JSON object");
  command.example("gounki evaluate runs/quick runs/quick/samples/00000000.npz outputs.npz");
  command.run([options] { run_evaluate(*options); });
}

}  // namespace gounki::play
