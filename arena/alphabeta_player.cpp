#include "arena/alphabeta_player.h"

#include <optional>
#include <utility>

#include "mcts/handcrafted.h"

namespace gounki::arena {
namespace {

mcts::MoverValue value_of(const AlphaBetaResult& result) {
  if (result.wins()) return {1.0f};
  if (result.loses()) return {-1.0f};
  return mcts::value_of_score(result.score);
}

}  // namespace

AlphaBetaPlayer::AlphaBetaPlayer(const AlphaBetaConfig& config, std::string name, bool depth_too)
    : config_(config), name_(std::move(name)), depth_too_(depth_too) {}

void AlphaBetaPlayer::choose(std::span<const Turn> turns, std::span<Choice> choices) {
  std::unique_ptr<AlphaBeta> search = borrow();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    std::optional<mcts::Clock> clock;
    if (turns[i].clocks) clock = turns[i].clocks->own;
    const AlphaBetaResult result = search->search(*turns[i].game, limits(turns[i]), clock);
    choices[i] = {.move = result.best,
                  .value = value_of(result),
                  .proof = result.proof,
                  .depth = result.depth,
                  .nodes = result.nodes};
  }
  give_back(std::move(search));
}

AlphaBetaConfig AlphaBetaPlayer::limits(const Turn& turn) const {
  AlphaBetaConfig config = config_;
  const bool others = config.nodes > 0 || config.movetime > 0 || turn.clocks.has_value();
  if (others && !depth_too_) config.depth = AlphaBetaConfig::kMaxDepth;
  return config;
}

std::unique_ptr<AlphaBeta> AlphaBetaPlayer::borrow() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto search = std::move(idle_.back());
      idle_.pop_back();
      return search;
    }
  }
  return std::make_unique<AlphaBeta>();
}

void AlphaBetaPlayer::give_back(std::unique_ptr<AlphaBeta> search) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(search));
}

}  // namespace gounki::arena
