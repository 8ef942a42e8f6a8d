// Matches: paired games from varied openings, in groups that run in lock step.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arena/played.h"
#include "arena/player.h"
#include "arena/score.h"
#include "arena/table.h"
#include "core/game.h"
#include "core/params.h"

namespace gounki::arena {

// How pairs are played, whoever chooses them.
struct PairsConfig : TableConfig {
  std::int64_t seed = 1;
  int threads = 0;
  int group_pairs = 10;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = PairsConfig;
    visit("seed", &C::seed, Range{0, 9e15}, "Of the openings and of all that players draw.");
    visit("threads", &C::threads, Range{0, 4096},
          "Groups of games that are played at once; 0 for as many as there are cores.");
    visit("group_pairs", &C::group_pairs, Range{1, 4096},
          "Pairs whose games run in lock step, so that a network sees them as one batch. With a clock or "
          "an external engine each game runs by itself.");
    TableConfig::describe(visit);
  }
};

struct MatchConfig : PairsConfig {
  int pairs = 20;

  template <class Visit>
  static void describe(Visit&& visit) {
    visit("pairs", &MatchConfig::pairs, Range{1, 1'000'000},
          "Openings that each two players play, each twice with colours swapped.");
    PairsConfig::describe(visit);
  }
};

struct Seat {
  Player* player = nullptr;
  std::optional<TimeControl> clock = {};
};

struct MatchProgress {
  int games = 0, games_total = 0;  // of those asked for
  Tally so_far;                    // for the first player of each pair
  double seconds = 0.0;
};

// Called from one thread at a time; which one may change.
struct MatchCallbacks {
  // A pair, in the order in which the pairs were given, whatever the number of threads. When it says
  // false the match is over: no further pair is told of, and games under way are broken off.
  std::function<bool(const PlayedPair&)> pair = {};
  // After each game, in the order in which they end.
  std::function<void(const MatchProgress&)> progress = {};
  // Of a player that failed its turn.
  std::function<void(const Player&, const PlayedGame&)> fault = {};
};

// Plays these pairs; they name seats and openings by number. The games depend on the players, the
// openings, the pairs and the config, not on the number of threads or on the order of the pairs.
// When `*stop` turns true no new group begins and those under way are played to their end. Throws a
// Failure that names the player when one that is no other program chooses an illegal move.
// Says whether all pairs were played.
bool play_pairs(std::span<const Seat> seats, std::span<const Game> openings,
                std::span<const Pairing> pairs, const PairsConfig& config,
                const MatchCallbacks& callbacks = {}, const std::atomic<bool>* stop = nullptr);

// Two players over the first `config.pairs` openings; there must be as many.
MatchResult play_match(Player& first, Player& second, std::span<const Game> openings,
                       const MatchConfig& config, const MatchCallbacks& callbacks = {},
                       const std::atomic<bool>* stop = nullptr);

}  // namespace gounki::arena
