// How long to think about a move: what a clock allows, and when a search that is under way has seen
// enough. Nothing here reads a clock; all times come in as seconds.
#pragma once

#include <cstdint>
#include <optional>

#include "core/move.h"

namespace gounki::mcts {

// The clock of the side to move, in seconds.
struct Clock {
  double left = 0.0;       // the increment for the last move is in it already
  double increment = 0.0;  // added after each move
  int moves_to_go = 0;     // until more time is added; 0 when the game must end within `left`
};

// Seconds for one move, from 0 to `most`.
struct TimeBudget {
  double aim = 0.0;   // where the search normally ends
  double most = 0.0;  // what it never passes
};

// A budget of a clock: aim < most, or both are 0 and the move is to be made at once. `ply` is that
// of the position (Position::ply()). `overhead` is the time, in seconds, that each move costs on
// the clock beside the search: its start, its last batch, the way to the opponent.
//
// Who spends `most` on each move does not lose on time within the first 150 moves of its own (or
// until more time is added), as long as the overhead is not more than was said and the clock can
// pay for those moves' overheads at all. A clock that cannot is spent as in a game of usual length.
TimeBudget time_budget(const Clock& clock, int ply, double overhead);

// Exactly these seconds for a move: aim == most.
TimeBudget fixed_time(double seconds);

// What a search says of itself while it runs.
struct Snapshot {
  double seconds = 0.0;     // since it began
  std::int64_t visits = 0;  // made since it began, so without those of a tree that was kept
  // Moves of the root; they mean nothing while `visits` is 0.
  Move best_by_visits;
  Move best_by_value;       // among moves with visits enough to be chosen
  // Of the two most visited root moves, with those of a tree that was kept. The second is 0 where
  // no other move has any.
  std::int64_t best_visits = 0, second_visits = 0;
};

// Says of one search, snapshot by snapshot, when to stop:
// - at `most`, always;
// - before that never without a visit, and with a fixed time (aim == most) not at all;
// - before `aim` when the choice is settled: the move with the most visits is also the best by
//   value, and the visits that are to be expected until `aim`, at the rate so far, could not bring
//   the second up to it. The first tenth of `aim` is too short to know the rate by;
// - from `aim` on as soon as the choice does not waver. It wavers while the most visited move is
//   not the best by value, or became the most visited within the last third of the time so far.
// A search that is done (proven, all visits spent, or with one legal move) need not ask.
class Pacer {
 public:
  explicit Pacer(const TimeBudget& budget) : budget_(budget) {}

  // Snapshots come in the order of their seconds.
  bool should_stop(const Snapshot& now);

 private:
  void note_best(const Snapshot& now);
  bool settled(const Snapshot& now) const;
  bool wavers(const Snapshot& now) const;

  TimeBudget budget_;
  std::optional<Move> best_;  // the most visited move of the last snapshot
  double best_since_ = 0.0;   // seconds; the first one counts as best from the beginning
};

}  // namespace gounki::mcts
