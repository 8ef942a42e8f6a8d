// How fast a network is served on one core, by each form that this machine can run, against what the
// core can do at most.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nn/network.h"

namespace gounki::nn {

// A network of this shape with weights at random, for measuring; it knows nothing.
Checkpoint random_checkpoint(const NetworkConfig& network, std::uint64_t seed);

// Multiply-adds that a position takes when convolutions are computed as they are defined. This is how
// networks are compared, whatever algorithm serves them.
double direct_multiply_adds(const NetworkConfig& network);

struct BatchSpeed {
  int batch = 0;
  double positions_per_second = 0;
};

struct FormSpeed {
  std::string name;  // of the kernels, "LibTorch", or "LibTorch on a GPU"
  double peak_gflops = 0;            // of its instructions on one core; 0 for LibTorch, which chooses
  double executed_multiply_adds = 0;  // a position, in matrix products; 0 for LibTorch
  std::vector<BatchSpeed> batches;

  const BatchSpeed& best() const;
};

struct NetworkSpeed {
  double direct_multiply_adds = 0;  // a position
  double core_peak_gflops = 0;      // the highest of all instructions
  std::vector<FormSpeed> forms;
  std::string libtorch_problem;     // why LibTorch is not among them; empty where it is
  // Of the best form at its best batch, positions/s of one thread, and of two in all, each with a
  // batch of its own.
  double one_thread = 0, two_threads = 0;
  // Microseconds that a position takes in an evaluator beside the network, encoding and reading
  // answers, and in the network, in batches of kBesideBatch by the best form.
  double beside_us = 0, forward_us = 0;

  const FormSpeed& best() const;
  // GFLOP/s of the direct arithmetic, two for a multiply-add.
  double gflops(double positions_per_second) const;
};

inline constexpr int kBesideBatch = 32;

// Measures for about `seconds`: short rounds of all forms and batches in turn, of which the best
// counts, since other work on the machine only ever makes a round slower. `progress` is told between
// rounds how many seconds are over.
NetworkSpeed measure_network(const Checkpoint& checkpoint, double seconds,
                             const std::function<void(double)>& progress = [](double) {});

}  // namespace gounki::nn
