// A Monte Carlo tree search over one game. It asks and never calls: `gather` walks down and hands
// out leaves, `apply` takes their evaluations and backs them up. Who holds many leaves makes the
// batch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/game.h"
#include "mcts/config.h"
#include "mcts/evaluator.h"

namespace gounki::mcts {

// What the search knows of one move of the root. Values are for the side to move at the root.
struct MoveStats {
  Move move;
  int visits = 0;
  MoverValue q;              // mean value of its visits; an estimate where it has none
  float prior = 0.0f;        // of the evaluator, without noise
  float policy = 0.0f;       // the search's improved policy: the training target; they sum to 1
  bool proven = false;       // q is exact, a win, loss or draw of the rules
  int plies = 0;             // where proven: the game ends within so many plies, this one the first
};

struct SearchResult {
  Move best;
  std::vector<MoveStats> moves;  // in the order of legal_moves()
  MoverValue value;              // of the root, after the search
  WinDrawLoss raw;               // the evaluator's word on the root
  float plies_left = -1.0f;      // the evaluator's, negative when it has no idea
  std::vector<Move> line;        // the best line, starting with `best`
  std::int64_t visits = 0;       // simulations; the evaluation of the root is none
  std::int64_t nodes = 0;        // in the tree
  int depth = 0;                 // of the deepest leaf of this search
  bool proven = false;           // value is exact
  int plies = 0;                 // where proven: the game ends within so many plies
};

class SearchState;

class Search {
 public:
  // Throws a UsageError when the config does not pass its check().
  explicit Search(const SearchConfig& config);
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  // Begins a search of the game's current position, which must not be over. Memory of the last tree
  // is kept for reuse. All randomness (root noise, choice of move) comes from `seed`.
  void start(const Game& game, std::uint64_t seed);

  // Walks down until `most` leaves want an evaluation, the visits are spent, or further walks would
  // collide with leaves under way. Appends the leaves to `out` (which the search does not keep) and
  // says how many: 0 only when leaves of an earlier call wait for apply, or the search is done.
  // Walks that end in a result of the rules are backed up at once and count as visits.
  int gather(std::vector<Leaf>& out, int most);
  // The evaluations of the leaves of the last gather, in the same order. Throws a Failure when one
  // is no number or its priors are no distribution.
  void apply(std::span<const Evaluation> evaluations);
  // No leaf is waiting, and all visits are spent or the result of the position is proven.
  bool done() const;

  // With exploration left out; the move is chosen as the config says (temperature by ply). May be
  // asked for at any time after start, and changes nothing.
  SearchResult result() const;

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
