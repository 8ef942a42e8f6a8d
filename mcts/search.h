// A Monte Carlo tree search over one game. It asks and never calls: `gather` walks down and hands
// out leaves, `apply` takes their evaluations and backs them up. Who holds many leaves makes the
// batch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/game.h"
#include "mcts/config.h"
#include "mcts/evaluator.h"
#include "mcts/proof.h"

namespace gounki::mcts {

// What a search is asked for beyond its config.
struct Task {
  std::int64_t visits = 0;  // in place of the config's; 0 takes the config's
  std::int64_t nodes = 0;   // likewise
  // The moves that may be played at the root, in any order; none stands for all. What is said to be
  // proven is then so if no other move is played.
  std::vector<Move> moves;

  // Whether the config's root noise is wanted.
  bool noise = true;

  // For a search that something else ends; a move's visits are counted in 32 bits.
  static constexpr std::int64_t kEndless = 2'000'000'000;
};

// What the search knows of one move of the root. Values are for the side to move at the root.
struct MoveStats {
  Move move;
  int visits = 0;
  MoverValue q;              // mean value of its visits; an estimate where it has none
  MoverValue lower_bound;    // of q, by the config's standard errors; -1 where it has no visits
  float prior = 0.0f;        // of the evaluator, without noise
  float policy = 0.0f;       // the search's improved policy: the training target; they sum to 1
  bool proven = false;       // q is exact, a win, loss or draw of the rules
  int plies = 0;             // where proven: the game ends within so many plies, this one the first
};

struct SearchResult {
  Move best;
  std::vector<MoveStats> moves;  // those that may be played, in the order of legal_moves()
  std::vector<int> ranking;      // their numbers: `best`, then the others, best first
  MoverValue value;              // of the root, after the search
  WinDrawLoss raw;               // the evaluator's word on the root
  float plies_left = -1.0f;      // the evaluator's, negative when it has no idea
  // The best lines of play, each starting with another move of the ranking.
  std::vector<std::vector<Move>> lines;
  std::int64_t visits = 0;       // of the root's moves; the evaluation of the root is none
  std::int64_t nodes = 0;        // in the tree
  int depth = 0;                 // mean length of this search's walks, rounded
  int seldepth = 0;              // of the longest
  std::size_t bytes = 0;         // memory that the search holds for its tree
  bool full = false;             // memory_mb was reached
  bool proven = false;           // value is exact
  int plies = 0;                 // where proven: the game ends within so many plies

  const std::vector<Move>& line() const { return lines.front(); }
  Proof proof() const {
    if (!proven) return {};
    return value.v > 0 ? Proof::win(plies) : value.v < 0 ? Proof::loss(plies) : Proof::draw(plies);
  }
};

// How a search stands, for those who watch its time.
struct SearchProgress {
  std::int64_t visits = 0;
  // By value among the moves with at least a tenth of the best one's visits.
  Move best_by_visits, best_by_value;
  std::int64_t best_visits = 0, second_visits = 0;
};

struct SearchState;

class Search {
 public:
  // Rounds (below) of more than one worker are split between so many. Throws a UsageError when the
  // config does not pass its check().
  explicit Search(const SearchConfig& config, int workers = 1);
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  // Begins a search of the game's current position, which must not be over. Memory of the last tree
  // is kept for reuse. All randomness (root noise, choice of move) comes from `seed`. Throws a
  // UsageError when the task names a move that is not legal.
  void start(const Game& game, std::uint64_t seed, const Task& task = {});
  // The same, but goes on with what the tree knows if the game is the one searched last, or that one
  // after another move or two. Says how many visits were kept; they count towards the limit. A Gumbel
  // search keeps nothing: its halving is planned for moves that have no visits.
  std::int64_t resume(const Game& game, std::uint64_t seed, const Task& task = {});

  // For one worker. Walks down up to `most` times (fewer while the root has few visits, since walks that
  // go together know nothing of each other) and appends the leaves that want an evaluation to `out`
  // (which the search does not keep). Says how many: 0 only when leaves of an earlier call wait for
  // apply, or the search is done. Walks that end in a result of the rules are backed up and count as
  // visits.
  int gather(std::vector<Leaf>& out, int most);
  // The evaluations of the leaves of the last gather, in the same order. Throws a Failure when one
  // is no number or its priors are no distribution; the search can then only be started anew.
  void apply(std::span<const Evaluation> evaluations);

  // For several workers. plan_round sends up to so many walks down the first part of their ways and
  // says how many tasks are left, which may be none; `ready` hears of each as soon as it may be walked.
  // Each task is walked by one worker, whichever it is, and workers may do so at the same time, also
  // while the round is still planned (then not as worker 0). A worker hands over the evaluations of
  // all its leaves since its last call of apply_tasks, also when it has found none. When all tasks are
  // applied, finish_round ends the round. The same walks a round give the same tree, whatever worker
  // did what (but where memory ends), so a search is as reproducible with many workers as with one.
  int plan_round(int walks, const std::function<void(int)>& ready = {});
  void walk_task(int task, std::vector<Leaf>& out, int worker);
  void apply_tasks(std::span<const Evaluation> evaluations, int worker);
  void finish_round();
  // Of a task of the round: its walks, and a number that stays the same for a place in the tree.
  int task_walks(int task) const;
  std::uint32_t task_place(int task) const;

  // No round is under way, and the visits or nodes are spent, the search was stopped, or the result of
  // the position is proven.
  bool done() const;
  // No further round begins. May be called from any thread.
  void stop();

  // With exploration left out; the move is chosen as the config says (temperature by ply). `lines` is
  // how many lines of play are wanted. May be asked for at any time after start but while workers are
  // busy, and changes nothing.
  SearchResult result(int lines = 1) const;
  SearchProgress progress() const;

  // Every node of the tree on a line of its own, for tests and for those who wonder: the move, its
  // visits, value (for the side that makes it), prior, and what is proven.
  std::string tree_text() const;
  // Memory that the search holds for its tree, used or kept for the next one.
  std::size_t bytes_held() const;

 private:
  std::unique_ptr<SearchState> state_;
};

// Runs started searches to their end in lock step: each hands out up to `leaves_each` leaves at a
// time, and the leaves of all make one batch.
void run_in_lock_step(std::span<Search* const> searches, Evaluator& evaluator, int leaves_each = 1);

}  // namespace gounki::mcts
