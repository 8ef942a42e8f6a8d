#include "selfplay/learn.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "selfplay/learning.h"
#include "selfplay/window.h"

namespace gounki::selfplay {
namespace {

constexpr auto kWait = std::chrono::milliseconds(500);

}  // namespace

LearnSummary learn(const std::filesystem::path& path, const std::optional<RunConfig>& given,
                   const LearnRequest& request, nn::Backend& backend, const Events& events,
                   const std::atomic<int>& stop) {
  const RunFolder run(path);
  const RunConfig config = effective_config(run, given);
  ShardSource source =
      request.samples.empty() ? ShardSource(run) : ShardSource::in_folder(request.samples);
  prepare(run, config);
  const FileLock lock = run.lock_learner();
  run.tidy();

  const int threads = request.threads > 0 ? request.threads : thread_count(config);
  RunLearner learner(run, config, backend, threads, events);
  ReplayWindow window(std::move(source), config.replay, static_cast<std::uint64_t>(config.run.seed),
                      events.damaged);
  const std::int64_t first = learner.steps();
  if (!learner.restored()) learner.save_checkpoint();
  tell(events.started, Started{path, backend.description(), threads, learner.restored(),
                               learner.iteration, first, 0});

  for (;;) {
    window.refresh();
    if (window.total_rows() < config.replay.rows_to_start && !request.follow)
      throw Failure("too few rows to learn from: " + window.state_text() +
                    (request.samples.empty() ? "; play more games first" : "; add more"));
    std::int64_t target = steps_allowed(config.replay, config.learner.batch, window.total_rows());
    if (request.steps > 0) target = std::min(target, first + request.steps);
    const bool taken = learner.learn_until(target, window, stop).steps > 0;
    if (stop.load() >= kStopAtOnce) break;
    if (taken) {
      learner.save_checkpoint();
      learner.play_step = learner.steps();
      learner.save_state();
    }
    const bool enough = request.steps > 0 && learner.steps() >= first + request.steps;
    if (!request.follow || enough || stop.load() != kGoOn) break;
    if (!taken) std::this_thread::sleep_for(kWait);
  }
  return {learner.steps(), learner.steps() - first, window.total_rows(), window.damaged_shards(),
          measure_quality(*backend.serve(learner.learner().checkpoint()), window.held_out(kQualityRows))};
}

}  // namespace gounki::selfplay
