#include "arena/elo.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

namespace gounki::arena {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The two-sided 95 % quantile of the normal distribution.
constexpr double kQuantile = 1.959963984540054;
constexpr double kNormalizedScale = 800.0 / std::numbers::ln10;

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

struct Moments {
  double mean = 0.0, variance = 0.0;
};

// Of the pairs' scores, each as points a game: 0, ¼, ½, ¾ or 1.
Moments moments(const PairCounts& pairs, double n) {
  Moments m;
  for (int i = 0; i < 5; ++i) m.mean += static_cast<double>(pairs[i]) / n * (i / 4.0);
  for (int i = 0; i < 5; ++i) {
    const double off = i / 4.0 - m.mean;
    m.variance += static_cast<double>(pairs[i]) / n * off * off;
  }
  return m;
}

void bounds_from_spread(Strength& strength, double variance) {
  const double n = static_cast<double>(strength.pairs);
  const double deviation = std::sqrt(variance / n);
  strength.score_low = std::max(0.0, strength.score - kQuantile * deviation);
  strength.score_high = std::min(1.0, strength.score + kQuantile * deviation);
  strength.los = normal_cdf((strength.score - 0.5) / deviation);
  strength.normalized_elo = (strength.score - 0.5) / std::sqrt(2.0 * variance) * kNormalizedScale;
  strength.normalized_error = kQuantile * kNormalizedScale / std::sqrt(2.0 * n);
}

void bounds_from_number(Strength& strength) {
  const double n = static_cast<double>(strength.pairs);
  const double otherwise = 1.0 - std::pow(0.05, 1.0 / n);
  strength.uniform = true;
  strength.score_low = strength.score * (1.0 - otherwise);
  strength.score_high = strength.score + otherwise * (1.0 - strength.score);
  strength.normalized_error = kInfinity;
  if (strength.score == 0.5) return;
  const double doubt = std::exp2(-n);
  strength.los = strength.score > 0.5 ? 1.0 - doubt : doubt;
  strength.normalized_elo = strength.score > 0.5 ? kInfinity : -kInfinity;
}

std::string format(const char* form, auto... values) {
  char text[160];
  std::snprintf(text, sizeof text, form, values...);
  return text;
}

}  // namespace

double elo_from_score(double score) {
  if (score <= 0.0) return -kInfinity;
  if (score >= 1.0) return kInfinity;
  return 0.0 - 400.0 * std::log10(1.0 / score - 1.0);  // not -0 at 1/2
}

double score_from_elo(double elo) { return 1.0 / (1.0 + std::pow(10.0, -elo / 400.0)); }

Strength estimate_strength(const PairCounts& pairs) {
  Strength strength;
  for (const std::int64_t count : pairs) strength.pairs += count;
  if (strength.pairs > 0) {
    const Moments m = moments(pairs, static_cast<double>(strength.pairs));
    const bool alike = std::count(pairs.begin(), pairs.end(), 0) == 4;
    strength.score = m.mean;
    alike ? bounds_from_number(strength) : bounds_from_spread(strength, m.variance);
  }
  strength.elo = elo_from_score(strength.score);
  strength.elo_low = elo_from_score(strength.score_low);
  strength.elo_high = elo_from_score(strength.score_high);
  return strength;
}

std::string to_string(const Strength& s) {
  if (s.pairs == 0) return "no pairs played";
  const std::string los = format(", LOS %.1f %%", 100.0 * s.los);
  std::string why = " (95 %)";
  if (s.uniform)
    why = format(" (95 %%: all %lld pairs scored %g of 2)", static_cast<long long>(s.pairs),
                 2.0 * s.score);
  const bool low = std::isfinite(s.elo_low), high = std::isfinite(s.elo_high);
  if (low && high && !s.uniform)
    return format("Elo %+.1f ± %.1f", s.elo, s.elo_error()) + why + los;
  if (low && high) return format("Elo %+.1f … %+.1f", s.elo_low, s.elo_high) + why + los;
  if (low) return format("Elo above %+.1f", s.elo_low) + why + los;
  if (high) return format("Elo below %+.1f", s.elo_high) + why + los;
  return "Elo unknown" + why + los;
}

}  // namespace gounki::arena
