#include "selfplay/evaluation.h"

#include <algorithm>
#include <utility>

#include "arena/elo.h"
#include "arena/match.h"
#include "arena/openings.h"
#include "arena/search_player.h"
#include "core/random.h"
#include "selfplay/seeds.h"

namespace gounki::selfplay {
namespace {

struct Interrupted {};

// A player that stops choosing when an interrupt comes, which ends the match.
class InterruptiblePlayer : public arena::Player {
 public:
  InterruptiblePlayer(arena::Player& player, const std::atomic<int>& stop)
      : player_(player), stop_(stop) {}
  void choose(std::span<const arena::Turn> turns, std::span<arena::Choice> choices) override {
    if (stop_.load() != kGoOn) throw Interrupted{};
    player_.choose(turns, choices);
  }
  std::string name() const override { return player_.name(); }

 private:
  arena::Player& player_;
  const std::atomic<int>& stop_;
};

// So many games, in pairs, whose openings follow from the seed.
arena::MatchConfig match_of(int games, int threads, std::uint64_t seed) {
  arena::MatchConfig match;
  match.pairs = std::max(1, games / 2);
  match.threads = threads;
  match.seed = static_cast<std::int64_t>(seed >> 1);
  return match;
}

std::vector<Game> openings_of(const RunConfig& config, const arena::MatchConfig& match) {
  return arena::make_openings(match.pairs, static_cast<std::uint64_t>(match.seed), {},
                              config.rules.rules());
}

arena::SearchPlayer player_of(const PlayingNetwork& network, const mcts::SearchConfig& search) {
  return {mcts::EngineConfig{search}, network.evaluator, network.evaluator->name()};
}

}  // namespace

Yardstick::Yardstick(const RunConfig& config, int threads) : config_(config), threads_(threads) {
  if (config.evaluate.games == 0) return;
  for (const std::string& text : config.evaluate.opponent_list()) {
    auto player = arena::make_player(text);
    if (!player) throw UsageError("[evaluate] opponents: " + player.error().message);
    opponents_.push_back(std::move(*player));
  }
}

std::optional<std::vector<Evaluated>> Yardstick::evaluate(const PlayingNetwork& network,
                                                          const Events& events,
                                                          const std::atomic<int>& stop) {
  const arena::MatchConfig match =
      match_of(config_.evaluate.games, threads_,
               derive_seed({static_cast<std::uint64_t>(config_.run.seed), kEvaluationSeed}));
  if (openings_.empty()) openings_ = openings_of(config_, match);

  arena::SearchPlayer searcher = player_of(network, config_.evaluate.search());
  InterruptiblePlayer player(searcher, stop);
  std::vector<Evaluated> results;
  for (const auto& opponent : opponents_) {
    arena::MatchCallbacks callbacks;
    callbacks.progress = [&](const arena::MatchProgress& progress) {
      tell(events.evaluating, progress, opponent->name());
    };
    try {
      Evaluated result{network.step, opponent->name(), {}, {}};
      result.result = arena::play_match(player, *opponent, openings_, match, callbacks);
      result.strength = arena::estimate_strength(result.result.pairs);
      tell(events.evaluated, result);
      results.push_back(std::move(result));
    } catch (const Interrupted&) {
      return std::nullopt;
    }
  }
  return results;
}

std::optional<GateResult> play_gate(const RunConfig& config, int threads, const PlayingNetwork& candidate,
                                    const PlayingNetwork& incumbent, const Events& events,
                                    const std::atomic<int>& stop) {
  const arena::MatchConfig match =
      match_of(config.gate.games, threads,
               derive_seed({static_cast<std::uint64_t>(config.run.seed), kGateSeed,
                            static_cast<std::uint64_t>(candidate.step)}));
  const std::vector<Game> openings = openings_of(config, match);
  mcts::SearchConfig search;
  search.visits = config.gate.visits;
  arena::SearchPlayer first = player_of(candidate, search), second = player_of(incumbent, search);
  InterruptiblePlayer challenger(first, stop);
  arena::MatchCallbacks callbacks;
  callbacks.progress = [&](const arena::MatchProgress& progress) {
    tell(events.evaluating, progress, "the last network");
  };
  try {
    const arena::MatchResult result = arena::play_match(challenger, second, openings, match, callbacks);
    const arena::Tally total = result.total();
    const double score = arena::estimate_strength(result.pairs).score;
    return GateResult{total.games(), score, score >= config.gate.score};
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

}  // namespace gounki::selfplay
