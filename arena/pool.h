// Players and what they scored against each other, from any number of matches: what ratings need.
#pragma once

#include <string>
#include <vector>

#include "arena/match_log.h"
#include "arena/played.h"
#include "arena/rating.h"

namespace gounki::arena {

// What each two players scored against each other, by their numbers in the match.
std::vector<PairResults> pair_results(const std::vector<PlayedPair>& pairs);

// The players of several matches, by rising names; two are the same where their texts and clocks are
// the same. The order of the matches makes no difference.
struct Pool {
  std::vector<std::string> players;
  std::vector<PairResults> results;
  std::int64_t left_out = 0;  // pairs of a player against itself, which say nothing

  // The number of a player, or −1.
  int find(const std::string& name) const;
};

// A player's text, and its clock where it has one: "alphabeta:depth=60 at 60+0.5".
std::string pool_name(const MatchSettings& settings, int player);
Pool make_pool(const std::vector<MatchHistory>& matches);

}  // namespace gounki::arena
