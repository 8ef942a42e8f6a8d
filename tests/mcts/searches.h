// Searches for tests: run to their end in one line.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/notation.h"
#include "mcts/evaluators.h"
#include "mcts/search.h"

namespace gounki::mcts::testing {

inline SearchConfig config_of(const std::string& algorithm, int visits) {
  SearchConfig config;
  config.algorithm = algorithm;
  config.visits = visits;
  return config;
}

// With what self-play draws at the root.
inline SearchConfig noisy(const std::string& algorithm, int visits) {
  SearchConfig config = config_of(algorithm, visits);
  config.root_noise_weight = 0.25;
  config.gumbel_noise = 1.0;
  return config;
}

inline Game game_of(const std::string& position, const Rules& rules = {}) {
  return Game(parse_position(position).value(), rules);
}

// A search of this game that has ended.
inline Search searched(const SearchConfig& config, const Game& game, Evaluator& evaluator,
                       std::uint64_t seed = 1, int leaves_each = 1) {
  Search search(config);
  search.start(game, seed);
  Search* const searches[] = {&search};
  run_in_lock_step(searches, evaluator, leaves_each);
  return search;
}

// What a result says of a move that is in it.
inline const MoveStats& stats_of(const SearchResult& result, Move move) {
  return *std::find_if(result.moves.begin(), result.moves.end(),
                       [move](const MoveStats& stats) { return stats.move == move; });
}

inline std::vector<Evaluation> evaluate(Evaluator& evaluator, std::span<const Leaf> leaves) {
  std::vector<const Leaf*> pointers;
  for (const Leaf& leaf : leaves) pointers.push_back(&leaf);
  std::vector<Evaluation> out(leaves.size());
  evaluator.evaluate(pointers, out);
  return out;
}

inline Evaluation evaluate(Evaluator& evaluator, const Leaf& leaf) {
  return evaluate(evaluator, std::span(&leaf, 1))[0];
}

}  // namespace gounki::mcts::testing
