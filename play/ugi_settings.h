// The options of `gounki ugi`.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "arena/ugi_lines.h"
#include "mcts/engine.h"
#include "play/evaluators.h"

namespace gounki::play {

// All parameters of a search, and some of the conversation.
struct UgiSettings : mcts::EngineConfig {
  // Megabytes for the tree if nothing else is said: a search by a clock or without an end has no
  // limit of visits, and a much larger tree takes long to give back.
  static constexpr int kMostMemory = 2048;

  UgiSettings() { memory_mb = std::min(mcts::half_of_memory_mb(), kMostMemory); }

  std::string evaluator = kDefaultEvaluator;
  std::int64_t seed = 1;
  int multipv = 1;
  bool ponder = false;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = UgiSettings;
    visit("evaluator", &C::evaluator, Range{},
          "What evaluates positions: reference, net:FILE, handcrafted, uniform, rollout or hash.");
    visit("seed", &C::seed, Range{0, 9e15}, "Of all that is drawn at random.");
    visit("multipv", &C::multipv, Range{1, 160},
          "Lines of play to tell, each with another first move.");
    visit("ponder", &C::ponder, Range{},
          "Name the move that is expected after the own one, in bestmove.");
    EngineConfig::describe(visit);
  }
};

// The options as the protocol lists them, with these values as their defaults.
std::vector<arena::UgiOption> ugi_options(const UgiSettings& settings);

// Sets the option that is called so; capitals do not matter. The error says what is wrong, and
// nothing has changed then.
Expected<void> set_ugi_option(UgiSettings& settings, const std::string& name,
                              const std::string& value);

}  // namespace gounki::play
