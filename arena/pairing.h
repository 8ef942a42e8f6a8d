// Which two players should meet next, for a pool of ratings that chooses its own games.
#pragma once

#include <span>

#include "arena/rating.h"

namespace gounki::arena {

struct NextPairing {
  int first = 0, second = 0;
  // Expected drop of the summed variance (Elo²) of the ratings of interest; infinite where the
  // pairing connects two groups.
  double drop = 0.0;
};

// By how much that variance would drop after `pairs` pairs between two players. With the covariance
// C of the ratings, d the difference of the two, ι the information of the pairs and c each rating
// of interest less the anchor's: Σ (cᵀCd)²·ι / (1 + ι·dᵀCd), as a linear measurement of d would
// have it.
double expected_drop(const Ratings& ratings, std::span<const int> interest, int first, int second,
                     int pairs);

// The pairing with the greatest expected drop, the first of equals; an empty `interest` means all
// players. While a player of interest is in another group than the anchor (without one: than player
// 0), the answer connects the two by the member of each whose place in its group is best known.
// Only members of the anchor's group are paired otherwise, so players who could stand between two
// far apart ones must be connected too. There must be two players or more.
NextPairing most_telling_pairing(const Ratings& ratings, std::span<const int> interest, int pairs);

}  // namespace gounki::arena
