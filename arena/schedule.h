// Who plays whom, in which order.
#pragma once

#include <vector>

#include "arena/played.h"

namespace gounki::arena {

enum class Format {
  RoundRobin,  // everybody against everybody
  Gauntlet,    // the first player against each other one
};

// All pairs of a match: every two players that meet play each opening. They come in blocks of
// `block` openings, so that the players stay about as far as each other, and two players' openings
// of a block stand together and can be played as one group.
std::vector<Pairing> schedule(int players, Format format, int openings, int block);

}  // namespace gounki::arena
