#include "arena/schedule.h"

#include <algorithm>

namespace gounki::arena {

std::vector<Pairing> schedule(int players, Format format, int openings, int block) {
  std::vector<Pairing> pairs;
  const int first_players = format == Format::Gauntlet ? 1 : players;
  for (int begin = 0; begin < openings; begin += block)
    for (int first = 0; first < first_players; ++first)
      for (int second = first + 1; second < players; ++second)
        for (int opening = begin; opening < std::min(openings, begin + block); ++opening)
          pairs.push_back({first, second, opening});
  return pairs;
}

}  // namespace gounki::arena
