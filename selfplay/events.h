// What a run tells while it goes on. Each function may be left empty; they are called one at a
// time, from any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arena/elo.h"
#include "arena/match.h"
#include "nn/network.h"
#include "selfplay/group.h"
#include "selfplay/quality.h"

namespace gounki::selfplay {

struct Started {
  std::filesystem::path run;
  std::string device;       // the backend's description
  int threads = 0;
  bool resumed = false;
  std::int64_t iteration = 0;  // the one that goes on or begins
  std::int64_t steps = 0;      // of the learner so far
  std::int64_t games = 0;      // played so far
};

struct GroupFinished {
  std::int64_t group = 0;
  PlayStats stats;                   // of this group
  PlayStats total;                   // of all groups that this call has played
  double seconds = 0;                // wall time of these
  int groups_done = 0, groups = 0;   // of this iteration; `groups` is 0 when there is no end
  double games_per_second() const { return seconds > 0 ? total.games / seconds : 0; }
  double moves_per_second() const { return seconds > 0 ? total.moves / seconds : 0; }
  double evaluations_per_second() const { return seconds > 0 ? total.evaluations / seconds : 0; }
};

// About once a second, and at the end of the steps.
struct LearnerProgress {
  std::int64_t step = 0, last_step = 0;  // steps so far, and those that are due now
  nn::Losses losses;                     // means over the steps since the last event
  double samples_per_second = 0;
};

// Means over the steps of one call, and how long they took.
struct StepsTaken {
  std::int64_t steps = 0;
  nn::Losses losses;
  double learning_rate = 0;  // of the last step
  double seconds = 0;
  double steps_per_second() const { return seconds > 0 ? static_cast<double>(steps) / seconds : 0; }
};

struct Evaluated {
  std::int64_t step = 0;
  std::string opponent;
  arena::MatchResult result;  // for the network
  arena::Strength strength;
};

// A new network's games against the one that makes the games.
struct GateResult {
  std::int64_t games = 0;
  double score = 0;
  bool takes_over = true;
};

struct IterationFinished {
  std::int64_t iteration = 0;
  std::int64_t step = 0;
  std::int64_t games = 0;         // of the whole run
  std::int64_t rows = 0;          // of the whole run
  std::int64_t window = 0;        // rows learned from
  PlayStats played;               // in this iteration by this process
  double play_seconds = 0;        // wall time
  StepsTaken learned;             // in this iteration by this process
  double samples_per_second = 0;  // of the learner
  double reuse = 0;               // how often a row of the run has been learned from, on average
  Quality quality;                // of the new network, on games that are held out
  std::optional<GateResult> gate;
  double minutes = 0;             // of the whole run
};

struct Events {
  std::function<void(const Started&)> started;
  std::function<void(const GroupFinished&)> group_finished;
  std::function<void(const LearnerProgress&)> learner_progress;
  std::function<void(const arena::MatchProgress&, const std::string& opponent)> evaluating;
  std::function<void(const Evaluated&)> evaluated;
  std::function<void(const IterationFinished&)> iteration_finished;
  std::function<void(const std::filesystem::path&)> checkpoint_written;
  // A file that is left out, and why; the text names it.
  std::function<void(const std::string&)> damaged;
  // Anything else that a person should know, in a sentence.
  std::function<void(const std::string&)> note;
};

// Calls an event's function where there is one.
template <class Function, class... Args>
void tell(const Function& function, Args&&... args) {
  if (function) function(std::forward<Args>(args)...);
}

}  // namespace gounki::selfplay
