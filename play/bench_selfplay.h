// gounki bench selfplay: how much of self-play's time is the network's, by two ways of counting.
#pragma once

#include <string>

namespace gounki::play {

struct SelfplayBenchOptions {
  std::string config;  // a training config
  std::string model;   // a checkpoint or a run; empty for a network of the config's shape at random
  int seconds = 10;    // of play, about; a group of games is played to its end
};

// Prints lines, or one JSON object. Throws a UsageError for a config that is none, and a Failure for a
// model that cannot be read.
void run_selfplay_bench(const SelfplayBenchOptions& options, bool json);

}  // namespace gounki::play
