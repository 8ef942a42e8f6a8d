#include "mcts/crew.h"

#include <algorithm>
#include <thread>

namespace gounki::mcts {
namespace {

// A round of the fastest evaluators takes some dozen microseconds, to be woken takes longer. So who
// waits looks again and again for about as long, and sleeps then.
constexpr int kLooks = 4000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}


}  // namespace

// Bits 0-15: tasks taken. Bits 16-31: tasks. Bits 32-63: the round.
void Crew::Queue::open(std::uint32_t round, int capacity) {
  if (tasks_.size() < static_cast<std::size_t>(capacity))
    tasks_.resize(static_cast<std::size_t>(capacity));
  added_ = published_ = 0;
  state_.store(std::uint64_t{round} << 32, std::memory_order_release);
}

void Crew::Queue::add(int task) {
  tasks_[added_++] = task;
  if (added_ - published_ == kAtOnce) publish();
}

void Crew::Queue::publish() {
  if (added_ > published_) state_.fetch_add((added_ - published_) << 16, std::memory_order_release);
  published_ = added_;
}

bool Crew::Queue::take(std::vector<int>& out) {
  std::uint64_t now = state_.load(std::memory_order_acquire);
  for (;;) {
    const std::uint64_t taken = now & 0xFFFF, size = now >> 16 & 0xFFFF;
    if (taken == size) return false;
    const std::uint64_t end = taken + (size - taken + 1) / 2;
    if (!state_.compare_exchange_weak(now, now + (end - taken), std::memory_order_acq_rel)) continue;
    out.insert(out.end(), tasks_.begin() + static_cast<std::ptrdiff_t>(taken),
               tasks_.begin() + static_cast<std::ptrdiff_t>(end));
    return true;
  }
}

Crew::Crew(Search& search, Evaluator& evaluator, int workers, int batch)
    : search_(search), evaluator_(evaluator), workers_(workers), batch_(batch),
      buffers_(static_cast<std::size_t>(workers)), loads_(static_cast<std::size_t>(workers)),
      leader_share_(batch) {
  for (int i = 0; i < workers; ++i) queues_.push_back(std::make_unique<Queue>());
}

void Crew::run(const std::function<void()>& between_rounds) {
  const int workers = static_cast<int>(buffers_.size());
  if (workers == 1) return run_alone(between_rounds);
  over_ = failed_ = false;
  failure_ = nullptr;
  present_ = 0;
  workers_.run(workers, [&](int) {
    const int worker = present_.fetch_add(1);
    if (worker == 0) lead(between_rounds);
    else help(worker);
  });
  if (failure_) std::rethrow_exception(failure_);
}

void Crew::run_alone(const std::function<void()>& between_rounds) {
  Buffers& buffers = buffers_[0];
  while (!search_.done()) {
    between_rounds();
    buffers.leaves.clear();
    const int tasks = search_.plan_round(batch_);
    for (int task = 0; task < tasks; ++task) search_.walk_task(task, buffers.leaves, 0);
    if (tasks > 0) search_.apply_tasks(evaluate(buffers), 0);
    search_.finish_round();
  }
}

void Crew::lead(const std::function<void()>& between_rounds) {
  try {
    while (!search_.done() && !failed_) {
      between_rounds();
      open_round();
      const int tasks = search_.plan_round(batch_ * static_cast<int>(buffers_.size()),
                                           [this](int task) { deal(task); });
      for (const auto& queue : queues_) queue->publish();
      planned_.store(true, std::memory_order_release);
      signal();
      while (work(0)) {}
      // Who comes last had too much to do.
      const bool last = done_.load(std::memory_order_acquire) == tasks;
      leader_share_ = std::clamp(leader_share_ + (last ? -1 : 1), batch_ / 2, 2 * batch_ - 1);
      for (int looks = 0; done_.load(std::memory_order_acquire) < tasks; ++looks) {
        if (looks < kLooks) pause();
        else std::this_thread::yield();
      }
      if (!failed_) search_.finish_round();
    }
  } catch (...) {
    note_failure();
  }
  over_.store(true, std::memory_order_release);
  signal();
}

void Crew::note_failure() {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
  failed_ = true;
}

void Crew::signal() {
  signal_.fetch_add(1, std::memory_order_release);
  signal_.notify_all();
}

void Crew::open_round() {
  ++round_;
  done_.store(0, std::memory_order_relaxed);
  planned_.store(false, std::memory_order_relaxed);
  for (const auto& queue : queues_)
    queue->open(round_, batch_ * static_cast<int>(queues_.size()));
  std::fill(loads_.begin(), loads_.end(), 0);
  signal();
}

// The walks of a round that a worker is to have.
int Crew::share_of(std::size_t worker) const {
  if (worker == 0) return leader_share_;
  const int others = static_cast<int>(loads_.size()) - 1;
  return (batch_ * (others + 1) - leader_share_ + others - 1) / others;
}

// Gives a task to the worker of its place, unless that one has its share already.
void Crew::deal(int task) {
  const int walks = search_.task_walks(task);
  const auto left = [this](std::size_t worker) { return share_of(worker) - loads_[worker]; };
  std::size_t to = search_.task_place(task) % loads_.size();
  if (left(to) < walks)
    for (std::size_t other = 0; other < loads_.size(); ++other)
      if (left(other) > left(to)) to = other;
  loads_[to] += walks;
  queues_[to]->add(task);
}

void Crew::help(int worker) {
  while (!over_.load(std::memory_order_acquire)) {
    const std::uint32_t seen = signal_.load(std::memory_order_acquire);
    bool worked = false;
    for (int looks = 0; looks < kLooks && !worked && !over_; ++looks) {
      worked = work(worker);
      if (!worked) pause();
    }
    if (!worked && !over_) signal_.wait(seen, std::memory_order_acquire);
  }
}

bool Crew::take(int worker, bool from_others, std::vector<int>& out) {
  const std::size_t own = static_cast<std::size_t>(worker), n = queues_.size();
  for (std::size_t i = 0; i < (from_others ? n : 1); ++i)
    if (queues_[(own + i) % n]->take(out)) return true;
  return false;
}

// Does some of the tasks that wait; false when there are none. While others are still being dealt out
// each keeps to its own.
bool Crew::work(int worker) {
  Buffers& buffers = buffers_[static_cast<std::size_t>(worker)];
  buffers.leaves.clear();
  buffers.tasks.clear();
  std::size_t walked = 0;
  try {
    while (static_cast<int>(buffers.leaves.size()) < batch_) {
      const bool from_others = walked == 0 && planned_.load(std::memory_order_acquire);
      if (!take(worker, from_others, buffers.tasks)) break;
      for (; walked < buffers.tasks.size(); ++walked)
        search_.walk_task(buffers.tasks[walked], buffers.leaves, worker);
    }
    if (walked == 0) return false;
    if (!failed_) search_.apply_tasks(evaluate(buffers), worker);
  } catch (...) {
    note_failure();
  }
  done_.fetch_add(static_cast<int>(buffers.tasks.size()), std::memory_order_release);
  return true;
}

std::span<const Evaluation> Crew::evaluate(Buffers& buffers) {
  buffers.pointers.clear();
  for (const Leaf& leaf : buffers.leaves) buffers.pointers.push_back(&leaf);
  const std::size_t n = buffers.leaves.size();
  if (n == 0) return {};
  if (buffers.evaluations.size() < n) buffers.evaluations.resize(n);
  evaluator_.evaluate(buffers.pointers, std::span(buffers.evaluations).first(n));
  return std::span<const Evaluation>(buffers.evaluations).first(n);
}

}  // namespace gounki::mcts
