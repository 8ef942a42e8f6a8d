// The score of a match between two players, counted from its pairs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>

#include "arena/elo.h"
#include "arena/played.h"

namespace gounki::arena {

// One side of a match: points are counted from one player's side.
struct Tally {
  int wins = 0, draws = 0, losses = 0;

  int games() const { return wins + draws + losses; }
  double points() const { return wins + 0.5 * draws; }
  void add(Outcome result, Side side);
  Tally operator+(const Tally& o) const {
    return {wins + o.wins, draws + o.draws, losses + o.losses};
  }
  bool operator==(const Tally&) const = default;
};

// For the first player of its pairs.
struct MatchResult {
  Tally as_white, as_black;
  PairCounts pairs{};
  std::map<Ending, int> endings;
  // By the player that failed: 0 the first, 1 the second.
  std::array<std::map<Fault, int>, 2> faults;
  int repeated = 0;         // games that repeat an earlier one with the same colours, move by move
  std::int64_t plies = 0;   // played by the players, without those of the openings
  double seconds = 0.0;     // of a match that was just played
  bool stopped = false;     // before all pairs were played

  Tally total() const { return as_white + as_black; }
  double score() const;  // points a game, 0 … 1
  int capped() const;
};

// Counts pair after pair.
class ScoreKeeper {
 public:
  void add(const PlayedPair& pair);
  MatchResult result;

 private:
  void add(const PlayedGame& game, Side side);
  std::array<std::unordered_set<std::string>, 2> seen_;  // games by colour, as their moves' bytes
};

}  // namespace gounki::arena
