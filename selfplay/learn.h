// The learning half of a run alone, beside any number of processes that play.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "nn/network.h"
#include "selfplay/config.h"
#include "selfplay/events.h"
#include "selfplay/quality.h"

namespace gounki::selfplay {

struct LearnRequest {
  std::int64_t steps = 0;  // 0: as many as the samples allow
  int threads = 0;         // 0: as the config says
  bool follow = false;     // wait for new samples, until `steps` or an interrupt
  // A folder whose shards are learned from in place of the run's own; none where empty.
  std::filesystem::path samples = {};
};

struct LearnSummary {
  std::int64_t steps = 0;       // of the learner now
  std::int64_t taken = 0;       // in this call
  std::int64_t rows = 0, damaged = 0;
  Quality quality;              // of what has been learned, on games that are held out
};

// The job of `gounki learn`: steps over the newest samples, at most as many as [replay] reuse
// allows. Saves a checkpoint and the learner's state at the end, and whenever its steps are a
// multiple of save_steps. Throws a Failure that says how many rows there are and how many it takes
// when there are too few and it is not to follow. `config` may be missing where the run is there.
LearnSummary learn(const std::filesystem::path& run, const std::optional<RunConfig>& config,
                   const LearnRequest& request, nn::Backend& backend, const Events& events,
                   const std::atomic<int>& stop);

}  // namespace gounki::selfplay
