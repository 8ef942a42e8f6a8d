// What several tests of nn need: positions from random games, batches, temporary folders.
#pragma once

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "core/game.h"
#include "core/random.h"
#include "nn/network.h"
#include "tests/temporary_folder.h"

namespace gounki::nn::test {

using testing::TemporaryFolder;

// Games in the middle, none of them over, by random moves.
inline std::vector<Game> random_games(int count, std::uint64_t seed) {
  std::vector<Game> games;
  for (std::uint64_t number = 0; static_cast<int>(games.size()) < count; ++number) {
    Rng rng(derive_seed({seed, number}));
    Game game;
    for (auto plies = rng.below(60); plies > 0 && !game.is_over(); --plies) {
      const MoveList moves = game.legal_moves();
      game.play(moves[static_cast<int>(rng.below(static_cast<std::uint64_t>(moves.size())))]);
    }
    if (!game.is_over()) games.push_back(std::move(game));
  }
  return games;
}

// Positions of random games with random targets: one likely move, one result each.
inline Batch random_batch(int size, std::uint64_t seed) {
  Rng rng(seed);
  Batch batch;
  batch.size = size;
  batch.planes.resize(static_cast<std::size_t>(size) * kInputSize);
  batch.wdl.resize(static_cast<std::size_t>(size) * 3);
  const std::vector<Game> games = random_games(size, seed);
  for (int i = 0; i < size; ++i) {
    const Game& game = games[i];
    encode(game.position(), game.repetitions(),
           std::span<float, kInputSize>(&batch.planes[i * kInputSize], kInputSize));
    const MoveList moves = game.legal_moves();
    const int best = static_cast<int>(rng.below(static_cast<std::uint64_t>(moves.size())));
    for (int m = 0; m < moves.size(); ++m) {
      batch.policy_index.push_back(static_cast<std::uint16_t>(moves[m].index()));
      batch.policy.push_back(0.2f / static_cast<float>(moves.size()) + (m == best ? 0.8f : 0.0f));
    }
    batch.policy_offsets.push_back(static_cast<std::int32_t>(batch.policy.size()));
    batch.reply.push_back(i % 5 == 4 ? -1 : static_cast<int>(rng.below(Move::kIndices)));
    batch.wdl[i * 3 + static_cast<int>(rng.below(3))] = 1.0f;
    batch.plies_left.push_back(i % 4 == 3 ? -1.0f : static_cast<float>(rng.below(60)));
    batch.weight.push_back(static_cast<float>(0.5 + rng.uniform()));
  }
  return batch;
}

inline const NetworkConfig kTiny{.blocks = 2, .channels = 8, .value_channels = 2, .value_hidden = 8};

// A network that has learned a little, so that its batch norms are not what they began as.
inline Checkpoint tiny_checkpoint(std::uint64_t seed = 7, const NetworkConfig& network = kTiny) {
  const auto learner = backend().make_learner(network, {.learning_rate = 0.05}, seed, 1);
  for (std::uint64_t step = 0; step < 5; ++step) learner->step(random_batch(16, seed + step));
  return learner->checkpoint();
}

}  // namespace gounki::nn::test
