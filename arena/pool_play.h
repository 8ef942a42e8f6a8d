// A pool that chooses its own games, in blocks of pairs: first neighbours in its order meet until all
// are connected, then whoever tells most. Every two players have a log of their own (match_log.h) in
// one folder. What was played there counts, so a pool can be killed at any time and gone on with, and
// plays the same games as one that was not killed.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arena/match.h"
#include "arena/match_log.h"
#include "arena/openings.h"
#include "arena/rating.h"
#include "core/file_lock.h"

namespace gounki::arena {

struct PoolConfig : PairsConfig {
  PoolConfig() { group_pairs = 5; }

  int pairs = 400;
  int block = 10;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = PoolConfig;
    visit("pairs", &C::pairs, Range{0, 10'000'000},
          "Pairs of games in all, with those of earlier times; 0 for no limit.");
    visit("block", &C::block, Range{1, 100'000}, "Pairs that two players play before others are chosen.");
    PairsConfig::describe(visit);
  }
};

struct PoolPlayer {
  std::string text;  // in the logs
  Player* player = nullptr;
};

struct PoolProgress {
  int first = 0, second = 0;  // who play, by their numbers in the pool
  MatchProgress block;
  std::int64_t pairs = 0;     // played before this block, in all
};

class PlayedPool {
 public:
  // Reads what the folder has of these players, who should stand in about the order of their
  // strength, as games between neighbours tell most. `interest` are the players whose ratings the games
  // are chosen for, once all players are connected; if empty, all. Throws a Failure when another process
  // plays the pool, or when a log is damaged or of other settings; a UsageError when two players have
  // the same text or there are fewer than two.
  PlayedPool(std::filesystem::path folder, std::vector<PoolPlayer> players, const PoolConfig& config,
             const OpeningsConfig& openings, const Rules& rules, const RatingAnchor& anchor,
             std::vector<int> interest);
  ~PlayedPool() { lock_.remove(); }

  // Plays until `config.pairs` are played or `*stop` turns true, and says whether they are.
  bool play(const std::function<void(const PoolProgress&)>& progress, const std::atomic<bool>& stop);

  Ratings ratings() const;
  std::int64_t pairs() const { return pairs_; }

 private:
  // Two players, the first with the smaller number.
  struct Meeting {
    std::unique_ptr<MatchLog> log;
    int played = 0;  // of the openings from the first on
    PairCounts counts{};
    void add(const PlayedPair& pair);
  };
  using Who = std::pair<int, int>;

  std::filesystem::path log_path(const Who& who) const;
  Meeting open(const Who& who);
  void make_openings_up_to(int count);
  Who next_meeting() const;
  void play_block(const Who& who, const std::function<void(const PoolProgress&)>& progress,
                  const std::atomic<bool>& stop);

  std::filesystem::path folder_;
  FileLock lock_;
  std::vector<PoolPlayer> players_;
  PoolConfig config_;
  OpeningsConfig openings_config_;
  Rules rules_;
  RatingAnchor anchor_;
  std::vector<int> interest_;
  std::vector<Game> openings_;
  std::map<Who, Meeting> meetings_;
  std::int64_t pairs_ = 0;
};

}  // namespace gounki::arena
