// Workers that run one search together, round by round.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "mcts/evaluator.h"
#include "mcts/search.h"
#include "mcts/workers.h"

namespace gounki::mcts {

// One worker leads: it plans the rounds, works like the others, and ends each round when all its tasks
// are done. Tasks lie in one queue for each worker, by their place in the tree, so that a worker
// mostly meets what it has in its own cache; who is done takes from the others. Nobody waits for a
// worker that does not come.
class Crew {
 public:
  // A round has `batch` walks for each worker, which are evaluated at once.
  Crew(Search& search, Evaluator& evaluator, int workers, int batch);

  // Runs a search that was started until it is done. `between_rounds` is called by the leader. What
  // the evaluator throws is thrown here; the search can then only be started anew.
  void run(const std::function<void()>& between_rounds);

 private:
  // The tasks of one worker in one round. The number of the round, of the tasks so far, and of those
  // taken are one word, so that who comes late cannot take a task of another round.
  class alignas(128) Queue {
   public:
    // By the leader. Tasks that were added can be taken once they are published; some at a time, since
    // each publishing and each taking costs a trip between two cores.
    void open(std::uint32_t round, int capacity);
    void add(int task);
    void publish();
    // Appends half of the tasks that wait; says whether there were any.
    bool take(std::vector<int>& out);

   private:
    static constexpr std::uint64_t kAtOnce = 4;
    std::vector<int> tasks_;
    std::uint64_t added_ = 0, published_ = 0;
    alignas(128) std::atomic<std::uint64_t> state_ = 0;
  };
  struct alignas(128) Buffers {
    std::vector<int> tasks;
    std::vector<Leaf> leaves;
    std::vector<const Leaf*> pointers;
    std::vector<Evaluation> evaluations;
  };

  void run_alone(const std::function<void()>& between_rounds);
  void lead(const std::function<void()>& between_rounds);
  void help(int worker);
  void open_round();
  void deal(int task);
  int share_of(std::size_t worker) const;
  void signal();
  bool work(int worker);
  bool take(int worker, bool from_others, std::vector<int>& out);
  std::span<const Evaluation> evaluate(Buffers& buffers);
  void note_failure();

  Search& search_;
  Evaluator& evaluator_;
  Workers workers_;
  const int batch_;
  std::vector<std::unique_ptr<Queue>> queues_;
  std::vector<Buffers> buffers_;
  std::vector<int> loads_;  // walks dealt to each worker in the round
  int leader_share_;        // of them, how many the leader is to have, which plans besides
  std::uint32_t round_ = 0;

  // Changes when a round begins, when it is planned, and at the end.
  alignas(128) std::atomic<std::uint32_t> signal_ = 0;
  std::atomic<bool> planned_ = false, over_ = false, failed_ = false;
  std::atomic<int> present_ = 0;
  alignas(128) std::atomic<int> done_ = 0;  // tasks of the round
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace gounki::mcts
