// The main job: self-play and learning in turn, measured as it goes.
//
// Iteration i plays groups i * groups_per_iteration and on with the network that iteration i - 1
// made (the first network is random), then learns until every row has been used `reuse` times on
// average, then writes a checkpoint. What a run makes depends on its config alone, not on time: all
// that is missing is derived from the files, so a run that was killed anywhere and started again
// ends with the games, samples and networks of one that was not. Limits are looked at between
// iterations, but for `steps`, which is met exactly.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "nn/network.h"
#include "selfplay/config.h"
#include "selfplay/events.h"

namespace gounki::selfplay {

struct TrainSummary {
  std::string reason;        // why it ended: the limit's key, or "interrupt"
  std::int64_t iterations = 0, steps = 0, games = 0;
  double minutes = 0;        // of the whole run
  std::int64_t damaged = 0;  // files left out
  std::vector<Evaluated> evaluation;  // of the last network; empty after an interrupt
};

// Begins or goes on with the run in folder `run`; `config` may be missing where it goes on. While
// it runs nobody else learns there, but others may play. At stop 1 the games under way are finished
// and everything is saved, at 2 it returns at once. Throws a UsageError before any work, a Failure
// where the run cannot go on.
TrainSummary train(const std::filesystem::path& run, const std::optional<RunConfig>& config,
                   nn::Backend& backend, const Events& events, const std::atomic<int>& stop);

}  // namespace gounki::selfplay
