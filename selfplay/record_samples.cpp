#include "selfplay/record_samples.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/game.h"
#include "mcts/value.h"

namespace gounki::selfplay {
namespace {

constexpr std::string_view kEval = "[%eval ";

// The value that a comment tells; none where it tells none.
Expected<std::optional<mcts::WhiteValue>> eval_of(std::string_view comment) {
  const auto begin = comment.find(kEval);
  if (begin == std::string_view::npos) return std::nullopt;
  std::string_view text = comment.substr(begin + kEval.size());
  text = text.substr(0, text.find(']'));
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  float value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !(std::abs(value) <= 1.0f))
    return fail("[%eval " + std::string(text) + "] is not a value in -1 … 1");
  return mcts::WhiteValue{value};
}

// How many of the first moves belong to an opening that was given to the players.
Expected<std::size_t> opening_plies(const GameRecord& record) {
  const std::string* tag = record.tag("OpeningPlies");
  if (tag == nullptr) return 0;
  std::size_t plies = 0;
  const auto [end, error] = std::from_chars(tag->data(), tag->data() + tag->size(), plies);
  if (error != std::errc() || end != tag->data() + tag->size())
    return fail("the tag OpeningPlies is \"" + *tag + "\", which is no number");
  return plies;
}

std::vector<PolicyEntry> policy_of(const Game& game, Move played) {
  std::vector<PolicyEntry> policy;
  for (const Move move : game.legal_moves())
    policy.push_back({move, move == played ? 1.0f : 0.0f});
  return policy;
}

// What the end of the game tells of one of its positions.
void add_result(const GameRecord& record, const Game& ended, bool capped, double capped_weight,
                Sample& sample) {
  const Side mover = sample.position.side_to_move();
  sample.result = static_cast<std::int8_t>(mcts::result_for(record.result, mover).value().v);
  sample.root_value = sample.result;
  sample.capped = capped;
  if (capped) sample.weight = static_cast<float>(capped_weight);
  if (ended.is_over()) sample.plies_left = ended.position().ply() - sample.position.ply();
}

}  // namespace

Expected<std::vector<Sample>> samples_of(const GameRecord& record, std::int64_t number,
                                         double capped_weight) {
  const std::string* termination = record.tag("Termination");
  const bool capped = termination != nullptr && *termination == "capped";
  if (record.result == Outcome::Ongoing && !capped) return std::vector<Sample>();

  const auto opening = opening_plies(record);
  if (!opening) return tl::make_unexpected(opening.error());

  const Game ended = record.replay();
  Game game(record.first, record.rules);
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < record.moves.size(); ++i) {
    const std::string comment = record.comments.empty() ? "" : record.comments[i];
    if (i >= *opening && comment != "random") {
      const auto eval = eval_of(comment);
      if (!eval) return fail("ply " + std::to_string(i + 1) + ": " + eval.error().message);
      Sample sample;
      sample.position = game.position();
      sample.game = number;
      sample.policy = policy_of(game, record.moves[i]);
      sample.played = record.moves[i];
      if (i + 1 < record.moves.size()) sample.reply = record.moves[i + 1];
      sample.repetitions = static_cast<std::uint8_t>(std::min(game.repetitions(), 255));
      add_result(record, ended, capped, capped_weight, sample);
      if (*eval)
        sample.root_value = mcts::MoverValue::of(**eval, sample.position.side_to_move()).v;
      samples.push_back(std::move(sample));
    }
    game.play(record.moves[i]);
  }
  return samples;
}

}  // namespace gounki::selfplay
