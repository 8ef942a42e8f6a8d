// A group of self-play games: the unit of work. One thread plays its games in lock step, one leaf
// per game at a time that the network has not seen, so that it sees a batch.
//
// Group g holds the games g * games_per_group and on. Its games follow from the config, the seed,
// the group's number and the network alone: nothing of another group and nothing of time reaches
// it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "mcts/evaluator.h"
#include "selfplay/config.h"
#include "selfplay/shard.h"

namespace gounki::selfplay {

// How far an interrupt goes.
enum StopLevel : int { kGoOn = 0, kFinishGames = 1, kStopAtOnce = 2 };

// What playing has cost. The times say nothing about the games.
struct PlayStats {
  std::int64_t games = 0, moves = 0, rows = 0, capped = 0;
  std::int64_t white_wins = 0, black_wins = 0, draws = 0;
  std::int64_t evaluations = 0, batches = 0;  // positions that the network saw, and its calls
  std::int64_t slots = 0;                     // positions that full batches would have held
  // Positions that the cache was asked for, and those of them that the network did not see. Both
  // are 0 without a cache; with one, lookups = hits + evaluations.
  std::int64_t cache_lookups = 0, cache_hits = 0;
  double seconds = 0;          // of the threads that played, added up
  double network_seconds = 0;  // of these, in the evaluator

  // A batch is full when every game under way at the same time has a position in it.
  double batch_fill() const;
  double cache_hit_share() const;
  double network_share() const { return seconds > 0 ? network_seconds / seconds : 0; }
  PlayStats& operator+=(const PlayStats& other);
};

struct Group {
  std::int64_t number = 0;
  std::vector<GameRecord> records;  // by game number
  Shard shard;
  PlayStats stats;
};

// Plays one group after the other. Between them it keeps memory, and nothing else.
class GroupPlayer {
 public:
  // The config must outlive it.
  explicit GroupPlayer(const RunConfig& config);
  ~GroupPlayer();

  // Plays group `number` with a network of `network_step` learner steps. Nothing when `stop` reached
  // kStopAtOnce before the end.
  std::optional<Group> play(std::int64_t number, mcts::Evaluator& network, std::int64_t network_step,
                            const std::atomic<int>& stop);

 private:
  class Table;
  std::unique_ptr<Table> table_;
};

// The record file of a group.
std::string records_text(const Group& group);

}  // namespace gounki::selfplay
