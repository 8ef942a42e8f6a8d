// How many positions a network answers and learns from in a second, by shape, batch and threads.
#include <memory>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/game.h"
#include "core/random.h"
#include "nn/encoder.h"
#include "nn/network.h"

namespace {

using namespace gounki;

// Positions of random games with the move that was played as the target.
nn::Batch make_batch(int size) {
  nn::Batch batch;
  batch.size = size;
  batch.planes.resize(static_cast<std::size_t>(size) * nn::kInputSize);
  batch.wdl.resize(static_cast<std::size_t>(size) * 3);
  batch.plies_left.assign(static_cast<std::size_t>(size), 20.0f);
  batch.reply.assign(static_cast<std::size_t>(size), 77);
  batch.weight.assign(static_cast<std::size_t>(size), 1.0f);
  Rng rng(1);
  Game game;
  for (int i = 0; i < size; ++i) {
    if (game.is_over()) game = Game();
    const MoveList moves = game.legal_moves();
    const Move played = moves[static_cast<int>(rng.below(static_cast<std::uint64_t>(moves.size())))];
    nn::encode(game.position(), game.repetitions(),
               std::span<float, nn::kInputSize>(&batch.planes[i * nn::kInputSize], nn::kInputSize));
    for (const Move move : moves) {
      batch.policy_index.push_back(static_cast<std::uint16_t>(move.index()));
      batch.policy.push_back(move == played ? 1.0f : 0.0f);
    }
    batch.policy_offsets.push_back(static_cast<std::int32_t>(batch.policy.size()));
    batch.wdl[i * 3 + i % 3] = 1.0f;
    game.play(played);
  }
  return batch;
}

nn::NetworkConfig shape(const benchmark::State& state) {
  return {.blocks = static_cast<int>(state.range(0)), .channels = static_cast<int>(state.range(1))};
}

// Every thread asks the same network, each with batches of its own.
void serve(benchmark::State& state) {
  static std::unique_ptr<nn::ServedNetwork> network;
  if (state.thread_index() == 0)
    network = nn::serve(nn::backend().make_learner(shape(state), {}, 1, 1)->checkpoint());
  const int n = static_cast<int>(state.range(2));
  const nn::Batch batch = make_batch(n);
  std::vector<float> policy(static_cast<std::size_t>(n) * Move::kIndices), wdl(batch.wdl.size()), plies(batch.plies_left.size());
  for (auto _ : state)
    network->forward(batch.planes.data(), n, policy.data(), wdl.data(), plies.data());
  state.SetItemsProcessed(state.iterations() * n);
}
BENCHMARK(serve)
    ->ArgNames({"blocks", "channels", "batch"})
    ->ArgsProduct({{2, 4}, {32}, {1, 8, 16, 32, 64, 128}})
    ->ArgsProduct({{3}, {24}, {1, 8, 16, 32, 64, 128}})
    ->ArgsProduct({{6}, {64}, {1, 8, 16, 32, 64, 128}})
    ->Threads(1)->Threads(2)->UseRealTime();

void learn(benchmark::State& state) {
  const nn::Batch batch = make_batch(static_cast<int>(state.range(2)));
  const auto learner = nn::backend().make_learner(shape(state), {}, 1, static_cast<int>(state.range(3)));
  for (auto _ : state) learner->step(batch);
  state.SetItemsProcessed(state.iterations() * batch.size);
}
BENCHMARK(learn)
    ->ArgNames({"blocks", "channels", "batch", "threads"})
    ->ArgsProduct({{2, 4}, {32}, {256, 512}, {1, 2}})
    ->ArgsProduct({{3}, {24}, {256, 512}, {1, 2}})
    ->ArgsProduct({{6}, {64}, {256, 512}, {1, 2}})
    ->UseRealTime();

void encode(benchmark::State& state) {
  const Position position = Position::start();
  std::vector<float> planes(nn::kInputSize);
  for (auto _ : state) {
    nn::encode(position, 0, std::span<float, nn::kInputSize>(planes.data(), nn::kInputSize));
    benchmark::DoNotOptimize(planes.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(encode);

}  // namespace
