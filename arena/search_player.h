// A Monte Carlo tree search as a player, with whatever evaluator it is given.
#pragma once

#include <memory>
#include <string>

#include "arena/player.h"
#include "mcts/config.h"
#include "mcts/evaluator.h"

namespace gounki::arena {

class SearchPlayer : public Player {
 public:
  SearchPlayer(const mcts::SearchConfig& config, std::shared_ptr<mcts::Evaluator> evaluator,
               std::string name);
  // Searches all turns in lock step: their leaves make one batch.
  void choose(std::span<const Turn> turns, std::span<Choice> choices) override;
  std::string name() const override { return name_; }

 private:
  mcts::SearchConfig config_;
  std::shared_ptr<mcts::Evaluator> evaluator_;
  std::string name_;
};

}  // namespace gounki::arena
