// A Monte Carlo tree search as a player, with whatever evaluator it is given.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "arena/player.h"
#include "mcts/engine.h"
#include "mcts/evaluator.h"

namespace gounki::arena {

class SearchPlayer : public Player {
 public:
  // Without a movetime or a clock the config's visits always limit a search; beside one they do if
  // `visits_too`. A cache is shared by all searches of the player. Throws a UsageError when the
  // config does not pass its check().
  SearchPlayer(const mcts::EngineConfig& config, std::shared_ptr<mcts::Evaluator> evaluator,
               std::string name, bool visits_too = false);

  // With one thread, no movetime and no clock all turns are searched in lock step: their leaves make one
  // batch. Otherwise one turn is searched after another.
  void choose(std::span<const Turn> turns, std::span<Choice> choices) override;
  std::string name() const override { return name_; }

  void follow_game() override;
  bool can_ponder() const override { return config_.reuse && !config_.is_gumbel(); }
  void ponder(const Game& game) override;

 private:
  void choose_in_lock_step(std::span<const Turn> turns, std::span<Choice> choices);
  void choose_one_by_one(mcts::Engine& engine, std::span<const Turn> turns,
                         std::span<Choice> choices) const;
  std::unique_ptr<mcts::Engine> borrow();
  void give_back(std::unique_ptr<mcts::Engine> engine);

  mcts::EngineConfig config_;                   // without the cache and its memory
  std::shared_ptr<mcts::Evaluator> evaluator_;  // behind the cache, if there is one
  std::string name_;
  bool visits_too_;

  std::unique_ptr<mcts::Engine> follower_;  // of the one game that is followed
  std::mutex mutex_;
  std::vector<std::unique_ptr<mcts::Engine>> idle_;  // one for each thread that ever chose at once
};

}  // namespace gounki::arena
