#include "selfplay/game_in_play.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "core/random.h"
#include "mcts/value.h"
#include "selfplay/seeds.h"

namespace gounki::selfplay {
namespace {

constexpr std::uint64_t kMostRedraws = 8;  // of a game's opening
constexpr const char* kDrawn = "random";   // comment of a move that no player chose

std::uint64_t bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }

// The search's value before the move, for White, in the form that chess tools know.
std::string eval_comment(mcts::WhiteValue value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), value.v, std::chars_format::fixed, 3).ptr;
  return "[%eval " + std::string(std::signbit(value.v) ? "" : "+").append(digits.begin(), end) + "]";
}

}  // namespace

GameInPlay::GameInPlay(const RunConfig& config, std::int64_t number)
    : config_(config), number_(number), game_(Position::start(), config.rules.rules()) {
  begin_opening();
}

void GameInPlay::begin_opening() {
  game_ = Game(Position::start(), config_.rules.rules());
  comments_.clear();
  Rng rng(derive_seed({bits(config_.run.seed), kOpeningSeed, bits(number_), opening_}));
  const auto plies = rng.below(static_cast<std::uint64_t>(config_.selfplay.random_plies) + 1);
  for (std::uint64_t ply = 0; ply < plies && !over(); ++ply) {
    const MoveList moves = game_.legal_moves();
    const auto choice = rng.below(static_cast<std::uint64_t>(moves.size()));
    game_.play(moves[static_cast<int>(choice)]);
    comments_.push_back(kDrawn);
  }
  opening_plies_ = static_cast<int>(game_.moves().size());
  // The last opening that may be drawn is one that cannot run into the end of the game.
  if (opening_ == kMostRedraws) return;
  Rng prior_rng(derive_seed({bits(config_.run.seed), kPriorPliesSeed, bits(number_), opening_}));
  opening_plies_ +=
      static_cast<int>(prior_rng.below(static_cast<std::uint64_t>(config_.selfplay.prior_plies) + 1));
}

void GameInPlay::begin_another_opening() {
  ++opening_;
  begin_opening();
}

void GameInPlay::play_by_priors(const mcts::SearchResult& result) {
  if (result.proven) return begin_another_opening();
  std::vector<double> weights;
  for (const mcts::MoveStats& move : result.moves)
    weights.push_back(std::pow(move.prior, 1.0 / config_.selfplay.prior_temperature));
  Rng rng(derive_seed({bits(config_.run.seed), kPriorPliesSeed, bits(number_), opening_, game_.moves().size()}));
  game_.play(result.moves[static_cast<std::size_t>(rng.pick(weights))].move);
  comments_.push_back(kDrawn);
  if (over()) begin_another_opening();
}

bool GameInPlay::capped() const {
  return static_cast<int>(game_.moves().size()) >= config_.selfplay.max_plies && !game_.is_over();
}

std::uint64_t GameInPlay::search_seed() const {
  return derive_seed({bits(config_.run.seed), kSearchSeed, bits(number_), game_.moves().size(), opening_});
}

bool GameInPlay::given_up() const {
  return config_.selfplay.resigns() && std::abs(decided_plies_) >= config_.selfplay.resign_plies;
}

bool GameInPlay::searches_fully() const {
  if (config_.selfplay.full_share >= 1.0) return true;
  Rng rng(derive_seed({bits(config_.run.seed), kFullSearchSeed, bits(number_), game_.moves().size()}));
  return rng.uniform() < config_.selfplay.full_share;
}

mcts::Task GameInPlay::search_task() const {
  mcts::Task task;
  if (in_opening()) {
    task.visits = 1;  // only the priors are wanted
    task.noise = false;
    return task;
  }
  const bool cheap = !searches_fully() || given_up();
  task.visits = cheap ? config_.selfplay.cap_visits : config_.search.visits;
  task.noise = !cheap || config_.selfplay.cap_noise;
  return task;
}

void GameInPlay::take(const mcts::SearchResult& result) {
  if (in_opening()) return play_by_priors(result);
  const bool first = static_cast<int>(game_.moves().size()) == opening_plies_;
  if (first && config_.selfplay.balances_openings() && opening_ < kMostRedraws &&
      std::abs(result.value.v) > config_.selfplay.opening_balance) {
    begin_another_opening();
    return;
  }
  if (!samples_.empty() && samples_.back().position.ply() + 1 == game_.position().ply())
    samples_.back().reply = result.best;
  if (searches_fully()) keep_sample(result);
  const mcts::WhiteValue value = result.value.for_white(game_.position().side_to_move());
  note_value(value);
  comments_.push_back(eval_comment(value));
  game_.play(result.best);
}

void GameInPlay::keep_sample(const mcts::SearchResult& result) {
  Sample sample;
  sample.position = game_.position();
  sample.game = number_;
  sample.policy.reserve(result.moves.size());
  double surprise = 0;
  for (const mcts::MoveStats& move : result.moves) {
    sample.policy.push_back({move.move, move.policy});
    if (move.policy > 0) surprise += move.policy * std::log(move.policy / std::max(move.prior, 1e-9f));
  }
  sample.played = result.best;
  sample.root_value = std::clamp(result.value.v, -1.0f, 1.0f);
  sample.exact = result.proven;
  sample.repetitions = static_cast<std::uint8_t>(std::min(game_.repetitions(), 255));
  if (given_up()) sample.weight = static_cast<float>(config_.selfplay.resign_weight);
  samples_.push_back(std::move(sample));
  surprises_.push_back(std::max(surprise, 0.0));
}

void GameInPlay::note_value(mcts::WhiteValue value) {
  const double limit = config_.selfplay.resign_value;
  if (value.v > limit) decided_plies_ = std::max(decided_plies_, 0) + 1;
  else if (value.v < -limit) decided_plies_ = std::min(decided_plies_, 0) - 1;
  else decided_plies_ = 0;
}

// Part of the weight is spread over the game's samples by how much the search taught (KataGo's
// documentation of its methods, "policy surprise weighting").
double GameInPlay::surprise_factor(std::size_t sample) const {
  const double share = config_.selfplay.surprise_share;
  const double sum = std::accumulate(surprises_.begin(), surprises_.end(), 0.0);
  if (share == 0 || sum <= 0) return 1;
  const double mean = sum / static_cast<double>(surprises_.size());
  return 1 - share + share * surprises_[sample] / mean;
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
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Sample& sample = samples[i];
    const mcts::WinDrawLoss result =
        mcts::result_for(game_.outcome(), sample.position.side_to_move());
    sample.result = static_cast<std::int8_t>(result.value().v);
    sample.weight *= static_cast<float>(surprise_factor(i));
    sample.capped = capped();
    if (sample.capped) sample.weight *= static_cast<float>(config_.selfplay.capped_weight);
    else sample.plies_left = game_.position().ply() - sample.position.ply();
  }
  return samples;
}

}  // namespace gounki::selfplay
