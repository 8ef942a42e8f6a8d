#include "selfplay/sample.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/movegen.h"
#include "mcts/value.h"
#include "nn/encoder.h"

namespace gounki::selfplay {
namespace {

bool lists_all(const Sample& sample, const Rules& rules) {
  const MoveList moves = legal_moves(sample.position, rules);
  return std::equal(moves.begin(), moves.end(), sample.policy.begin(), sample.policy.end(),
                    [](Move move, const PolicyEntry& entry) { return move == entry.move; });
}

Expected<void> validate_policy(const Sample& sample) {
  // The rules that the game was played by are not known here, so both lists will do.
  Rules without_null_moves;
  without_null_moves.null_moves = false;
  if (!lists_all(sample, Rules{}) && !lists_all(sample, without_null_moves))
    return fail("the policy's moves are not the legal moves");
  double sum = 0;
  for (const PolicyEntry& entry : sample.policy) {
    if (!(entry.probability >= 0.0f && entry.probability <= 1.0f))
      return fail("a probability of the policy is not one");
    sum += entry.probability;
  }
  if (std::abs(sum - 1.0) > 1e-3) return fail("the policy does not sum to 1");
  return {};
}

Expected<void> validate_moves(const Sample& sample) {
  const auto played = std::find_if(sample.policy.begin(), sample.policy.end(),
                                   [&](const PolicyEntry& e) { return e.move == sample.played; });
  if (played == sample.policy.end()) return fail("the move that was played is not legal");
  if (sample.reply && !is_legal(sample.position.after(sample.played), *sample.reply))
    return fail("the reply is not legal");
  return {};
}

}  // namespace

Expected<void> validate(const Sample& sample) {
  if (const auto valid = sample.position.validate(); !valid) return valid;
  if (sample.position.is_lost()) return fail("the game is over in the position");
  if (!(std::abs(sample.root_value) <= 1.0f)) return fail("the root value is not in -1 … 1");
  if (!(sample.weight >= 0.0f && std::isfinite(sample.weight)))
    return fail("the weight is negative or not finite");
  if (sample.result < -1 || sample.result > 1) return fail("the result is not -1, 0 or 1");
  if (sample.plies_left < Sample::kUnknownPlies) return fail("plies left is negative");
  if (sample.exact && std::abs(sample.root_value) != 1.0f && sample.root_value != 0.0f)
    return fail("a proven value is not 1, 0 or -1");
  if (const auto valid = validate_policy(sample); !valid) return valid;
  return validate_moves(sample);
}

Sample mirrored(const Sample& sample) {
  Sample out = sample;
  out.position = sample.position.mirrored();
  for (PolicyEntry& entry : out.policy) entry.move = mirrored_move(sample.position, entry.move);
  out.played = mirrored_move(sample.position, sample.played);
  if (sample.reply) out.reply = mirrored_move(sample.position.after(sample.played), *sample.reply);
  std::sort(out.policy.begin(), out.policy.end(), [](const PolicyEntry& a, const PolicyEntry& b) {
    return std::pair(a.move.how(), a.move.from()) < std::pair(b.move.how(), b.move.from());
  });
  return out;
}

mcts::WinDrawLoss value_target(const Sample& sample, const TargetOptions& options) {
  const auto certain = [](float value) {
    return mcts::WinDrawLoss{value > 0 ? 1.0f : 0.0f, value == 0 ? 1.0f : 0.0f, value < 0 ? 1.0f : 0.0f};
  };
  if (sample.exact && options.exact_values) return certain(sample.root_value);
  const mcts::WinDrawLoss result = certain(sample.result);
  const auto mix = static_cast<float>(options.value_mix);
  const float win = 0.5f + 0.5f * sample.root_value;
  return {(1 - mix) * result.win + mix * win, (1 - mix) * result.draw,
          (1 - mix) * result.loss + mix * (1 - win)};
}

nn::Batch make_batch(std::span<const Sample> samples, const TargetOptions& options) {
  const std::size_t n = samples.size();
  nn::Batch batch;
  batch.size = static_cast<int>(n);
  batch.planes.resize(n * nn::kInputSize);
  batch.wdl.reserve(n * 3);
  for (std::size_t i = 0; i < n; ++i) {
    const Sample& sample = samples[i];
    nn::encode(sample.position, sample.repetitions,
               std::span<float, nn::kInputSize>(&batch.planes[i * nn::kInputSize], nn::kInputSize));
    for (const PolicyEntry& entry : sample.policy) {
      batch.policy_index.push_back(static_cast<std::uint16_t>(entry.move.index()));
      batch.policy.push_back(entry.probability);
    }
    batch.policy_offsets.push_back(static_cast<std::int32_t>(batch.policy.size()));
    const mcts::WinDrawLoss value = value_target(sample, options);
    batch.wdl.insert(batch.wdl.end(), {value.win, value.draw, value.loss});
    batch.plies_left.push_back(static_cast<float>(sample.plies_left));
    batch.reply.push_back(sample.reply ? sample.reply->index() : -1);
    batch.weight.push_back(1.0f);
  }
  return batch;
}

}  // namespace gounki::selfplay
