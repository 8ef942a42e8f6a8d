// The sequential probability ratio test: when a match has shown enough to be ended.
#pragma once

#include "arena/elo.h"

namespace gounki::arena {

// The log-likelihood ratio of two normalised Elo differences, `elo1` against `elo0`, given the pairs:
// each is tried with the likeliest distribution of pair scores that has exactly that difference (a
// generalised SPRT, so nothing is assumed about draws). A count of 0 is taken as 0.001.
double sprt_llr(const PairCounts& pairs, double elo0, double elo1);

// The test ends below `lower` (elo0 is accepted) or above `upper` (elo1 is).
struct SprtBounds {
  double lower = 0.0, upper = 0.0;
};
// `alpha` is the chance to accept elo1 where elo0 is true, `beta` the other error.
SprtBounds sprt_bounds(double alpha, double beta);

}  // namespace gounki::arena
