#include "selfplay/play_games.h"

#include <chrono>
#include <exception>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "mcts/workers.h"
#include "core/files.h"
#include "selfplay/learning.h"

namespace gounki::selfplay {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kWait = std::chrono::milliseconds(100);

void write_group(const RunFolder& run, const Group& group) {
  write_file_atomically(run.shard_path(group.number), to_bytes(group.shard));
  write_file_atomically(run.record_path(group.number), records_text(group));
}

// The threads' common state; each method but `work` is called with the mutex held.
class GroupWorkers {
 public:
  GroupWorkers(const RunFolder& run, const RunConfig& config,
               const std::function<std::optional<ClaimedGroup>()>& next, int groups,
               const Events& events, const std::atomic<int>& stop)
      : run_(run), config_(config), next_(next), groups_(groups), events_(events), stop_(stop) {}

  PlayTotals run(int threads) {
    mcts::run_workers(threads, threads, [this](int) { work(); });
    if (failure_) std::rethrow_exception(failure_);
    totals_.seconds = seconds();
    return totals_;
  }

 private:
  void work() {
    try {
      GroupPlayer player(config_);
      while (auto claimed = take()) {
        auto group = player.play(claimed->number, *claimed->network.evaluator,
                                 claimed->network.step, stop_);
        if (!group) return claimed->claim.remove();
        write_group(run_, *group);
        claimed->claim.remove();
        report(*group);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  std::optional<ClaimedGroup> take() {
    const std::lock_guard lock(mutex_);
    if (failure_ || stop_.load() >= kFinishGames) return std::nullopt;
    return next_();
  }

  void report(const Group& group) {
    const std::lock_guard lock(mutex_);
    totals_.stats += group.stats;
    GroupFinished event;
    event.group = group.number;
    event.stats = group.stats;
    event.total = totals_.stats;
    event.seconds = seconds();
    event.groups_done = ++done_;
    event.groups = groups_;
    tell(events_.group_finished, event);
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  const RunFolder& run_;
  const RunConfig& config_;
  const std::function<std::optional<ClaimedGroup>()>& next_;
  const int groups_;
  const Events& events_;
  const std::atomic<int>& stop_;
  const Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;
  std::exception_ptr failure_;
  PlayTotals totals_;
  int done_ = 0;
};

// Makes the checkpoint that a run begins with, unless a learner does.
void ensure_first_checkpoint(const RunFolder& run, const RunConfig& config, nn::Backend& backend,
                             int threads, const std::atomic<int>& stop) {
  while (nn::checkpoints(run.path()).empty() && stop.load() == kGoOn) {
    if (auto lock = run.try_lock_learner(); lock && nn::checkpoints(run.path()).empty())
      save_checkpoint(run, config, *first_learner(backend, config, threads));
    else
      std::this_thread::sleep_for(kWait);
  }
}

}  // namespace

int playing_threads(const nn::Backend& backend, int cores) { return backend.gpus() > 0 ? 2 * cores : cores; }

PlayTotals play_claimed_groups(const RunFolder& run, const RunConfig& config, int threads,
                               const std::function<std::optional<ClaimedGroup>()>& next, int groups,
                               const Events& events, const std::atomic<int>& stop) {
  return GroupWorkers(run, config, next, groups, events, stop).run(threads);
}

PlayTotals play_groups(const RunFolder& run, const RunConfig& config, int threads,
                       std::int64_t first, std::int64_t end, const PlayingNetwork& network,
                       const Events& events, const std::atomic<int>& stop) {
  PlayTotals totals;
  std::set<std::int64_t> missing;
  for (std::int64_t group = first; group < end; ++group)
    if (!run.has_group(group)) missing.insert(group);
  const auto groups = static_cast<int>(missing.size());

  while (!missing.empty() && stop.load() == kGoOn) {
    auto candidate = missing.begin();
    const auto next = [&]() -> std::optional<ClaimedGroup> {
      for (; candidate != missing.end(); ++candidate)
        if (auto claim = run.claim_group(*candidate))
          return ClaimedGroup{*candidate++, std::move(*claim), network};
      return std::nullopt;
    };
    const PlayTotals round = play_claimed_groups(run, config, threads, next, groups, events, stop);
    totals.stats += round.stats;
    totals.seconds += round.seconds;
    std::erase_if(missing, [&](std::int64_t group) { return run.has_group(group); });
    if (!missing.empty() && stop.load() == kGoOn) std::this_thread::sleep_for(kWait);
  }
  return totals;
}

PlayTotals play_games(const std::filesystem::path& path, const std::optional<RunConfig>& given,
                      const PlayRequest& request, nn::Backend& backend, const Events& events,
                      const std::atomic<int>& stop) {
  const RunFolder run(path);
  const RunConfig config = effective_config(run, given);
  prepare(run, config);
  const int cores = request.threads > 0 ? request.threads : thread_count(config);
  ensure_first_checkpoint(run, config, backend, cores, stop);

  const int threads = playing_threads(backend, cores);
  Started started{path, backend.description(), threads, false, 0, 0, 0};
  started.games = static_cast<std::int64_t>(run.groups().size()) * config.selfplay.games_per_group;
  started.resumed = started.games > 0;
  tell(events.started, started);

  NewestNetwork newest(run, backend, events);
  std::int64_t taken = 0, candidate = 0;
  const auto next = [&]() -> std::optional<ClaimedGroup> {
    if (request.groups > 0 && taken == request.groups) return std::nullopt;
    for (;; ++candidate)
      if (auto claim = run.claim_group(candidate)) {
        ++taken;
        return ClaimedGroup{candidate++, std::move(*claim), newest.get()};
      }
  };
  return play_claimed_groups(run, config, threads, next, static_cast<int>(request.groups), events,
                             stop);
}

}  // namespace gounki::selfplay
