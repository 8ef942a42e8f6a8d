// Varied openings for matches: deterministic players would otherwise play one game again and again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/game.h"
#include "core/params.h"

namespace gounki::arena {

struct OpeningsConfig {
  int plies = 6;
  int check_depth = 3;
  int max_score = 100;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = OpeningsConfig;
    visit("plies", &C::plies, Range{0, 60}, "Random plies from the start.");
    visit("check_depth", &C::check_depth, Range{1, 8},
          "Depth of the alpha-beta search that an opening is checked with.");
    visit("max_score", &C::max_score, Range{1, 100'000},
          "An opening is left out when that search scores it higher than this for either side; 100 is "
          "about a simple piece, or an expected result of 0.28.");
  }
};

// For the log of a match: "random: plies=6, check_depth=3, max_score=100".
std::string origin_text(const OpeningsConfig& config);

// `count` games of random plies from the start that reach different positions, none of which is
// over or decided as far as the check sees. The first n openings of a seed are the same however many
// are asked for. Throws a Failure when so few plies do not lead to so many positions.
// `found` hears how many there are so far.
std::vector<Game> make_openings(int count, std::uint64_t seed, const OpeningsConfig& config = {},
                                const Rules& rules = {},
                                const std::function<void(int)>& found = {});

}  // namespace gounki::arena
