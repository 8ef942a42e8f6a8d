#include "mcts/time_budget.h"

#include <algorithm>

namespace gounki::mcts {
namespace {

// Games between good players last 32 plies in the mean, and nine in ten fewer than 50; whenever one
// looks, about 9 more are to come. Planned is a little more than that, so that time is left when a
// game lasts longer.
constexpr int kUsualPlies = 40;
constexpr int kLeastMoves = 8;
// No game is known that lasts longer (moves of one side).
constexpr int kLongestGame = 150;

// Share of the clock that is never planned with.
constexpr double kReserve = 0.05;
// A search that wavers may take so many times its aim.
constexpr double kStretch = 4.0;
// But one move never takes more than this share of what is left for all, so that what is left
// shrinks and never ends.
constexpr double kLargestShare = 0.25;
// The aim stays under `most` by this factor also where increments are all there is, so that time
// can be saved for a harder move.
constexpr double kAimShare = 0.75;

// Share of the aim after which the rate of visits is known: the first batch may be slow.
constexpr double kRateShare = 0.1;

// Moves of the side to move, this one with them, that the time left is planned to last for.
int moves_planned(const Clock& clock, int ply) {
  const int usual = std::max(kLeastMoves, (kUsualPlies - ply) / 2);
  return clock.moves_to_go > 0 ? std::min(clock.moves_to_go, usual) : usual;
}

// Moves after this one whose overhead must stay payable.
int moves_provided_for(const Clock& clock, int ply) {
  return clock.moves_to_go > 0 ? clock.moves_to_go - 1 : std::max(0, kLongestGame - 1 - ply / 2);
}

}  // namespace

TimeBudget time_budget(const Clock& clock, int ply, double overhead) {
  const double spare = (1.0 - kReserve) * clock.left - overhead;
  if (spare <= 0.0) return {};
  // What each later move costs the clock, or adds to it, without any thought.
  const double loss = std::max(0.0, overhead - clock.increment);
  const double gain = std::max(0.0, clock.increment - overhead);
  double kept = loss * moves_provided_for(clock, ply);
  if (kept > spare) kept = spare / 2;
  const double usable = spare - kept;

  const double planned = moves_planned(clock, ply);
  // What the increment brings back may all be spent, and a share of the rest.
  const double returned = std::min(usable, gain);
  const double largest = returned + std::max(kLargestShare, 1.0 / planned) * (usable - returned);
  const double even = (usable + (planned - 1.0) * gain) / planned;
  TimeBudget budget;
  budget.aim = std::min(even, kAimShare * largest);
  budget.most = std::min(kStretch * budget.aim, largest);
  return budget;
}

TimeBudget fixed_time(double seconds) { return {seconds, seconds}; }

bool Pacer::should_stop(const Snapshot& now) {
  if (now.seconds >= budget_.most) return true;
  if (now.visits == 0) return false;
  note_best(now);
  if (budget_.aim >= budget_.most) return false;
  return now.seconds < budget_.aim ? settled(now) : !wavers(now);
}

void Pacer::note_best(const Snapshot& now) {
  if (best_ && *best_ != now.best_by_visits) best_since_ = now.seconds;
  best_ = now.best_by_visits;
}

bool Pacer::settled(const Snapshot& now) const {
  if (now.best_by_visits != now.best_by_value) return false;
  if (now.seconds < kRateShare * budget_.aim) return false;
  const double rate = static_cast<double>(now.visits) / now.seconds;
  const double lead = static_cast<double>(now.best_visits - now.second_visits);
  return lead > rate * (budget_.aim - now.seconds);
}

bool Pacer::wavers(const Snapshot& now) const {
  if (now.best_by_visits != now.best_by_value) return true;
  return now.seconds - best_since_ < now.seconds / 3.0;
}

}  // namespace gounki::mcts
