// Matches between two players: paired games from varied openings, in groups that run in lock step.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "arena/elo.h"
#include "arena/player.h"
#include "core/game.h"
#include "core/params.h"
#include "core/record.h"

namespace gounki::arena {

struct MatchConfig {
  int pairs = 20;
  std::int64_t seed = 1;
  int threads = 0;
  int ply_cap = 400;
  int group_pairs = 10;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = MatchConfig;
    visit("pairs", &C::pairs, Range{1, 1'000'000},
          "Openings to play, each twice with colours swapped.");
    visit("seed", &C::seed, Range{0, 9e15}, "Of the openings and of all that players draw.");
    visit("threads", &C::threads, Range{0, 4096},
          "Groups of games that are played at once; 0 for as many as there are cores.");
    visit("ply_cap", &C::ply_cap, Range{1, 10'000},
          "A game that reaches this ply is adjudicated a draw and counted as capped.");
    visit("group_pairs", &C::group_pairs, Range{1, 4096},
          "Pairs whose games run in lock step, so that a network sees them as one batch.");
  }
};

// One side of a match: points are counted from the first player's side.
struct Tally {
  int wins = 0, draws = 0, losses = 0;

  int games() const { return wins + draws + losses; }
  double points() const { return wins + 0.5 * draws; }
  Tally operator+(const Tally& o) const {
    return {wins + o.wins, draws + o.draws, losses + o.losses};
  }
  bool operator==(const Tally&) const = default;
};

struct MatchGame {
  int pair = 0;            // from 0
  bool first_is_white = true;  // the first player has White in the first game of a pair
  bool capped = false;
  GameRecord record;
};

// For the first player. Only whole pairs are counted.
struct MatchResult {
  Tally as_white, as_black;
  PairCounts pairs{};
  int capped = 0;
  int repeated = 0;  // games that repeat an earlier one of the match, move by move
  std::int64_t plies = 0;  // played by the players, without those of the openings
  double seconds = 0.0;
  bool stopped = false;  // before all pairs were played

  Tally total() const { return as_white + as_black; }
  double score() const;  // points a game, 0 … 1
};

struct MatchProgress {
  int games = 0, games_total = 0;
  Tally so_far;  // for the first player
  double seconds = 0.0;
};

// Called from one thread at a time; which one may change.
struct MatchCallbacks {
  // In the order of the pairs, whatever the number of threads.
  std::function<void(const MatchGame&)> game = {};
  // After each game, in the order in which they end.
  std::function<void(const MatchProgress&)> progress = {};
};

// Plays a pair from each of the first `config.pairs` openings; there must be as many. The games
// depend on the players, the openings and the config, not on the number of threads. When `*stop`
// turns true no new group begins and those under way are played to their end. Throws a Failure that
// names the player when one chooses an illegal move.
MatchResult play_match(Player& first, Player& second, std::span<const Game> openings,
                       const MatchConfig& config, const MatchCallbacks& callbacks = {},
                       const std::atomic<bool>* stop = nullptr);

}  // namespace gounki::arena
