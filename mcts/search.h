// A Monte Carlo tree search over one game. It asks and never calls: `gather` walks down and hands out
// leaves, `apply` takes their evaluations and backs them up. Who holds many leaves makes the batch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/game.h"
#include "mcts/config.h"
#include "mcts/evaluator.h"

namespace gounki::mcts {

// What the search knows of one move of the root. Values are for the side to move at the root.
struct MoveStats {
  Move move;
  int visits = 0;
  MoverValue q;              // mean value of its visits; the root's value where it has none
  float prior = 0.0f;        // of the evaluator, without noise
  float policy = 0.0f;       // the search's improved policy: the training target; sums to 1
  bool proven = false;       // q is exact, a win, loss or draw of the rules
};

struct SearchResult {
  Move best;
  std::vector<MoveStats> moves;  // in the order of legal_moves()
  MoverValue value;              // of the root, after the search
  WinDrawLoss raw;               // the evaluator's word on the root
  float plies_left = -1.0f;      // the evaluator's, negative when it has no idea
  std::vector<Move> line;        // the best line, starting with `best`
  std::int64_t visits = 0;       // of the root in this search
  std::int64_t nodes = 0;        // in the tree
  int depth = 0;                 // of the deepest leaf of this search
};

class Search {
 public:
  explicit Search(const SearchConfig& config);
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  // Begins a search of the game's current position, which must not be over. Memory of the last tree
  // is kept for reuse. All randomness (root noise, choice of move) comes from `seed`.
  void start(const Game& game, std::uint64_t seed);

  // Walks down until `most` leaves want an evaluation, the visits are spent, or further walks would
  // collide with leaves under way. Appends the leaves to `out` (which the search does not keep) and
  // says how many. Walks that end in a finished game are backed up at once and count as visits.
  int gather(std::vector<Leaf>& out, int most);
  // The evaluations of the leaves of the last gather, in the same order.
  void apply(std::span<const Evaluation> evaluations);
  // All visits are spent (and no leaf is waiting).
  bool done() const;

  // With exploration left out; the move is chosen as the config says (temperature by ply).
  SearchResult result() const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

// Runs searches to their end in lock step: each hands out up to `leaves_each` leaves at a time, and
// the leaves of all make one batch.
void run_in_lock_step(std::span<Search*> searches, Evaluator& evaluator, int leaves_each = 1);

}  // namespace gounki::mcts
