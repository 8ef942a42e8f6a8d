// gounki bench: searches fixed positions with the hash evaluator; the last line is the signature.
// gounki bench net: how fast a network is served on one core. gounki bench selfplay: how much of
// self-play's time is the network's.
#include <chrono>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "mcts/signature.h"
#include "play/bench_net.h"
#include "play/bench_selfplay.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/console.h"
#include "play/options.h"

namespace gounki::play {
namespace {

std::string best_move(const mcts::SignaturePart& part) {
  return to_string(part.result.best, value_or_throw<Failure>(parse_position(part.position)));
}

void run_bench(bool json) {
  const auto start = std::chrono::steady_clock::now();
  std::int64_t visits = 0;
  Json searches = Json::array();
  const std::int64_t signature = mcts::search_signature([&](const mcts::SignaturePart& part) {
    visits += part.result.visits;
    if (json)
      searches.push_back({{"algorithm", part.algorithm},
                          {"position", part.position},
                          {"best", best_move(part)},
                          {"visits", part.result.visits},
                          {"nodes", part.result.nodes},
                          {"depth", part.result.seldepth},
                          {"count", part.count}});
    else
      fmt::print("{:<7} {:>8}  {:<12} {}\n", part.algorithm, part.count, best_move(part),
                 part.position);
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (json) {
    const Json out = {{"searches", searches},
                      {"visits", visits},
                      {"seconds", seconds.count()},
                      {"signature", signature}};
    fmt::print("{}\n", out.dump());
    return;
  }
  fmt::print("{} visits in {:.2f} s: {}/s\n{}\n", visits, seconds.count(),
             count_text(static_cast<double>(visits) / seconds.count()), signature);
}

struct BenchOptions {
  std::string what = "search";
  std::string network, model, config;
  int seconds = 10;
  bool json = false;
};

void run(const BenchOptions& options) {
  const bool net = options.what == "net", selfplay = options.what == "selfplay";
  if (!options.network.empty() && !net) throw UsageError("--network is for `gounki bench net`");
  if (!options.config.empty() && !selfplay) throw UsageError("--config is for `gounki bench selfplay`");
  if (!options.model.empty() && !net && !selfplay)
    throw UsageError("--model is for `gounki bench net` and `gounki bench selfplay`");
  if (net) return run_net_bench({options.network, options.model, options.seconds}, options.json);
  if (selfplay) return run_selfplay_bench({options.config, options.model, options.seconds}, options.json);
  run_bench(options.json);
}

}  // namespace

void add_bench(Program& program) {
  auto options = std::make_shared<BenchOptions>();
  Command command = program.add_command(
      "bench", "Search fixed positions; the last line is the search's signature");
  command.option("what", options->what,
                 "The search, how fast a network is served on one core, or what share of self-play's time "
                 "it takes",
                 {.choices = {"search", "net", "selfplay"}});
  command.option("--network", options->network,
                 "Of net: a shape, blocks x channels, with weights at random (4x32 unless said)",
                 {.type = "BxC"});
  command.option("--config", options->config, "Of selfplay: a training config", {.type = "FILE"});
  command.option("--model", options->model,
                 "Of net and selfplay: a checkpoint or a run, in place of weights at random",
                 {.type = "FILE"});
  command.option("--seconds", options->seconds, "Of net and selfplay: how long to measure, about",
                 {.range = {1, 3600}});
  command.flag("--json", options->json, "Print one JSON object");
  add_device_option(command);
  command.example("gounki bench",
              "The signature is the same on every machine and changes with whatever changes the "
              "search.\n`gounki bench net --network 6x64` measures a network.\n");
  command.run([options] { run(*options); });
}

}  // namespace gounki::play
