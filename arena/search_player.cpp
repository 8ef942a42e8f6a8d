#include "arena/search_player.h"

#include <algorithm>
#include <utility>

#include "mcts/cache.h"

namespace gounki::arena {
namespace {

// For a game that is followed, whose pondering nothing else limits: of a larger tree it takes more
// than a second to give back what the next move leaves behind.
constexpr int kMostMegabytes = 2048;

Choice choice_from(const mcts::SearchResult& result) {
  return {.move = result.best,
          .value = result.value,
          .proof = result.proof(),
          .depth = result.depth,
          .nodes = result.nodes};
}

mcts::EngineConfig without_cache(const mcts::EngineConfig& config) {
  if (const auto checked = config.check(); !checked) throw UsageError(checked.error().message);
  mcts::EngineConfig out = config;
  out.memory_mb = config.search().memory_mb;
  out.cache_mb = 0;
  return out;
}

}  // namespace

SearchPlayer::SearchPlayer(const mcts::EngineConfig& config,
                           std::shared_ptr<mcts::Evaluator> evaluator, std::string name,
                           bool visits_too)
    : config_(without_cache(config)),
      evaluator_(config.cache_mb > 0 ? std::make_shared<mcts::CachingEvaluator>(
                                           std::move(evaluator), config.cache_mb)
                                     : std::move(evaluator)),
      name_(std::move(name)), visits_too_(visits_too) {}

void SearchPlayer::choose(std::span<const Turn> turns, std::span<Choice> choices) {
  if (follower_) return choose_one_by_one(*follower_, turns, choices);
  const bool timed = config_.movetime > 0 ||
                     std::any_of(turns.begin(), turns.end(), [](auto& t) { return t.clocks; });
  if (config_.threads == 1 && !timed) return choose_in_lock_step(turns, choices);
  std::unique_ptr<mcts::Engine> engine = borrow();
  choose_one_by_one(*engine, turns, choices);
  give_back(std::move(engine));
}

void SearchPlayer::choose_in_lock_step(std::span<const Turn> turns, std::span<Choice> choices) {
  std::vector<mcts::Search> searches;
  searches.reserve(turns.size());
  std::vector<mcts::Search*> running;
  for (const Turn& turn : turns) {
    searches.emplace_back(config_).start(*turn.game, turn.seed);
    running.push_back(&searches.back());
  }
  mcts::run_in_lock_step(running, *evaluator_, config_.batch);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    choices[i] = choice_from(searches[i].result());
  }
}

void SearchPlayer::choose_one_by_one(mcts::Engine& engine, std::span<const Turn> turns,
                                     std::span<Choice> choices) const {
  mcts::Request request;
  if (visits_too_) request.task.visits = config_.visits;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    request.clock = turns[i].clocks ? std::optional(turns[i].clocks->own) : std::nullopt;
    choices[i] = choice_from(engine.think(*turns[i].game, turns[i].seed, request).result);
  }
}

void SearchPlayer::follow_game() {
  mcts::EngineConfig config = config_;
  if (config.memory_mb == 0) config.memory_mb = std::min(mcts::half_of_memory_mb(), kMostMegabytes);
  follower_ = std::make_unique<mcts::Engine>(config, evaluator_);
}

void SearchPlayer::ponder(const Game& game) {
  if (follower_ && can_ponder()) follower_->ponder(game);
}

// Engines that start each search anew, so that no turn knows of another.
std::unique_ptr<mcts::Engine> SearchPlayer::borrow() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto engine = std::move(idle_.back());
      idle_.pop_back();
      return engine;
    }
  }
  mcts::EngineConfig config = config_;
  config.reuse = false;
  return std::make_unique<mcts::Engine>(config, evaluator_);
}

void SearchPlayer::give_back(std::unique_ptr<mcts::Engine> engine) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(engine));
}

}  // namespace gounki::arena
