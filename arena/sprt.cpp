#include "arena/sprt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace gounki::arena {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnseen = 1e-3;  // pairs
constexpr int kKinds = 5;

using Distribution = std::array<double, kKinds>;

double points(int kind) { return kind / 4.0; }  // a game

// From normalised Elo, which is for a game, to standard deviations of a pair's score.
double deviations(double normalized_elo) {
  return normalized_elo * std::numbers::ln10 / 800.0 * std::numbers::sqrt2;
}

struct Moments {
  double mean = 0.0, deviation = 0.0;
};

Moments moments(const Distribution& p) {
  Moments m;
  for (int k = 0; k < kKinds; ++k) m.mean += p[k] * points(k);
  double variance = 0.0;
  for (int k = 0; k < kKinds; ++k) variance += p[k] * (points(k) - m.mean) * (points(k) - m.mean);
  m.deviation = std::sqrt(variance);
  return m;
}

double likelihood(const Distribution& seen, const Distribution& p) {  // its logarithm, a pair
  double sum = 0.0;
  for (int k = 0; k < kKinds; ++k) sum += seen[k] * std::log(p[k]);
  return sum;
}

// The likeliest distribution with Σ p·slope = 0 where `seen` are the frequencies: by Lagrange,
// p = seen / (1 + θ·slope) for the θ at which Σ seen·slope / (1 + θ·slope) = 0. That sum falls as θ
// rises between the poles. Slopes of both signs must occur.
Distribution likeliest_on_plane(const Distribution& seen, const Distribution& slopes) {
  const auto [least, most] = std::minmax_element(slopes.begin(), slopes.end());
  double low = -1.0 / *most, high = -1.0 / *least, theta = 0.0;
  const double precision = 1e-14 * std::min(-low, high);
  for (int i = 0; i < 100; ++i) {
    double sum = 0.0, fall = 0.0;
    for (int k = 0; k < kKinds; ++k) {
      const double term = slopes[k] / (1.0 + theta * slopes[k]);
      sum += seen[k] * term;
      fall += seen[k] * term * term;
    }
    (sum > 0.0 ? low : high) = theta;
    double next = theta + sum / fall;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const bool done = std::abs(next - theta) <= precision;
    theta = next;
    if (done) break;
  }
  Distribution p;
  for (int k = 0; k < kKinds; ++k) p[k] = seen[k] / (1.0 + theta * slopes[k]);
  return p;
}

Distribution likeliest_with_score(const Distribution& seen, double score) {
  Distribution slopes;
  for (int k = 0; k < kKinds; ++k) slopes[k] = points(k) - score;
  return likeliest_on_plane(seen, slopes);
}

// The likeliest distribution with mean − ½ = t·σ, where σ is its standard deviation and t > 0.
//
// As σ = min over u, s of (s + E(a − u)²/s)/2, at the mean u and the deviation s, each choice of s
// with u = ½ + t·s gives a plane that touches the surface mean − ½ = t·σ: E slope = 0 below.
// Distributions with mean − ½ ≤ t·σ are those below all planes; with mean − ½ ≥ t·σ, those above
// some plane. So if the frequencies seen lie above the surface, the likeliest on it is the least
// likely of the planes' likeliest; if below, the likeliest of them. Either is a search over s
// alone, on a grid first as it may have several optima.
class TangentPlanes {
 public:
  TangentPlanes(const Distribution& seen, double t) : seen_(seen), t_(t) {
    const Moments m = moments(seen);
    above_ = m.mean - 0.5 > t * m.deviation;
  }

  Distribution likeliest() const {
    constexpr double kStep = 0.3;
    double best = std::log(0.5), best_loss = kInfinity;
    for (double log_s = std::log(0.5); log_s > std::log(1e-6); log_s -= kStep)
      if (const double loss = this->loss(log_s); loss < best_loss)
        best_loss = loss, best = log_s;
    return touching(refined(best - kStep, best + kStep));
  }

 private:
  Distribution slopes(double log_s) const {
    const double s = std::exp(log_s), u = 0.5 + t_ * s;
    Distribution out;
    for (int k = 0; k < kKinds; ++k) {
      const double off = (points(k) - u) / s;
      out[k] = points(k) - 0.5 - 0.5 * t_ * s * (1.0 + off * off);
    }
    return out;
  }

  Distribution touching(double log_s) const { return likeliest_on_plane(seen_, slopes(log_s)); }

  // What the search makes small. A plane that cuts no distribution off is no help in either case.
  double loss(double log_s) const {
    const Distribution s = slopes(log_s);
    double mean = 0.0;
    for (int k = 0; k < kKinds; ++k) mean += seen_[k] * s[k];
    const bool cuts = *std::max_element(s.begin(), s.end()) > 0.0 &&
                      *std::min_element(s.begin(), s.end()) < 0.0;
    if (!cuts || (mean > 0.0) != above_) return kInfinity;
    const double value = likelihood(seen_, likeliest_on_plane(seen_, s));
    return above_ ? value : -value;
  }

  // Golden section.
  double refined(double low, double high) const {
    constexpr double kGolden = std::numbers::phi - 1.0;
    double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    double at_a = loss(a), at_b = loss(b);
    while (high - low > 1e-5) {
      if (at_a < at_b) {
        high = b, b = a, at_b = at_a;
        a = high - kGolden * (high - low), at_a = loss(a);
      } else {
        low = a, a = b, at_a = at_b;
        b = low + kGolden * (high - low), at_b = loss(b);
      }
    }
    return at_a < at_b ? a : b;
  }

  Distribution seen_;
  double t_;
  bool above_;
};

Distribution likeliest_with_deviations(Distribution seen, double t) {
  if (t == 0.0) return likeliest_with_score(seen, 0.5);
  if (t > 0.0) return TangentPlanes(seen, t).likeliest();
  std::reverse(seen.begin(), seen.end());
  Distribution p = TangentPlanes(seen, -t).likeliest();
  std::reverse(p.begin(), p.end());
  return p;
}

Distribution likeliest(const Distribution& seen, double elo, const std::string& model) {
  return model == "logistic" ? likeliest_with_score(seen, score_from_elo(elo))
                             : likeliest_with_deviations(seen, deviations(elo));
}

// What a pair adds to the ratio: its mean and variance over the pairs seen.
struct Increments {
  double pairs = 0.0;  // with those that stand for unseen kinds
  double mean = 0.0, variance = 0.0;
};

Increments increments(const PairCounts& pairs, const SprtConfig& config) {
  Increments out;
  if (std::all_of(pairs.begin(), pairs.end(), [](auto count) { return count == 0; })) return out;
  Distribution seen;
  for (int k = 0; k < kKinds; ++k)
    out.pairs += seen[k] = std::max(kUnseen, static_cast<double>(pairs[k]));
  for (double& share : seen) share /= out.pairs;
  const Distribution p0 = likeliest(seen, config.elo0, config.model),
                     p1 = likeliest(seen, config.elo1, config.model);
  double square = 0.0;
  for (int k = 0; k < kKinds; ++k) {
    const double ratio = std::log(p1[k] / p0[k]);
    out.mean += seen[k] * ratio;
    square += seen[k] * ratio * ratio;
  }
  out.variance = std::max(0.0, square - out.mean * out.mean);
  return out;
}

// Mean time until a Brownian motion that starts at 0 leaves −down … up.
double exit_time(double down, double up, double drift, double variance) {
  const double bend = 2.0 * drift / variance;
  if (!(variance > 0.0) || std::abs(bend) * (up + down) > 500.0)
    return drift > 0.0 ? up / drift : drift < 0.0 ? down / -drift : kInfinity;
  if (std::abs(bend) * (up + down) < 1e-4) return up * down / variance;
  const double leaves_above = std::expm1(-bend * down) / std::expm1(-bend * (up + down));
  return ((up + down) * leaves_above - down) / drift;
}

double lower_bound(const SprtConfig& c) { return std::log(c.beta / (1.0 - c.alpha)); }
double upper_bound(const SprtConfig& c) { return std::log((1.0 - c.beta) / c.alpha); }

}  // namespace

Expected<void> SprtConfig::check() const {
  if (model != "normalized" && model != "logistic")
    return fail("model: expected \"normalized\" or \"logistic\", found \"" + model + "\"");
  if (!(elo0 < elo1)) return fail("elo0 must be less than elo1");
  return {};
}

double sprt_llr(const PairCounts& pairs, const SprtConfig& config) {
  const Increments step = increments(pairs, config);
  return step.pairs * step.mean;
}

SprtResult sprt(const PairCounts& pairs, const SprtConfig& config) {
  if (const auto ok = config.check(); !ok) throw UsageError("sprt: " + ok.error().message);
  const Increments step = increments(pairs, config);
  SprtResult result;
  result.llr = step.pairs * step.mean;
  result.lower = lower_bound(config);
  result.upper = upper_bound(config);
  if (result.llr >= result.upper) result.verdict = SprtVerdict::kH1;
  else if (result.llr <= result.lower) result.verdict = SprtVerdict::kH0;
  else
    result.pairs_left = exit_time(result.llr - result.lower, result.upper - result.llr, step.mean,
                                  step.variance);
  return result;
}

// With many pairs the ratio is N·(t₁ − t₀)·(t − (t₀ + t₁)/2) for a difference of t deviations seen.
double sprt_expected_pairs(const SprtConfig& config, double normalized_elo) {
  const double t0 = deviations(config.elo0), t1 = deviations(config.elo1);
  const double drift = (t1 - t0) * (deviations(normalized_elo) - (t0 + t1) / 2);
  return exit_time(-lower_bound(config), upper_bound(config), drift, (t1 - t0) * (t1 - t0));
}

std::string_view to_string(SprtVerdict verdict) {
  return verdict == SprtVerdict::kH0 ? "H0" : verdict == SprtVerdict::kH1 ? "H1" : "undecided";
}

}  // namespace gounki::arena
