// The sequential probability ratio test: when a match has shown enough to be ended.
//
// The generalised test (GSPRT) of M. Van den Bergh, "A Practical Introduction to the GSPRT",
// "Normalized Elo" and "Comments on Normalized Elo" (cantate.be/Fishtest: GSPRT_approximation.pdf,
// normalized_elo.pdf, normalized_elo_practical.pdf), on pairs of games: each hypothesis is tried
// with the likeliest distribution of pair scores that it allows, so nothing is assumed about draws
// or about how the two games of a pair depend on each other.
//
// The bounds are Wald's, and may be looked at after every pair. As the ratio ends beyond its bound,
// by 0.1 (bounds 50 Elo apart) to 0.5 (200 Elo apart) on average, errors are somewhat rarer than
// asked for: with alpha = beta = 0.05 simulations show 0.055 at most and 0.03 to 0.05 mostly. A test
// that ends after a dozen pairs takes nearly twice the pairs of sprt_expected_pairs.
#pragma once

#include <string>
#include <string_view>

#include "arena/elo.h"
#include "core/error.h"
#include "core/params.h"

namespace gounki::arena {

// H0: the first player is elo0 stronger. H1: it is elo1 stronger.
struct SprtConfig {
  double elo0 = 0.0, elo1 = 20.0;
  double alpha = 0.05, beta = 0.05;
  std::string model = "normalized";

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = SprtConfig;
    visit("elo0", &C::elo0, Range{-1000, 1000}, "The difference that H0 says, in Elo.");
    visit("elo1", &C::elo1, Range{-1000, 1000}, "The difference that H1 says, in Elo.");
    visit("alpha", &C::alpha, Range{1e-6, 0.4}, "Chance to accept H1 where H0 is true.");
    visit("beta", &C::beta, Range{1e-6, 0.4}, "Chance to accept H0 where H1 is true.");
    visit("model", &C::model, Range{},
          "Elo of the bounds: \"normalized\" (in spreads of a game's score) or \"logistic\" (by the "
          "score).");
  }

  // An error when elo0 is not less than elo1 or the model is unknown.
  Expected<void> check() const;
};

enum class SprtVerdict { kUndecided, kH0, kH1 };
// "undecided", "H0" or "H1".
std::string_view to_string(SprtVerdict verdict);

struct SprtResult {
  double llr = 0.0;                  // log-likelihood ratio of H1 against H0
  double lower = 0.0, upper = 0.0;   // H0 is accepted at or below, H1 at or above
  SprtVerdict verdict = SprtVerdict::kUndecided;
  // Expected pairs to a verdict if the difference is what these pairs show; 0 after a verdict,
  // infinite where they show nothing.
  double pairs_left = 0.0;
};

// Looks at a match so far, for the first player. A kind of pair that was not seen counts as 0.001
// pairs, so that any difference stays possible; 0 pairs give a ratio of 0. Throws a UsageError when
// the config does not pass its check().
SprtResult sprt(const PairCounts& pairs, const SprtConfig& config);

// The ratio alone, defined for elo0 and elo1 in any order.
double sprt_llr(const PairCounts& pairs, const SprtConfig& config);

// Pairs that a test of the normalized model takes on average when this is the true normalised Elo,
// with the ratio as a Brownian motion (no overshoot). For planning.
double sprt_expected_pairs(const SprtConfig& config, double normalized_elo);

}  // namespace gounki::arena
