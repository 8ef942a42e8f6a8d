// A table of ratings, the same for a match of many players and for a pool.
#pragma once

#include <string>
#include <vector>

#include "arena/rating.h"
#include "play/options.h"

namespace gounki::play {

struct RatedPlayers {
  std::vector<std::string> names;
  arena::Ratings ratings;

  // The numbers of the players, the strongest first, equals by their number.
  std::vector<int> ranking() const;
};

// "+12.3", "-∞".
std::string elo_text(double elo);

// The table with a line for each player and, below it, what the zero is and who never met.
std::string ratings_text(const RatedPlayers& rated);
// An array, the strongest first: player, elo, elo_low, elo_high, games, score, los_next, group.
Json ratings_json(const RatedPlayers& rated);
// What the ratings are relative to: "Elo relative to greedy, which has 0".
std::string anchor_text(const RatedPlayers& rated);
// Which players cannot be compared; empty where all can.
std::string groups_text(const RatedPlayers& rated);

}  // namespace gounki::play
