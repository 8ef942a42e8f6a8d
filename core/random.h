// Randomness that is the same on every machine. Generators come in as arguments; a generator is made
// from a seed and the numbers of what it is for (game, ply, …), never from a clock.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>

namespace gounki {

// SplitMix64 (Steele, Lea, Flood 2014): advances `state` and returns the next 64 bits.
constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

// One seed from several numbers: derive_seed({seed, game, ply}). Order matters.
constexpr std::uint64_t derive_seed(std::initializer_list<std::uint64_t> numbers) {
  std::uint64_t seed = 0;
  for (const std::uint64_t number : numbers) {
    std::uint64_t state = seed ^ number;
    seed = splitmix64(state) + std::rotl(seed, 17);
  }
  return seed;
}

// xoshiro256++ (Blackman, Vigna 2019). The distributions below are ours because the standard
// library's differ between implementations.
class Rng {
 public:
  using result_type = std::uint64_t;

  explicit constexpr Rng(std::uint64_t seed) {
    for (auto& word : state_) word = splitmix64(seed);
  }
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  constexpr result_type operator()() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in 0 … bound - 1; `bound` is at least 1. Without bias (Lemire 2019).
  constexpr std::uint64_t below(std::uint64_t bound) {
    __uint128_t product = static_cast<__uint128_t>((*this)()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t threshold = -bound % bound;
      while (static_cast<std::uint64_t>(product) < threshold)
        product = static_cast<__uint128_t>((*this)()) * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }
  // Uniform in [0, 1).
  constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

  double normal();
  double gumbel();
  // Gamma with this shape (> 0) and scale 1.
  double gamma(double shape);
  // An index drawn with these weights (none negative, some positive; they need not sum to 1).
  int pick(std::span<const double> weights);

 private:
  std::uint64_t state_[4];
};

inline double Rng::normal() {
  // Box and Muller, one of the pair.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * 3.14159265358979323846 * uniform());
}

inline double Rng::gumbel() { return -std::log(-std::log((static_cast<double>((*this)() >> 12) + 0.5) * 0x1.0p-52)); }

inline double Rng::gamma(double shape) {
  if (shape < 1.0) {
    const double boost = std::pow(1.0 - uniform(), 1.0 / shape);
    return gamma(shape + 1.0) * boost;
  }
  // Marsaglia and Tsang 2000.
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal();
    const double t = 1.0 + c * x;
    if (t <= 0.0) continue;
    const double v = t * t * t;
    const double u = 1.0 - uniform();
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

inline int Rng::pick(std::span<const double> weights) {
  double total = 0.0;
  for (const double w : weights) total += w;
  double left = uniform() * total;
  int last = 0;
  for (int i = 0; i < static_cast<int>(weights.size()); ++i) {
    if (weights[i] <= 0.0) continue;
    last = i;
    left -= weights[i];
    if (left < 0.0) return i;
  }
  return last;
}

}  // namespace gounki
