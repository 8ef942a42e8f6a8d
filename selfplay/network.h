// The network that self-play asks: which of a run's checkpoints, and how it is served.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>

#include "mcts/evaluator.h"
#include "nn/network.h"
#include "selfplay/events.h"
#include "selfplay/run_folder.h"

namespace gounki::selfplay {

struct PlayingNetwork {
  std::shared_ptr<mcts::Evaluator> evaluator;
  std::int64_t step = 0;
};

PlayingNetwork serve(nn::Backend& backend, const nn::Checkpoint& checkpoint);

// The learner that a run begins with; its weights follow from the seed.
std::unique_ptr<nn::Learner> first_learner(nn::Backend& backend, const RunConfig& config,
                                           int threads);

// The newest checkpoint of a run that can be read; it changes while a learner works on the run.
class NewestNetwork {
 public:
  NewestNetwork(RunFolder run, nn::Backend& backend, const Events& events);
  // Throws a Failure when there is none. Damaged ones are told once each and left out.
  PlayingNetwork get();

 private:
  RunFolder run_;
  nn::Backend& backend_;
  const Events& events_;
  std::filesystem::path path_;  // of the checkpoint that is served
  PlayingNetwork network_;
  std::set<std::filesystem::path> damaged_;
};

}  // namespace gounki::selfplay
