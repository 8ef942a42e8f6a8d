// gounki bench net: how fast a network is served on one core.
#pragma once

#include <string>

namespace gounki::play {

struct NetBenchOptions {
  std::string network;  // "4x32"
  std::string model;    // a checkpoint or a run; at most one of the two is given
  int seconds = 10;
};

// Prints a table, or one JSON object. Throws a UsageError for a shape that is none, and a Failure for
// a model that cannot be read.
void run_net_bench(const NetBenchOptions& options, bool json);

}  // namespace gounki::play
