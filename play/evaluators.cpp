#include "play/evaluators.h"

#include "mcts/evaluators.h"
#include "nn/network_evaluator.h"
#include "play/options.h"

namespace gounki::play {

std::shared_ptr<mcts::Evaluator> evaluator_from_text(const std::string& text, std::int64_t seed,
                                                     const Rules& rules) {
  const auto bits = static_cast<std::uint64_t>(seed);
  if (text == "handcrafted") return std::make_shared<mcts::HandcraftedEvaluator>();
  if (text == "uniform") return std::make_shared<mcts::UniformEvaluator>();
  if (text == "hash") return std::make_shared<mcts::HashEvaluator>(bits);
  if (text == "rollout") return std::make_shared<mcts::RolloutEvaluator>(bits, 1, rules);
  if (text == "reference") {
    const auto file = value_or_throw<Failure>(nn::reference_network());
    return value_or_throw<Failure>(nn::load_network(file));
  }
  if (text.starts_with("net:")) return value_or_throw<Failure>(nn::load_network(text.substr(4)));
  throw UsageError("unknown evaluator \"" + text +
                   "\"; expected reference, net:FILE, handcrafted, uniform, rollout or hash");
}

nn::Checkpoint load_model(const std::string& file_or_run) {
  const auto file = value_or_throw<Failure>(nn::checkpoint_of(file_or_run));
  return value_or_throw<Failure>(nn::load_checkpoint(file));
}

bool evaluator_needs_rules(const std::string& text) { return text == "rollout"; }

}  // namespace gounki::play
