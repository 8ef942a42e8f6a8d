// What a seed is for. A generator is made of the run's seed, one of these, and the numbers of the
// thing (game, ply, step), so no two of them share their randomness.
#pragma once

#include <cstdint>

namespace gounki::selfplay {

enum : std::uint64_t {
  kNetworkSeed = 1,  // the first weights
  kOpeningSeed,      // game: its random first plies
  kSearchSeed,       // game, ply: root noise and the choice of the move
  kBatchSeed,        // step: the rows of a batch
  kEvaluationSeed,   // the openings of the yardstick games
  kFullSearchSeed,   // game, ply: whether the move is searched in full
  kHeldOutSeed,      // game: whether it is held out
  kGateSeed,         // step: the openings of a new network's games
  kPriorPliesSeed,   // game: how many plies of its opening are drawn by the priors, and which
};

}  // namespace gounki::selfplay
