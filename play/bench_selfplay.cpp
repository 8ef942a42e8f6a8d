#include "play/bench_selfplay.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "nn/network_evaluator.h"
#include "nn/network_speed.h"
#include "play/console.h"
#include "play/evaluators.h"
#include "play/options.h"
#include "play/run_reporter.h"
#include "selfplay/group.h"

namespace gounki::play {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kSecondsAlone = 1.0;  // behind each group

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The planes of so many positions that self-play met, for asking the network without a search.
std::vector<float> planes_of(const selfplay::Shard& shard, int count) {
  std::vector<selfplay::Sample> samples;
  for (int i = 0; i < count; ++i)
    samples.push_back(shard.samples[static_cast<std::size_t>(i) % shard.samples.size()]);
  return selfplay::make_batch(samples, {}).planes;
}

struct Alone {
  double positions = 0, seconds = 0;

  // Asks for batches of all these positions for a while.
  void measure(const nn::ServedNetwork& network, const std::vector<float>& planes) {
    const int n = static_cast<int>(planes.size()) / nn::kInputSize;
    std::vector<float> policy(static_cast<std::size_t>(n) * Move::kIndices), wdl(static_cast<std::size_t>(n) * 3),
        plies(static_cast<std::size_t>(n));
    const auto begin = Clock::now();
    do {
      network.forward(planes.data(), n, policy.data(), wdl.data(), plies.data());
      positions += n;
    } while (seconds_since(begin) < kSecondsAlone);
    seconds += seconds_since(begin);
  }
  double rate() const { return positions / seconds; }
};

}  // namespace

void run_selfplay_bench(const SelfplayBenchOptions& options, bool json) {
  if (options.config.empty()) throw UsageError("bench selfplay: --config is missing, such as configs/laptop.toml");
  const selfplay::RunConfig config = selfplay::load_config(options.config);
  const nn::Checkpoint checkpoint =
      options.model.empty() ? nn::random_checkpoint(config.network, 1) : load_model(options.model);
  const std::shared_ptr<nn::ServedNetwork> network = nn::serve(checkpoint);
  nn::NetworkEvaluator evaluator(nn::serve(checkpoint), "bench");

  Console console;
  const std::atomic<int> no_stop{0};
  selfplay::GroupPlayer player(config);
  selfplay::PlayStats stats;
  Alone alone;
  const auto begin = Clock::now();
  for (std::int64_t group = 0; group == 0 || seconds_since(begin) < options.seconds; ++group) {
    console.progress(fmt::format("group {} of games on one core", group + 1));
    const auto played = player.play(group, evaluator, checkpoint.step, no_stop);
    stats += played->stats;
    // Behind each group, so that what else the machine does slows both alike.
    alone.measure(*network, planes_of(played->shard, config.selfplay.games_at_once));
  }
  const double counted = static_cast<double>(stats.evaluations) / alone.rate() / stats.seconds;
  if (json) {
    const Json out = {{"config", options.config},
                      {"network", fmt::format("{}x{}", checkpoint.network.blocks, checkpoint.network.channels)},
                      {"games", stats.games},
                      {"moves", stats.moves},
                      {"evaluations", stats.evaluations},
                      {"seconds", stats.seconds},
                      {"batch_fill", stats.batch_fill()},
                      {"cache_hit_share", stats.cache_hit_share()},
                      {"network_share", stats.network_share()},
                      {"network_alone", alone.rate()},
                      {"network_share_by_count", counted}};
    fmt::print("{}\n", out.dump());
    return;
  }
  fmt::print("{} games on one core in {}: {} moves/s, {} evaluations/s, batches {:.0f} % full{}\n", stats.games,
             duration_text(stats.seconds), count_text(static_cast<double>(stats.moves) / stats.seconds),
             count_text(static_cast<double>(stats.evaluations) / stats.seconds), 100 * stats.batch_fill(),
             cache_text(stats));
  fmt::print("the network alone, in batches of {}: {} positions/s\n", config.selfplay.games_at_once,
             count_text(alone.rate()));
  fmt::print("time in the network: {:.1f} % by self-play's own clock, {:.1f} % by so many positions alone\n",
             100 * stats.network_share(), 100 * counted);
}

}  // namespace gounki::play
