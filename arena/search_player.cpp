#include "arena/search_player.h"

#include <utility>
#include <vector>

#include "mcts/search.h"

namespace gounki::arena {

SearchPlayer::SearchPlayer(const mcts::SearchConfig& config,
                           std::shared_ptr<mcts::Evaluator> evaluator, std::string name)
    : config_(config), evaluator_(std::move(evaluator)), name_(std::move(name)) {}

void SearchPlayer::choose(std::span<const Turn> turns, std::span<Choice> choices) {
  std::vector<mcts::Search> searches;
  searches.reserve(turns.size());
  std::vector<mcts::Search*> running;
  for (const Turn& turn : turns) {
    searches.emplace_back(config_).start(*turn.game, turn.seed);
    running.push_back(&searches.back());
  }
  mcts::run_in_lock_step(running, *evaluator_);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const mcts::SearchResult result = searches[i].result();
    choices[i] = {result.best, result.value};
  }
}

}  // namespace gounki::arena
