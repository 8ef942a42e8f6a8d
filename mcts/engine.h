// A search that runs by itself: with workers, a clock, a cache, and pondering. Whoever wants one move
// for one position, and not many games in lock step, uses this.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "mcts/cache.h"
#include "mcts/config.h"
#include "mcts/crew.h"
#include "mcts/evaluators.h"
#include "mcts/search.h"
#include "mcts/time_budget.h"

namespace gounki::mcts {

// The parameters of a search and of the machine that it may use. `memory_mb` is for tree and cache
// together.
struct EngineConfig : SearchConfig {
  int threads = 1;
  int batch = 1;
  int movetime = 0;
  int overhead = 10;
  int cache_mb = 0;
  bool reuse = true;

  Expected<void> check() const;
  // The search's part, with what the cache leaves of the memory.
  SearchConfig search() const;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = EngineConfig;
    SearchConfig::describe(visit);
    visit("threads", &C::threads, Range{0, 1024},
          "Workers on one position; 0 for as many as there are cores.");
    visit("batch", &C::batch, Range{1, 1024},
          "Leaves that each worker has evaluated at once, which are thus chosen without knowing of each "
          "other: many for a GPU or the fastest search, few for the best use of each visit.");
    visit("movetime", &C::movetime, Range{0, 86'400'000},
          "Milliseconds for each move; 0 for no limit. The visits are then no limit unless given too.");
    visit("overhead", &C::overhead, Range{0, 10'000},
          "Milliseconds that a move costs on a clock beside the search.");
    visit("cache_mb", &C::cache_mb, Range{0, 1e6},
          "Megabytes in which evaluations are remembered; 0 for none.");
    visit("reuse", &C::reuse, Range{},
          "Go on with the tree of the last search if the game went on from it (PUCT).");
  }
};

// Megabytes: a memory_mb for a search that no number of visits limits.
int half_of_memory_mb();

// What to think about, and until when: whatever comes first.
struct Request {
  Task task;
  std::optional<Clock> clock;  // of the side to move
  double seconds = 0.0;        // for this move; 0 takes the config's movetime
  bool endless = false;        // no limit but a proof, `stop` and two billion visits
  int lines = 1;
  // When it turns true, the search ends within the time of one batch, with what it knows.
  const std::atomic<bool>* stop = nullptr;
};

struct Report {
  SearchResult result;
  double seconds = 0.0;
  std::int64_t new_visits = 0;   // without those of a tree that was kept
  std::int64_t evaluations = 0;  // that the evaluator made
  std::int64_t lookups = 0, cache_hits = 0;
  std::size_t bytes = 0;         // memory of tree and cache

  double visits_per_second() const;
  double evaluations_per_second() const;
};

// Called between two rounds of the search, which waits.
struct Watch {
  double every_seconds = 1.0;
  std::function<void(const Report&)> report = {};
};

class Engine {
 public:
  // Throws a UsageError when the config does not pass its check().
  Engine(const EngineConfig& config, std::shared_ptr<Evaluator> evaluator);
  // Ends pondering.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Searches the game's position, which must not be over, until a limit is reached. Ends pondering
  // first, and goes on with its tree. What the evaluator throws, also while pondering, is thrown here.
  Report think(const Game& game, std::uint64_t seed, const Request& request = {},
               const Watch& watch = {});

  // Searches the position in which the opponent is to move until think(), ponder() or stop_pondering()
  // is called; returns at once. Useless for a Gumbel search, which keeps no tree.
  void ponder(const Game& game);
  void stop_pondering();
  // Forgets tree and cache: for a new game, or when the evaluator has changed.
  void forget();

  const EngineConfig& config() const { return config_; }

 private:
  struct Thinking;
  void run(Thinking& thinking);
  void watch(Thinking& thinking, double seconds);
  Report report(const Thinking& thinking, double seconds, int lines) const;

  EngineConfig config_;
  std::shared_ptr<CountingEvaluator> counting_;
  std::shared_ptr<CachingEvaluator> cache_;  // none where it has no memory
  Evaluator& evaluator_;
  Search search_;
  Crew crew_;

  std::thread ponder_thread_;
  std::atomic<bool> ponder_stop_ = false;
  std::exception_ptr ponder_failure_;
};

}  // namespace gounki::mcts
