// Searches for tests: run to their end in one line.
#pragma once

#include <string>

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

}  // namespace gounki::mcts::testing
