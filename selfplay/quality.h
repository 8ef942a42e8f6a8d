// What a network has learned, measured on games that it did not learn from.
#pragma once

#include <cstdint>
#include <span>

#include "nn/network.h"
#include "selfplay/sample.h"

namespace gounki::selfplay {

// Means over the samples, each counted once; nats where they are entropies.
struct Quality {
  std::int64_t rows = 0;
  double policy = 0;          // cross entropy of the search's policy and the network's
  double policy_kl = 0;       // of these what is not the search's own entropy
  double value = 0;           // cross entropy of the game's result and the network's win, draw, loss
  double value_accuracy = 0;  // share of results that the network held for the likeliest
  // Of the network's expected points, sorted into ten classes from 0 to 1: how far a class's mean is from
  // the points that its games came to.
  double calibration_error = 0;
  double plies_error = 0;     // mean distance from the plies that were left; capped games left out
};

// How many rows a run measures with.
inline constexpr std::int64_t kQualityRows = 2048;

// Throws a Failure when an output is not finite.
Quality measure_quality(const nn::ServedNetwork& network, std::span<const Sample> samples);

}  // namespace gounki::selfplay
