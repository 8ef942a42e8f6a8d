// Strength from paired games: each opening is played twice with colours swapped, and the pair is
// one observation, so that an opening that favours a side cancels out.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace gounki::arena {

// How many pairs scored 0, ½, 1, 1½ and 2 points of 2.
using PairCounts = std::array<std::int64_t, 5>;

// The Elo difference that a score (0 … 1 a game) stands for; infinite at 0 and 1.
double elo_from_score(double score);
double score_from_elo(double elo);

// What a match says about the first player. Bounds hold with 95 % confidence and may be infinite.
struct Strength {
  std::int64_t pairs = 0;
  double score = 0.5;  // points a game
  double score_low = 0.0, score_high = 1.0;
  double elo = 0.0;
  double elo_low = 0.0, elo_high = 0.0;
  double los = 0.5;  // likelihood of superiority: the chance that the first is the better player
  double normalized_elo = 0.0;
  double normalized_error = 0.0;  // half the width of its 95 % interval
  // Every pair scored the same, so their spread says nothing: the bounds then come from the number
  // of pairs alone (see estimate_strength), and an Elo of infinity only says that none was lost.
  bool uniform = false;

  // Half the width of the Elo interval; infinite where a bound is.
  double elo_error() const { return (elo_high - elo_low) / 2; }
};

// With mean μ and variance v of the pairs' scores and s = √(v/N): the score is μ ± 1.96 s,
// LOS = Φ((μ − ½)/s), normalised Elo = (μ − ½)/√(2v) · 800/ln 10.
//
// When every pair scored the same, v is 0 and those formulas would claim certainty. Instead: if
// more than the share q = 1 − 0.05^(1/N) of such pairs scored otherwise, N pairs alike would be seen
// less than one time in twenty; so the score is at least μ − qμ and at most μ + q(1 − μ), and LOS is
// the sign test's 1 − 2^−N. Normalised Elo is then 0 or infinite.
Strength estimate_strength(const PairCounts& pairs);

// For people: "Elo +35.2 ± 12.1 (95 %), LOS 99.9 %", or with bounds where the error is infinite:
// "Elo above +444.7 (95 %: all 40 pairs scored 2 of 2), LOS 100.0 %".
std::string to_string(const Strength& strength);

}  // namespace gounki::arena
