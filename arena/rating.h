// Ratings of any number of players from paired games: the Bradley–Terry model, E score = 1 / (1 +
// 10^(−d/400)) for a player d Elo stronger, fitted by maximum likelihood with a draw as half a win.
//
// **Prior.** Two players who met have a weak prior besides: their difference is normal around 0
// with a deviation of 1000 Elo. It weighs as much as a sixteenth of a pair, keeps the rating of a
// player who won all games finite, and does not shrink a long chain of players.
//
// **Errors.** The unit is the pair. Two independent games would give the score of a pair (points a
// game) the variance s(1 − s)/2. Paired openings make it smaller: one that favours a side by b (in
// logits) takes the share b²s(1 − s) away, so κ·4s(1 − s) is taken off with one κ that all pairs of
// games estimate together, as few of them say little; to which the scatter of two players' own
// pairs adds a factor that tends to 1 with few pairs and to what was seen with many. Those
// variances are clustered in the sandwich covariance H⁻¹MH⁻¹ and in the intervals. A player who won
// or lost all games shows no scatter: the two games of its pairs then count as one.
//
// Scores of players who did not meet follow from the model alone: where A beats B, B beats C, but C
// holds against A, ratings say less than the matches, and their bounds do not show it.
//
// **Intervals** are those differences that a score test on the 5 % level does not refuse, with the
// other ratings at their likeliest for each (for two players and independent games, Wilson's
// interval). They need not be symmetric, owe next to nothing to the prior, and are infinite where
// the games set no bound.
//
// Sources: Bradley and Terry 1952; Hunter, "MM algorithms for generalized Bradley–Terry models"
// (2004) for when ratings exist; Boos, "On generalized score tests" (1992); Wedderburn 1974 for
// quasi-likelihood.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "arena/cholesky.h"
#include "arena/elo.h"

namespace gounki::arena {

// Pairs of games between two players, given by their numbers from 0; counts are from the view of
// the first.
struct PairResults {
  int first = 0, second = 0;
  PairCounts pairs{};
};

// Elo differences alone can be known: this sets the zero.
struct RatingAnchor {
  int player = -1;   // has the rating `elo`; with −1 the mean of the players has
  double elo = 0.0;
};

// Bounds hold with 95 % confidence, relative to the anchor, and may be infinite; those of the
// anchor are its rating. The rating of a player who won or lost all games is little more than the
// prior's.
struct PlayerRating {
  double elo = 0.0, low = 0.0, high = 0.0;
  std::int64_t games = 0;
  double score = 0.5;  // points a game
  int group = 0;       // in Ratings::groups()
};

// Of one player above another.
struct RatingDifference {
  double elo = 0.0, low = 0.0, high = 0.0;
  double los = 0.5;  // the chance that it is the better player
};

class RatingFit;

class Ratings {
 public:
  // Throws a UsageError for a player that is not one of `players`, who meets itself, or for a
  // negative count. The same two players may come several times and either way round.
  Ratings(int players, std::span<const PairResults> results, const RatingAnchor& anchor = {});
  ~Ratings();
  Ratings(Ratings&&) noexcept;
  Ratings& operator=(Ratings&&) noexcept;

  const std::vector<PlayerRating>& players() const { return players_; }
  const RatingAnchor& anchor() const { return anchor_; }

  // Players connected by games, by rising numbers. Ratings of different groups cannot be compared:
  // each group without the anchor has the anchor's Elo as its mean, and a player without games is a
  // group with infinite bounds.
  const std::vector<std::vector<int>>& groups() const { return groups_; }

  // Bounds are infinite and LOS ½ between groups.
  RatingDifference difference(int a, int b) const;

  // Of two players' ratings (Elo²) around the mean of their group, 0 between groups: the variance
  // of a difference is covariance(a, a) + covariance(b, b) − 2 covariance(a, b). It includes the
  // prior, so it is finite for all players.
  double covariance(int a, int b) const;

  // What one more pair between two players would tell of their difference: the inverse of the
  // variance (1/Elo²) with which it alone would measure that. Between groups, for players of equal
  // rating.
  double information(int a, int b) const;

 private:
  const RatingFit& fit(int group) const { return *fits_[group]; }
  void rate_group(int group);

  RatingAnchor anchor_;
  std::vector<PlayerRating> players_;
  std::vector<std::vector<int>> groups_;
  std::vector<int> place_;  // of each player in its group
  std::vector<std::unique_ptr<RatingFit>> fits_;
};

}  // namespace gounki::arena
