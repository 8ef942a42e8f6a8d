// Playing groups of games into a run folder, on several threads and beside other processes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "nn/network.h"
#include "selfplay/events.h"
#include "selfplay/group.h"
#include "selfplay/network.h"
#include "selfplay/run_folder.h"

namespace gounki::selfplay {

// A group that this process alone plays, and the network for it.
struct ClaimedGroup {
  std::int64_t number = 0;
  FileLock claim;
  PlayingNetwork network;
};

struct PlayTotals {
  PlayStats stats;
  double seconds = 0;  // wall time
};

// How many threads play on so many cores. Where GPUs serve the networks a core has two, each with a
// group: one walks while the other waits for its batch.
int playing_threads(const nn::Backend& backend, int cores);

// Takes groups from `next`, which is called by one thread at a time, until it gives none, and plays
// each on one of `threads` threads. A group's shard is written first, then its records; both are
// whole or not there. At kFinishGames no new group begins. `groups` is how many there are to come,
// for the events; 0 when that is open.
PlayTotals play_claimed_groups(const RunFolder& run, const RunConfig& config, int threads,
                               const std::function<std::optional<ClaimedGroup>()>& next, int groups,
                               const Events& events, const std::atomic<int>& stop);

// The same for the groups first … end - 1 that are not done, with one network. Returns when all are
// done, also those that other processes play; earlier when stopped.
PlayTotals play_groups(const RunFolder& run, const RunConfig& config, int threads,
                       std::int64_t first, std::int64_t end, const PlayingNetwork& network,
                       const Events& events, const std::atomic<int>& stop);

struct PlayRequest {
  std::int64_t groups = 0;  // 0: until stopped
  int threads = 0;          // 0: as the config says
};

// The job of `gounki selfplay`: plays the lowest groups that nobody has played or plays, each with
// the newest checkpoint there is when it begins. Any number of processes may do so on one folder. A
// new run is made from `config`.
PlayTotals play_games(const std::filesystem::path& run, const std::optional<RunConfig>& config,
                      const PlayRequest& request, nn::Backend& backend, const Events& events,
                      const std::atomic<int>& stop);

}  // namespace gounki::selfplay
