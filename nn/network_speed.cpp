#include "nn/network_speed.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "core/game.h"
#include "core/random.h"
#include "nn/cpu/convolution.h"
#include "nn/cpu/cpu_network.h"
#include "nn/network_evaluator.h"
#include "nn/stopwatch.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBatches[] = {1, 2, 4, 8, 16, 32, 64, 128};
constexpr int kMostPositions = 128;
constexpr double kSlice = 0.004;  // seconds of one measurement, where a call does not take longer
constexpr int kLeastRounds = 3;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Positions of random games, none of them over.
std::vector<mcts::Leaf> random_leaves(int count) {
  std::vector<mcts::Leaf> leaves;
  Rng rng(1);
  Game game;
  while (static_cast<int>(leaves.size()) < count) {
    if (game.is_over()) game = Game();
    const MoveList moves = game.legal_moves();
    leaves.push_back({game.position(), game.repetitions(), moves});
    game.play(moves[static_cast<int>(rng.below(static_cast<std::uint64_t>(moves.size())))]);
  }
  return leaves;
}

std::vector<float> planes_of(const std::vector<mcts::Leaf>& leaves) {
  std::vector<float> planes(leaves.size() * kInputSize);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    encode(leaves[i].position, leaves[i].repetitions,
           std::span<float, kInputSize>(&planes[i * kInputSize], kInputSize));
  return planes;
}

// A thread's room for answers.
struct Answers {
  std::vector<float> policy = std::vector<float>(kMostPositions * Move::kIndices),
                     wdl = std::vector<float>(kMostPositions * 3),
                     plies_left = std::vector<float>(kMostPositions);

  void ask(const ServedNetwork& network, const std::vector<float>& planes, int n) {
    network.forward(planes.data(), n, policy.data(), wdl.data(), plies_left.data());
  }
};

// Takes no time, and leaves its caller's buffers as they are.
class SilentNetwork : public ServedNetwork {
 public:
  void forward(const float*, int, float*, float*, float*) const override {}
};

// As direct_multiply_adds, of what the kernels really do in matrix products.
double executed_multiply_adds(const NetworkConfig& network, const cpu::Kernels& kernels) {
  double sum = 0;
  for (const WeightSpec& spec : weight_specs(network)) {
    if (spec.shape.size() < 2) continue;
    const double size = double(cpu::padded(static_cast<int>(spec.shape[0]), kernels)) *
                        cpu::padded(static_cast<int>(spec.shape[1]), kernels);
    const bool winograd = spec.shape.size() == 4 && spec.shape[2] == 3;
    sum += size * (winograd ? cpu::kPoints * cpu::kTiles : spec.shape.size() == 4 ? kPlaneSize : 1);
  }
  return sum;
}

// A form while it is measured.
struct Candidate {
  FormSpeed speed;
  std::unique_ptr<ServedNetwork> network;
  const cpu::Kernels* kernels = nullptr;  // null for LibTorch
  Stopwatch peak;
  Stopwatch batches[std::size(kBatches)];
};

std::vector<Candidate> candidates(const Checkpoint& checkpoint, std::string& libtorch_problem) {
  std::vector<Candidate> out;
  for (const cpu::Kernels& kernels : cpu::usable_kernels()) {
    Candidate& form = out.emplace_back();
    form.speed.name = kernels.name;
    form.speed.executed_multiply_adds = executed_multiply_adds(checkpoint.network, kernels);
    form.network = make_cpu_network(checkpoint, kernels);
    form.kernels = &kernels;
  }
  try {
    auto network = backend().serve_with_libtorch(checkpoint);
    Candidate& form = out.emplace_back();
    form.speed.name = backend().gpus() > 0 ? "LibTorch on a GPU" : "LibTorch";
    form.network = std::move(network);
  } catch (const Failure& failure) {
    libtorch_problem = failure.what();
  }
  return out;
}

constexpr long kPeakRounds = 10'000;

void measure_peak(Candidate& form) {
  std::vector<float> sums(static_cast<std::size_t>(form.kernels->peak_multiply_adds), 1.0f);
  form.peak.measure(kSlice, [&] { form.kernels->run_at_peak(kPeakRounds, sums.data()); });
}

void finish(Candidate& form) {
  if (form.kernels != nullptr)
    form.speed.peak_gflops =
        2e-9 * kPeakRounds * form.kernels->peak_multiply_adds / form.peak.seconds();
  for (std::size_t b = 0; b < std::size(kBatches); ++b)
    form.speed.batches.push_back({kBatches[b], kBatches[b] / form.batches[b].seconds()});
}

// Positions/s of so many threads in all, each asking `network` batches of n.
double rate_of_threads(const ServedNetwork& network, const std::vector<float>& planes, int n,
                       int threads) {
  constexpr double kSeconds = 0.025;
  std::vector<double> rates(static_cast<std::size_t>(threads));
  std::vector<std::thread> workers;
  for (double& rate : rates)
    workers.emplace_back([&] {
      Answers answers;
      answers.ask(network, planes, n);  // the thread's first call gets its memory
      const auto begin = Clock::now();
      double seconds = 0;
      int calls = 0;
      for (; seconds < kSeconds; seconds = since(begin)) {
        answers.ask(network, planes, n);
        ++calls;
      }
      rate = calls * n / seconds;
    });
  for (std::thread& worker : workers) worker.join();
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

// Seconds that a position takes in an evaluator whose network takes none.
double seconds_beside(const std::vector<mcts::Leaf>& leaves) {
  std::vector<const mcts::Leaf*> asked;
  for (int i = 0; i < kBesideBatch; ++i) asked.push_back(&leaves[i]);
  std::vector<mcts::Evaluation> evaluations(kBesideBatch);
  NetworkEvaluator evaluator(std::make_unique<SilentNetwork>(), "silent");
  Stopwatch watch;
  for (int round = 0; round < 20; ++round)
    watch.measure(kSlice, [&] { evaluator.evaluate(asked, evaluations); });
  return watch.seconds() / kBesideBatch;
}

// Best of several rounds of one thread and of two in turn.
void measure_threads(const Candidate& form, const std::vector<float>& planes, NetworkSpeed& out) {
  const int n = form.speed.best().batch;
  for (int round = 0; round < 16; ++round) {
    out.one_thread = std::max(out.one_thread, rate_of_threads(*form.network, planes, n, 1));
    out.two_threads = std::max(out.two_threads, rate_of_threads(*form.network, planes, n, 2));
  }
}

}  // namespace

Checkpoint random_checkpoint(const NetworkConfig& network, std::uint64_t seed) {
  Checkpoint checkpoint;
  checkpoint.network = network;
  Rng rng(seed);
  for (const WeightSpec& spec : weight_specs(network)) {
    std::vector<float> values(static_cast<std::size_t>(spec.size()));
    const bool ones = spec.kind == WeightKind::NormScale || spec.kind == WeightKind::NormVariance;
    const bool weights = spec.kind == WeightKind::Kernel || spec.kind == WeightKind::OutputKernel;
    const double range = weights ? std::sqrt(6.0 / static_cast<double>(spec.fan_in())) : 0.0;
    for (float& value : values)
      value = ones ? 1.0f : static_cast<float>(range * (2 * rng.uniform() - 1));
    Tensor tensor;
    tensor.shape = spec.shape;
    tensor.data.resize(values.size() * sizeof(float));
    std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
    checkpoint.weights.tensors[spec.name] = std::move(tensor);
  }
  return checkpoint;
}

double direct_multiply_adds(const NetworkConfig& network) {
  double sum = 0;
  for (const WeightSpec& spec : weight_specs(network))
    if (spec.shape.size() >= 2)  // a convolution's kernel meets every square
      sum += static_cast<double>(spec.size()) * (spec.shape.size() == 4 ? kPlaneSize : 1);
  return sum;
}

const BatchSpeed& FormSpeed::best() const {
  return *std::ranges::max_element(batches, {}, &BatchSpeed::positions_per_second);
}

const FormSpeed& NetworkSpeed::best() const {
  return *std::ranges::max_element(
      forms, {}, [](const FormSpeed& form) { return form.best().positions_per_second; });
}

double NetworkSpeed::gflops(double positions_per_second) const {
  return 2e-9 * direct_multiply_adds * positions_per_second;
}

NetworkSpeed measure_network(const Checkpoint& checkpoint, double seconds,
                             const std::function<void(double)>& progress) {
  NetworkSpeed out;
  out.direct_multiply_adds = direct_multiply_adds(checkpoint.network);
  const std::vector<mcts::Leaf> leaves = random_leaves(kMostPositions);
  const std::vector<float> planes = planes_of(leaves);
  std::vector<Candidate> forms = candidates(checkpoint, out.libtorch_problem);

  Answers answers;
  const auto begin = Clock::now();
  for (int round = 0; round < kLeastRounds || since(begin) < seconds; ++round) {
    progress(since(begin));
    for (Candidate& form : forms)
      if (form.kernels != nullptr) measure_peak(form);
    for (std::size_t b = 0; b < std::size(kBatches); ++b)
      for (Candidate& form : forms)
        form.batches[b].measure(kSlice, [&] { answers.ask(*form.network, planes, kBatches[b]); });
  }
  const Candidate* best = nullptr;
  for (Candidate& form : forms) {
    finish(form);
    out.core_peak_gflops = std::max(out.core_peak_gflops, form.speed.peak_gflops);
    if (best == nullptr || form.speed.best().positions_per_second > best->speed.best().positions_per_second)
      best = &form;
  }
  measure_threads(*best, planes, out);
  out.beside_us = 1e6 * seconds_beside(leaves);
  const auto batch = std::ranges::find(best->speed.batches, kBesideBatch, &BatchSpeed::batch);
  out.forward_us = 1e6 / batch->positions_per_second;
  for (Candidate& form : forms) out.forms.push_back(std::move(form.speed));
  return out;
}

}  // namespace gounki::nn
