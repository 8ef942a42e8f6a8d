// Many searches at once: who waits, who runs, and whose leaves make a batch together. It knows nothing
// of how positions are asked for or results are printed.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/game.h"
#include "mcts/evaluator.h"
#include "mcts/search.h"

namespace gounki::play {

struct AnalysisJob;

// What a job's owner hears. Partial may come any number of times, then one of the others once.
struct AnalysisNews {
  enum class Kind {
    Partial,  // it goes on
    Done,     // by its limits, a proof, or a termination after its first visit
    Nothing,  // terminated before it had found anything; there is no result
    Failed,   // there is no result, but an error
  };
  Kind kind;
  const AnalysisJob& job;
  const Game* game = nullptr;  // at the job's position; none before the search has begun
  const mcts::SearchResult* result = nullptr;
  std::string error = {};
};

// One position to be searched.
struct AnalysisJob {
  std::string id;  // of the query that it belongs to
  std::shared_ptr<const Game> game;
  int turn = 0;    // the position after so many of the game's moves; it is not over
  mcts::SearchConfig config;
  int batch = 1;   // leaves of this search that are evaluated at once
  mcts::Task task;
  std::uint64_t seed = 1;
  double seconds = 0.0;       // from the search's begin; 0 for no limit
  double report_every = 0.0;  // seconds between Partial news; 0 for none
  std::int64_t priority = 0;  // the highest begins first, of equals the one that came first
  std::shared_ptr<mcts::Evaluator> evaluator;
  // Called from the worker that runs the job, or from the thread that terminates it.
  std::function<void(const AnalysisNews&)> tell;
};

// Workers, each with a group of searches that run in lock step: in each round every search of a group
// hands out its leaves, and all of a group are evaluated as one batch. A search joins when another of
// the group has ended. With an evaluator that is true to its word (mcts/evaluator.h), what a search
// finds depends on its job alone, not on what else runs.
class AnalysisScheduler {
 public:
  struct Limits {
    int threads = 1;    // workers; not more than `parallel` are used
    int parallel = 16;  // searches that run at once
    int queue = 1000;   // jobs that wait
  };
  explicit AnalysisScheduler(const Limits& limits);
  // Terminates what is left.
  ~AnalysisScheduler();
  AnalysisScheduler(const AnalysisScheduler&) = delete;
  AnalysisScheduler& operator=(const AnalysisScheduler&) = delete;

  // Waits while the queue is full; the job comes to nothing when `stop` turns true meanwhile.
  void submit(AnalysisJob job, const std::atomic<bool>* stop = nullptr);
  // Ends all jobs of which `which` is true: those that wait before this returns, those that run within
  // the time of one batch. Says how many.
  int terminate(const std::function<bool(const AnalysisJob&)>& which);
  // Whether all jobs have ended and been told; waits for that, but not longer than so.
  bool wait(std::chrono::milliseconds most);

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    explicit Running(AnalysisJob taken) : job(std::move(taken)) {}

    AnalysisJob job;
    std::unique_ptr<Game> game;
    std::unique_ptr<mcts::Search> search;
    Clock::time_point begin, next_report;
    int tasks = 0;  // in the round under way
    std::size_t leaves = 0;
    std::atomic<bool> terminated = false;
    std::string error;
  };
  using Group = std::vector<std::unique_ptr<Running>>;
  struct Worker;

  void work(int number);
  bool join(Group& group, std::size_t room);
  static void begin(Running& running);
  static bool goes_on(Running& running);
  void leave(Group& group);

  const Limits limits_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  // By priority, the highest first, then by arrival.
  std::map<std::pair<std::int64_t, std::uint64_t>, AnalysisJob> queue_;
  std::uint64_t arrivals_ = 0;
  std::vector<Running*> running_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace gounki::play
