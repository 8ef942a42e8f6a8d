#include "arena/sprt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gounki::arena {
namespace {

using Distribution = std::array<double, 5>;

double points(int i) { return i / 4.0; }  // a game's share of a pair's score

// The θ at which Σ p·slope / (1 + θ·slope) = 0, by bisection: the sum falls as θ rises between the
// poles, and slopes of both signs occur.
double multiplier(const Distribution& p, const Distribution& slopes) {
  const auto [least, most] = std::minmax_element(slopes.begin(), slopes.end());
  double low = -1.0 / *most, high = -1.0 / *least;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    double sum = 0.0;
    for (int k = 0; k < 5; ++k) sum += p[k] * slopes[k] / (1.0 + middle * slopes[k]);
    (sum > 0.0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

// The likeliest distribution, given the frequencies seen, with (mean − ½) = t · standard deviation.
// That constraint is made linear at the last distribution (`slopes` is its gradient there), which
// gives the next by Lagrange's multiplier, until nothing changes. It begins with the even one, as the
// one that was seen may have almost no deviation.
Distribution likeliest(const Distribution& seen, double t) {
  Distribution p;
  p.fill(0.2);
  for (int round = 0; round < 100; ++round) {
    double mean = 0.0, variance = 0.0;
    for (int k = 0; k < 5; ++k) mean += p[k] * points(k);
    for (int k = 0; k < 5; ++k) variance += p[k] * std::pow(points(k) - mean, 2);
    const double deviation = std::sqrt(variance);
    Distribution slopes;
    for (int k = 0; k < 5; ++k)
      slopes[k] = points(k) - 0.5 -
                  0.5 * t * deviation * (1.0 + std::pow((points(k) - mean) / deviation, 2));
    const double theta = multiplier(seen, slopes);
    double change = 0.0;
    for (int k = 0; k < 5; ++k) {
      const double next = seen[k] / (1.0 + theta * slopes[k]);
      change = std::max(change, std::abs(next - p[k]));
      p[k] = next;
    }
    if (change < 1e-12) break;
  }
  return p;
}

}  // namespace

double sprt_llr(const PairCounts& pairs, double elo0, double elo1) {
  Distribution seen;
  double total = 0.0;
  for (int k = 0; k < 5; ++k) total += seen[k] = std::max(1e-3, static_cast<double>(pairs[k]));
  for (double& share : seen) share /= total;
  // From normalised Elo, which is for a game, to standard deviations of a pair's score.
  const double scale = std::numbers::ln10 / 800.0 * std::numbers::sqrt2;
  const Distribution p0 = likeliest(seen, elo0 * scale), p1 = likeliest(seen, elo1 * scale);
  double llr = 0.0;
  for (int k = 0; k < 5; ++k) llr += seen[k] * std::log(p1[k] / p0[k]);
  return total * llr;
}

SprtBounds sprt_bounds(double alpha, double beta) {
  return {std::log(beta / (1.0 - alpha)), std::log((1.0 - beta) / alpha)};
}

}  // namespace gounki::arena
