#include "arena/rating_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace gounki::arena {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kQuantile = 1.959963984540054;
constexpr double kLogit = std::numbers::ln10 / 400.0;  // of one Elo
// Inverse variance of the prior of a difference: a deviation of 1000 Elo.
constexpr double kPrior = 1.0 / (1000.0 * kLogit * 1000.0 * kLogit);
// Pairs that the assumption of independent games weighs as much as, and that κ weighs as much as
// besides where the scatter of two players' own pairs is estimated.
constexpr double kIndependentPairs = 4.0, kPooledPairs = 20.0;
constexpr double kEvenVariance = 1.0 / 8.0;  // of a pair of independent games between equals
constexpr double kMostEffect = 0.98;         // of openings, so that some variance stays
// How far from the likeliest value a bound is looked for.
constexpr double kFarthest = 3000.0 * kLogit;

double expected_score(double difference) { return 1.0 / (1.0 + std::exp(-difference)); }

// ln(1 + e^x), the loss of a game lost by the player x stronger.
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

void add_edge(Matrix& matrix, const Encounter& e, double weight) {
  matrix(e.i, e.i) += weight;
  matrix(e.j, e.j) += weight;
  matrix(e.i, e.j) -= weight;
  matrix(e.j, e.i) -= weight;
}

}  // namespace

double Encounter::pairs() const {
  double sum = 0.0;
  for (const auto count : counts) sum += static_cast<double>(count);
  return sum;
}

double Encounter::score() const {
  double sum = 0.0;
  for (int k = 0; k < 5; ++k) sum += static_cast<double>(counts[k]) * k / 4.0;
  return sum / pairs();
}

double Encounter::scatter(double expected) const {
  double sum = 0.0;
  for (int k = 0; k < 5; ++k) {
    const double off = k / 4.0 - expected;
    sum += static_cast<double>(counts[k]) * off * off;
  }
  return sum;
}

RatingFit::RatingFit(int players, std::vector<Encounter> encounters)
    : players_(players), encounters_(std::move(encounters)),
      strengths_(static_cast<std::size_t>(players)),
      own_scatter_(encounters_.size(), 1.0), one_sided_(encounters_.size(), false),
      covariance_(players) {
  if (players < 2) return;
  // No constraint: a contrast of nothing.
  constrain(Vector(static_cast<std::size_t>(players)), 0.0, strengths_);
  find_unbeaten();
  estimate_dispersion();
  estimate_covariance();
}

double RatingFit::likelihood(const Vector& strengths, bool with_prior) const {
  double sum = 0.0;
  for (const Encounter& e : encounters_) {
    const double d = strengths[e.i] - strengths[e.j];
    sum -= 2.0 * e.pairs() * (e.score() * softplus(-d) + (1.0 - e.score()) * softplus(d));
    if (with_prior) sum -= 0.5 * kPrior * d * d;
  }
  return sum;
}

Vector RatingFit::gradient(const Vector& strengths, bool with_prior) const {
  Vector out(strengths.size());
  for (const Encounter& e : encounters_) {
    const double d = strengths[e.i] - strengths[e.j];
    const double slope = 2.0 * e.pairs() * (e.score() - expected_score(d)) -
                         (with_prior ? kPrior * d : 0.0);
    out[e.i] += slope;
    out[e.j] -= slope;
  }
  return out;
}

// Minus the second derivative, prior included. Nothing depends on the sum of the strengths; the 1/n
// everywhere keeps it where it is.
Cholesky RatingFit::information(const Vector& strengths) const {
  Matrix matrix(players_);
  for (int i = 0; i < players_; ++i)
    for (int j = 0; j < players_; ++j) matrix(i, j) = 1.0 / players_;
  for (const Encounter& e : encounters_) {
    const double s = expected_score(strengths[e.i] - strengths[e.j]);
    add_edge(matrix, e, 2.0 * e.pairs() * s * (1.0 - s) + kPrior);
  }
  return Cholesky(std::move(matrix));
}

// Newton's method along the plane contrast·strengths = value. The likelihood with the prior is
// concave, so a step that is halved until it gains enough always arrives.
void RatingFit::constrain(const Vector& contrast, double value, Vector& strengths) const {
  const double length = dot(contrast, contrast);
  if (length > 0.0) {
    const double shift = (value - dot(contrast, strengths)) / length;
    for (int i = 0; i < players_; ++i) strengths[i] += shift * contrast[i];
  }
  for (int round = 0; round < 200; ++round) {
    const Cholesky information = this->information(strengths);
    const Vector slope = gradient(strengths, true);
    Vector step = information.solve(slope);
    if (length > 0.0) {
      const Vector across = information.solve(contrast);
      const double multiplier = dot(contrast, step) / dot(contrast, across);
      for (int i = 0; i < players_; ++i) step[i] -= multiplier * across[i];
    }
    const double gain = dot(slope, step);
    if (gain < 1e-14) return;
    const double before = likelihood(strengths, true);
    Vector next = strengths;
    for (double part = 1.0; part > 1e-6; part /= 2) {
      for (int i = 0; i < players_; ++i) next[i] = strengths[i] + part * step[i];
      if (likelihood(next, true) >= before + 0.1 * part * gain || gain < 1e-9) break;
    }
    strengths = next;
  }
}

void RatingFit::find_unbeaten() {
  Vector points(strengths_.size()), pairs(strengths_.size());
  for (const Encounter& e : encounters_) {
    points[e.i] += e.pairs() * e.score();
    points[e.j] += e.pairs() * (1.0 - e.score());
    pairs[e.i] += e.pairs();
    pairs[e.j] += e.pairs();
  }
  const auto one_sided = [&](int p) { return points[p] == 0.0 || points[p] == pairs[p]; };
  for (std::size_t k = 0; k < encounters_.size(); ++k)
    one_sided_[k] = one_sided(encounters_[k].i) || one_sided(encounters_[k].j);
}

double RatingFit::dispersion(double expected) const {
  return 1.0 - opening_effect_ * 4.0 * expected * (1.0 - expected);
}

double RatingFit::variance(std::size_t encounter, double expected) const {
  const double independent = expected * (1.0 - expected) / 2.0;
  if (one_sided_[encounter]) return 2.0 * independent;
  return independent * std::min(2.0, dispersion(expected) * own_scatter_[encounter]);
}

// κ by moments: squared residuals against what independent games would leave, less the share of
// each pair that the fit itself took up (its leverage).
void RatingFit::estimate_dispersion() {
  const Cholesky information = this->information(strengths_);
  const std::size_t n = encounters_.size();
  Vector scatter(n), expected(n), even(n);
  double sum = 0.0, weight = kIndependentPairs * kEvenVariance;
  for (std::size_t k = 0; k < n; ++k) {
    const Encounter& e = encounters_[k];
    Vector contrast(strengths_.size());
    contrast[e.i] = 1.0;
    contrast[e.j] = -1.0;
    const double s = expected_score(strengths_[e.i] - strengths_[e.j]);
    const double leverage = 2.0 * s * (1.0 - s) * dot(contrast, information.solve(contrast));
    scatter[k] = e.scatter(s);
    expected[k] = (e.pairs() - e.pairs() * std::min(0.9, leverage)) * s * (1.0 - s) / 2.0;
    even[k] = 4.0 * s * (1.0 - s);
    sum += even[k] * (expected[k] - scatter[k]);
    weight += even[k] * even[k] * expected[k];
  }
  opening_effect_ = std::clamp(sum / weight, -1.0, kMostEffect);
  for (std::size_t k = 0; k < n; ++k) {
    const double prior =
        kEvenVariance * (kIndependentPairs + kPooledPairs * (1.0 - opening_effect_));
    const double pooled = expected[k] * (1.0 - opening_effect_ * even[k]);
    own_scatter_[k] = (scatter[k] + prior) / (pooled + prior);
  }
}

// The sandwich H⁻¹MH⁻¹: M is the variance of the slopes, H the information, both with the prior.
void RatingFit::estimate_covariance() {
  const Cholesky information = this->information(strengths_);
  Matrix slopes(players_);
  for (std::size_t k = 0; k < encounters_.size(); ++k) {
    const Encounter& e = encounters_[k];
    const double s = expected_score(strengths_[e.i] - strengths_[e.j]);
    add_edge(slopes, e, 4.0 * e.pairs() * variance(k, s) + kPrior);
  }
  const auto solve_columns = [&](const Matrix& m) {  // (H⁻¹m)ᵀ
    Matrix out(players_);
    Vector column(strengths_.size());
    for (int j = 0; j < players_; ++j) {
      for (int i = 0; i < players_; ++i) column[i] = m(i, j);
      const Vector solved = information.solve(column);
      for (int i = 0; i < players_; ++i) out(j, i) = solved[i];
    }
    return out;
  };
  covariance_ = solve_columns(solve_columns(slopes));
}

double RatingFit::pair_information(int i, int j) const {
  const double s = expected_score(strengths_[i] - strengths_[j]);
  const double slope = s * (1.0 - s);
  return slope * slope / (slope / 2.0 * dispersion(s));
}

// The efficient score: the slope of the likelihood, without the prior, along the direction in which
// the others follow the contrast, over its standard deviation (sandwich) at that value.
double RatingFit::statistic_from(const Vector& contrast, double value, Vector& strengths) const {
  constrain(contrast, value, strengths);
  const Vector across = information(strengths).solve(contrast);
  const double slope = dot(across, gradient(strengths, false));
  double variance = 0.0;
  for (std::size_t k = 0; k < encounters_.size(); ++k) {
    const Encounter& e = encounters_[k];
    const double s = expected_score(strengths[e.i] - strengths[e.j]);
    const double weight = across[e.i] - across[e.j];
    variance += weight * weight * 4.0 * e.pairs() * this->variance(k, s);
  }
  return variance > 0.0 ? slope / std::sqrt(variance) : 0.0;
}

double RatingFit::statistic(const Vector& contrast, double value) const {
  Vector strengths = strengths_;
  return statistic_from(contrast, value, strengths);
}

// Steps outwards until the statistic is passed, then the Illinois form of false position.
double RatingFit::bound(const Vector& contrast, double direction) const {
  const double start = dot(contrast, strengths_);
  Vector strengths = strengths_;
  // Negative inside the interval.
  const auto outside = [&](double value) {
    return -direction * statistic_from(contrast, value, strengths) - kQuantile;
  };
  double spread = 0.0;
  for (int i = 0; i < players_; ++i)
    for (int j = 0; j < players_; ++j) spread += contrast[i] * contrast[j] * covariance_(i, j);
  double inner = start, at_inner = outside(inner);
  double step = std::clamp(2.0 * std::sqrt(spread), 1e-4, 2.0);
  double outer = start + direction * step, at_outer = outside(outer);
  while (at_outer < 0.0) {
    inner = outer, at_inner = at_outer;
    if (std::abs(inner - start) > kFarthest) return direction * kInfinity;
    step *= 1.5;
    outer += direction * step, at_outer = outside(outer);
  }
  double last = 0.0;
  for (int i = 0; i < 60 && std::abs(outer - inner) > 1e-7; ++i) {
    const double middle = (inner * at_outer - outer * at_inner) / (at_outer - at_inner);
    const double at = outside(middle);
    if (std::abs(at) < 1e-9) return middle;
    // An end that stays a second time counts half, or it would stay for good.
    if (at < 0.0) {
      inner = middle, at_inner = at;
      if (last < 0.0) at_outer /= 2;
    } else {
      outer = middle, at_outer = at;
      if (last > 0.0) at_inner /= 2;
    }
    last = at;
  }
  return (inner + outer) / 2;
}

RatingFit::Interval RatingFit::interval(const Vector& contrast) const {
  return {bound(contrast, -1.0), bound(contrast, 1.0)};
}

}  // namespace gounki::arena
