#include "selfplay/game_in_play.h"

#include <algorithm>
#include <cstdio>

#include "core/random.h"
#include "mcts/value.h"
#include "selfplay/seeds.h"

namespace gounki::selfplay {
namespace {

std::uint64_t bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }

// The search's value before the move, for White, in the form that chess tools know.
std::string eval_comment(mcts::WhiteValue value) {
  char text[32];
  std::snprintf(text, sizeof text, "[%%eval %+.3f]", static_cast<double>(value.v));
  return text;
}

}  // namespace

GameInPlay::GameInPlay(const RunConfig& config, std::int64_t number)
    : config_(config), number_(number), game_(Position::start(), config.rules.rules()) {
  play_random_opening();
}

void GameInPlay::play_random_opening() {
  Rng rng(derive_seed({bits(config_.run.seed), kOpeningSeed, bits(number_)}));
  const auto plies = rng.below(static_cast<std::uint64_t>(config_.selfplay.random_plies) + 1);
  for (std::uint64_t ply = 0; ply < plies && !over(); ++ply) {
    const MoveList moves = game_.legal_moves();
    const auto choice = rng.below(static_cast<std::uint64_t>(moves.size()));
    game_.play(moves[static_cast<int>(choice)]);
    comments_.push_back("random");
  }
}

bool GameInPlay::capped() const {
  return static_cast<int>(game_.moves().size()) >= config_.selfplay.max_plies && !game_.is_over();
}

std::uint64_t GameInPlay::search_seed() const {
  return derive_seed({bits(config_.run.seed), kSearchSeed, bits(number_), game_.moves().size()});
}

void GameInPlay::play(const mcts::SearchResult& result) {
  Sample sample;
  sample.position = game_.position();
  sample.game = number_;
  sample.policy.reserve(result.moves.size());
  for (const mcts::MoveStats& move : result.moves)
    sample.policy.push_back({move.move, move.policy});
  sample.root_value = std::clamp(result.value.v, -1.0f, 1.0f);
  sample.repetitions = static_cast<std::uint8_t>(std::min(game_.repetitions(), 255));
  samples_.push_back(std::move(sample));
  comments_.push_back(eval_comment(result.value.for_white(game_.position().side_to_move())));
  game_.play(result.best);
}

GameRecord GameInPlay::record(std::int64_t network_step) const {
  char player[32];
  std::snprintf(player, sizeof player, "step-%08lld", static_cast<long long>(network_step));
  GameRecord record;
  record.tags = {{"Event", "self-play"},
                 {"Round", std::to_string(number_)},
                 {"White", player},
                 {"Black", player},
                 {"Seed", std::to_string(config_.run.seed)}};
  if (capped()) record.tags.emplace_back("Termination", "capped");
  record.first = game_.positions().front();
  record.rules = game_.rules();
  record.moves = game_.moves();
  record.comments = comments_;
  record.result = game_.outcome();
  return record;
}

std::vector<Sample> GameInPlay::samples() const {
  std::vector<Sample> samples = samples_;
  for (Sample& sample : samples) {
    const mcts::WinDrawLoss result =
        mcts::result_for(game_.outcome(), sample.position.side_to_move());
    sample.result = static_cast<std::int8_t>(result.value().v);
    sample.capped = capped();
    if (sample.capped) sample.weight = static_cast<float>(config_.selfplay.capped_weight);
    else sample.plies_left = game_.position().ply() - sample.position.ply();
  }
  return samples;
}

}  // namespace gounki::selfplay
