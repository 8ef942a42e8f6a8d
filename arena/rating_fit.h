// The fit of one connected group of players (see arena/rating.h for the model), in logits: a player
// d stronger scores 1/(1 + e^−d).
#pragma once

#include <vector>

#include "arena/cholesky.h"
#include "arena/elo.h"

namespace gounki::arena {

// All pairs between two players of the group; scores are points a game from i's view.
struct Encounter {
  int i = 0, j = 0;
  PairCounts counts{};

  double pairs() const;
  double score() const;
  // Σ (score of a pair − expected)² over the pairs.
  double scatter(double expected) const;
};

class RatingFit {
 public:
  RatingFit(int players, std::vector<Encounter> encounters);

  // Their sum is 0.
  const Vector& strengths() const { return strengths_; }
  const Matrix& covariance() const { return covariance_; }

  // How far the games speak against the sum of contrast·strength being `value`: standard normal if
  // it is, positive if they say that it is more. The contrast's sum is 0.
  double statistic(const Vector& contrast, double value) const;

  struct Interval {
    double low = 0.0, high = 0.0;
  };
  // The values whose statistic is within ±1.96.
  Interval interval(const Vector& contrast) const;

  // Inverse variance with which one pair measures the difference of two players.
  double pair_information(int i, int j) const;

 private:
  // Strengths of the highest likelihood with this value of the contrast.
  void constrain(const Vector& contrast, double value, Vector& strengths) const;
  double statistic_from(const Vector& contrast, double value, Vector& strengths) const;
  double bound(const Vector& contrast, double direction) const;

  double likelihood(const Vector& strengths, bool with_prior) const;
  Vector gradient(const Vector& strengths, bool with_prior) const;
  Cholesky information(const Vector& strengths) const;

  void find_unbeaten();
  void estimate_dispersion();
  void estimate_covariance();
  double dispersion(double expected) const;
  // Of a pair's score.
  double variance(std::size_t encounter, double expected) const;

  int players_;
  std::vector<Encounter> encounters_;
  Vector strengths_;
  double opening_effect_ = 0.0;  // κ
  Vector own_scatter_;           // of each encounter, a factor on the variance
  std::vector<bool> one_sided_;  // of each encounter: a player in it won or lost all its games
  Matrix covariance_;
};

}  // namespace gounki::arena
