#include "mcts/engine.h"

#include <algorithm>
#include <chrono>

#include <unistd.h>

#include "mcts/workers.h"

namespace gounki::mcts {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

int worker_count(const EngineConfig& config) {
  return config.threads > 0 ? config.threads : core_count();
}

EngineConfig checked(const EngineConfig& config) {
  if (const auto result = config.check(); !result) throw UsageError(result.error().message);
  return config;
}

// How often a search looks at what it has found: for the pace, and for reports.
constexpr double kLook = 0.01;

double per_second(std::int64_t n, double seconds) {
  return seconds > 0.0 ? static_cast<double>(n) / seconds : 0.0;
}

// A search that nothing but a proof and a stop ends.
Task without_limits(Task task) {
  task.visits = task.nodes = Task::kEndless;
  return task;
}

}  // namespace

Expected<void> EngineConfig::check() const {
  if (const auto checked = SearchConfig::check(); !checked) return checked;
  if (memory_mb > 0 && cache_mb >= memory_mb)
    return fail("cache_mb: a cache of " + std::to_string(cache_mb) + " MB leaves nothing of the " +
                std::to_string(memory_mb) + " MB of memory_mb for the tree");
  return {};
}

SearchConfig EngineConfig::search() const {
  SearchConfig search = *this;
  if (memory_mb > 0) search.memory_mb = memory_mb - cache_mb;
  return search;
}

int half_of_memory_mb() {
  const auto pages = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES));
  const auto bytes = static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE)) * pages;
  return static_cast<int>(std::max<std::int64_t>(bytes >> 21, 64));
}

double Report::visits_per_second() const { return per_second(new_visits, seconds); }
double Report::evaluations_per_second() const { return per_second(evaluations, seconds); }

// One call of think or ponder.
struct Engine::Thinking {
  const Request& request;
  const Watch& watch;
  TimeBudget budget;  // most is 0 where time is no limit
  Pacer pacer;
  SteadyClock::time_point begin = SteadyClock::now();
  std::int64_t kept_visits = 0, evaluations_before = 0, lookups_before = 0, hits_before = 0;

  double next_look = kLook;
  double next_report;

  Thinking(const Request& request, const Watch& watch, const TimeBudget& budget)
      : request(request), watch(watch), budget(budget), pacer(budget),
        next_report(watch.every_seconds) {}
  bool limits_time() const {
    return !request.endless && (budget.most > 0.0 || request.clock.has_value());
  }
};

Engine::Engine(const EngineConfig& config, std::shared_ptr<Evaluator> evaluator)
    : config_(checked(config)),
      counting_(std::make_shared<CountingEvaluator>(std::move(evaluator))),
      cache_(config.cache_mb > 0 ? std::make_shared<CachingEvaluator>(counting_, config.cache_mb)
                                 : nullptr),
      evaluator_(cache_ ? static_cast<Evaluator&>(*cache_) : *counting_),
      search_(config_.search(), worker_count(config_)),
      crew_(search_, evaluator_, worker_count(config_), config_.batch) {}

Engine::~Engine() {
  ponder_stop_ = true;
  if (ponder_thread_.joinable()) ponder_thread_.join();
}

Report Engine::think(const Game& game, std::uint64_t seed, const Request& request,
                     const Watch& watch) {
  stop_pondering();
  TimeBudget budget;
  const double seconds = request.seconds > 0.0 ? request.seconds : config_.movetime / 1000.0;
  if (seconds > 0.0) budget = fixed_time(seconds);
  if (request.clock) {
    const TimeBudget clock = time_budget(*request.clock, game.position().ply(),
                                         config_.overhead / 1000.0);
    if (budget.most == 0.0 || clock.most < budget.most) budget = clock;
  }
  Thinking thinking(request, watch, budget);

  Task task = request.endless ? without_limits(request.task) : request.task;
  if (thinking.limits_time() && task.visits == 0) task.visits = Task::kEndless;
  // A clock is not spent on a move that has no alternative.
  if (request.clock && !request.endless && game.legal_moves().size() == 1) task.visits = 1;
  if (config_.reuse) thinking.kept_visits = search_.resume(game, seed, task);
  else search_.start(game, seed, task);
  run(thinking);
  return report(thinking, seconds_since(thinking.begin), request.lines);
}

void Engine::run(Thinking& thinking) {
  thinking.evaluations_before = counting_->positions();
  if (cache_) {
    thinking.lookups_before = cache_->lookups();
    thinking.hits_before = cache_->hits();
  }
  crew_.run([&] { watch(thinking, seconds_since(thinking.begin)); });
}

// Stops the search when it is time, and reports on it.
void Engine::watch(Thinking& thinking, double seconds) {
  if (thinking.request.stop != nullptr && thinking.request.stop->load(std::memory_order_relaxed))
    return search_.stop();
  if (thinking.limits_time() && seconds >= thinking.budget.most) return search_.stop();
  if (seconds < thinking.next_look) return;
  thinking.next_look = seconds + kLook;

  if (thinking.limits_time()) {
    const SearchProgress progress = search_.progress();
    const Snapshot now{seconds, progress.visits - thinking.kept_visits, progress.best_by_visits,
                       progress.best_by_value, progress.best_visits, progress.second_visits};
    if (thinking.pacer.should_stop(now)) return search_.stop();
  }
  if (thinking.watch.report && seconds >= thinking.next_report) {
    thinking.next_report = seconds + thinking.watch.every_seconds;
    thinking.watch.report(report(thinking, seconds, thinking.request.lines));
  }
}

Report Engine::report(const Thinking& thinking, double seconds, int lines) const {
  Report out;
  out.result = search_.result(lines);
  out.seconds = seconds;
  out.new_visits = std::max<std::int64_t>(0, out.result.visits - thinking.kept_visits);
  out.evaluations = counting_->positions() - thinking.evaluations_before;
  out.bytes = out.result.bytes;
  if (cache_) {
    out.lookups = cache_->lookups() - thinking.lookups_before;
    out.cache_hits = cache_->hits() - thinking.hits_before;
    out.bytes += cache_->bytes_held();
  }
  return out;
}

void Engine::ponder(const Game& game) {
  stop_pondering();
  if (game.is_over()) return;
  ponder_stop_ = false;
  ponder_thread_ = std::thread([this, game] {
    try {
      Request request;
      request.stop = &ponder_stop_;
      const Watch silent;
      Thinking thinking(request, silent, {});
      search_.resume(game, 0, without_limits({}));
      run(thinking);
    } catch (...) {
      ponder_failure_ = std::current_exception();
    }
  });
}

void Engine::stop_pondering() {
  ponder_stop_ = true;
  if (ponder_thread_.joinable()) ponder_thread_.join();
  if (ponder_failure_) std::rethrow_exception(std::exchange(ponder_failure_, nullptr));
}

void Engine::forget() {
  stop_pondering();
  search_ = Search(config_.search(), worker_count(config_));
  if (cache_) cache_->clear();
}

}  // namespace gounki::mcts
