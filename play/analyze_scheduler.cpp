#include "play/analyze_scheduler.h"

#include <algorithm>
#include <exception>
#include <span>

namespace gounki::play {
namespace {

using Kind = AnalysisNews::Kind;

double seconds_of(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::chrono::steady_clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

// The game as it stood after so many moves.
Game game_at(const Game& whole, int turn) {
  Game game(whole.positions().front(), whole.rules());
  for (int i = 0; i < turn; ++i) game.play(whole.moves()[static_cast<std::size_t>(i)]);
  return game;
}

bool has_found_something(const mcts::SearchResult& result) {
  return result.visits > 0 || result.proven;
}

int workers_for(const AnalysisScheduler::Limits& limits) {
  return std::clamp(limits.threads, 1, std::max(limits.parallel, 1));
}

}  // namespace

// What one worker uses in each round.
struct AnalysisScheduler::Worker {
  std::vector<mcts::Leaf> leaves;
  std::vector<const mcts::Leaf*> pointers;
  std::vector<mcts::Evaluation> evaluations;

  // One round of the searches that `evaluator` answers. An evaluator that throws fails all of them,
  // a search that does not take its answer itself.
  void round(std::span<Running* const> searches, mcts::Evaluator& evaluator) {
    leaves.clear();
    for (Running* running : searches) gather(*running);
    try {
      evaluate(evaluator);
    } catch (const std::exception& error) {
      for (Running* running : searches) running->error = error.what();
      return;
    }
    std::span<const mcts::Evaluation> left = std::span(evaluations).first(leaves.size());
    for (Running* running : searches) {
      if (running->error.empty()) apply(*running, left.first(running->leaves));
      left = left.subspan(running->leaves);
    }
  }

 private:
  void gather(Running& running) {
    const std::size_t before = leaves.size();
    try {
      running.tasks = running.search->plan_round(running.job.batch);
      for (int task = 0; task < running.tasks; ++task) running.search->walk_task(task, leaves, 0);
    } catch (const std::exception& error) {  // no memory is left
      running.error = error.what();
      leaves.resize(before);
    }
    running.leaves = leaves.size() - before;
  }
  void evaluate(mcts::Evaluator& evaluator) {
    pointers.clear();
    for (const mcts::Leaf& leaf : leaves) pointers.push_back(&leaf);
    if (evaluations.size() < leaves.size()) evaluations.resize(leaves.size());
    if (!leaves.empty()) evaluator.evaluate(pointers, std::span(evaluations).first(leaves.size()));
  }
  static void apply(Running& running, std::span<const mcts::Evaluation> answers) {
    try {
      if (running.tasks > 0) running.search->apply_tasks(answers, 0);
      running.search->finish_round();
    } catch (const std::exception& error) {
      running.error = error.what();
    }
  }
};

AnalysisScheduler::AnalysisScheduler(const Limits& limits) : limits_(limits) {
  for (int i = 0; i < workers_for(limits_); ++i) threads_.emplace_back([this, i] { work(i); });
}

AnalysisScheduler::~AnalysisScheduler() {
  terminate([](const AnalysisJob&) { return true; });
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void AnalysisScheduler::submit(AnalysisJob job, const std::atomic<bool>* stop) {
  constexpr auto kLook = std::chrono::milliseconds(50);  // nobody wakes us when `stop` is set
  std::unique_lock lock(mutex_);
  while (queue_.size() >= static_cast<std::size_t>(std::max(limits_.queue, 1))) {
    if (stop != nullptr && *stop) {
      lock.unlock();
      job.tell({Kind::Nothing, job});
      return;
    }
    changed_.wait_for(lock, kLook);
  }
  const std::pair key{-job.priority, arrivals_++};
  queue_.emplace(key, std::move(job));
  lock.unlock();
  changed_.notify_all();
}

int AnalysisScheduler::terminate(const std::function<bool(const AnalysisJob&)>& which) {
  std::vector<AnalysisJob> ended;
  int count = 0;
  {
    const std::lock_guard lock(mutex_);
    for (auto it = queue_.begin(); it != queue_.end();) {
      if (!which(it->second)) {
        ++it;
        continue;
      }
      ended.push_back(std::move(it->second));
      it = queue_.erase(it);
    }
    for (Running* running : running_)
      if (which(running->job) && !running->terminated.exchange(true)) ++count;
  }
  changed_.notify_all();
  for (const AnalysisJob& job : ended) job.tell({Kind::Nothing, job});
  return count + static_cast<int>(ended.size());
}

bool AnalysisScheduler::wait(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, most, [this] { return queue_.empty() && running_.empty(); });
}

void AnalysisScheduler::work(int number) {
  const int workers = workers_for(limits_);
  const int rest = number < limits_.parallel % workers ? 1 : 0;
  const auto room = static_cast<std::size_t>(std::max(1, limits_.parallel / workers + rest));
  Worker worker;
  Group group;
  std::vector<mcts::Evaluator*> evaluators;
  std::vector<Running*> together;
  while (join(group, room)) {
    evaluators.clear();
    for (const auto& running : group)
      if (running->error.empty() &&
          std::find(evaluators.begin(), evaluators.end(), running->job.evaluator.get()) ==
              evaluators.end())
        evaluators.push_back(running->job.evaluator.get());
    for (mcts::Evaluator* evaluator : evaluators) {
      together.clear();
      for (const auto& running : group)
        if (running->error.empty() && running->job.evaluator.get() == evaluator)
          together.push_back(running.get());
      worker.round(together, *evaluator);
    }
    leave(group);
  }
}

// Fills the group with jobs that wait, as long as that is this worker's share of all the work. False
// when the group is empty and will stay so.
bool AnalysisScheduler::join(Group& group, std::size_t room) {
  const std::size_t before = group.size();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closing_ || !group.empty() || !queue_.empty(); });
    const auto workers = static_cast<std::size_t>(workers_for(limits_));
    const std::size_t all = running_.size() + queue_.size();
    const std::size_t share = std::min(room, (all + workers - 1) / workers);
    while (group.size() < share && !queue_.empty()) {
      group.push_back(std::make_unique<Running>(std::move(queue_.begin()->second)));
      queue_.erase(queue_.begin());
      running_.push_back(group.back().get());
    }
  }
  if (group.size() > before) changed_.notify_all();  // the queue has room
  for (std::size_t i = before; i < group.size(); ++i) begin(*group[i]);
  return !group.empty();
}

void AnalysisScheduler::begin(Running& running) {
  const AnalysisJob& job = running.job;
  running.begin = Clock::now();
  running.next_report = running.begin + duration_of(job.report_every);
  try {
    running.game = std::make_unique<Game>(game_at(*job.game, job.turn));
    running.search = std::make_unique<mcts::Search>(job.config);
    running.search->start(*running.game, job.seed, job.task);
  } catch (const std::exception& error) {
    running.error = error.what();
  }
}

// Tells what is to be told after a round. False when it was the last.
bool AnalysisScheduler::goes_on(Running& running) {
  const AnalysisJob& job = running.job;
  AnalysisNews news{Kind::Failed, job, running.game.get()};
  if (!running.error.empty()) {
    news.error = running.error;
    job.tell(news);
    return false;
  }
  const auto now = Clock::now();
  const bool stops = running.search->done() || running.terminated;
  const bool late = job.seconds > 0.0 && seconds_of(now - running.begin) >= job.seconds;
  const bool reports = job.report_every > 0.0 && now >= running.next_report;
  if (!stops && !late && !reports) return true;

  const mcts::SearchResult result = running.search->result(MoveList::kCapacity);
  const bool found = has_found_something(result);
  const bool ends = stops || (late && found);  // time leaves at least the first visit
  running.next_report = now + duration_of(job.report_every);
  if (!ends && !found) return true;
  news.kind = !ends ? Kind::Partial : found ? Kind::Done : Kind::Nothing;
  if (found) news.result = &result;
  job.tell(news);
  return !ends;
}

void AnalysisScheduler::leave(Group& group) {
  std::vector<Running*> ended;
  for (const auto& running : group)
    if (!goes_on(*running)) ended.push_back(running.get());
  if (ended.empty()) return;
  const auto has_ended = [&](const Running* running) {
    return std::find(ended.begin(), ended.end(), running) != ended.end();
  };
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(running_, has_ended);
  }
  changed_.notify_all();
  std::erase_if(group, [&](const auto& running) { return has_ended(running.get()); });
}

}  // namespace gounki::play
