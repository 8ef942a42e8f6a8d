// What a search evaluates its leaves with, by a text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/movegen.h"
#include "mcts/evaluator.h"
#include "nn/network.h"

namespace gounki::play {

// The network that ships with the program.
inline constexpr const char* kDefaultEvaluator = "reference";
inline constexpr const char* kEvaluatorHelp =
    "reference (the network that ships), net:FILE (a checkpoint or a run), handcrafted, uniform, rollout "
    "or hash";

// The evaluator of such a text; the seed is for what it draws at random, the rules for what it plays
// out. Another text is a UsageError, a network that cannot be loaded a Failure.
std::shared_ptr<mcts::Evaluator> evaluator_from_text(const std::string& text, std::int64_t seed,
                                                     const Rules& rules);
// The checkpoint of a file, or the newest of a run. Throws a Failure when there is none or it is damaged.
nn::Checkpoint load_model(const std::string& file_or_run);
// Whether the evaluator of such a text depends on those rules.
bool evaluator_needs_rules(const std::string& text);

}  // namespace gounki::play
