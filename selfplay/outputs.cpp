#include "selfplay/outputs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "selfplay/npz.h"

namespace gounki::selfplay {
namespace {

constexpr std::size_t kBatch = 64;

bool all_finite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float x) { return std::isfinite(x); });
}

// The answers to one batch, of which only the legal moves' logits are kept.
class Asker {
 public:
  explicit Asker(const nn::ServedNetwork& network)
      : network_(network), policy_(kBatch * Move::kIndices), wdl_(kBatch * 3), plies_(kBatch) {}

  void ask(std::span<const Sample> samples, const nn::Batch& batch, NetworkOutputs& out) {
    network_.forward(batch.planes.data(), batch.size, policy_.data(), wdl_.data(), plies_.data());
    for (std::size_t i = 0; i < samples.size(); ++i) append(samples[i], i, out);
  }

 private:
  void append(const Sample& sample, std::size_t i, NetworkOutputs& out) {
    const std::size_t first = out.policy_logits.size();
    for (const PolicyEntry& entry : sample.policy)
      out.policy_logits.push_back(
          policy_[i * Move::kIndices + static_cast<std::size_t>(entry.move.index())]);
    const std::span<const float> wdl(&wdl_[i * 3], 3);
    if (!all_finite(std::span(out.policy_logits).subspan(first)) || !all_finite(wdl) ||
        !std::isfinite(plies_[i]))
      throw Failure("an output for sample " + std::to_string(out.rows()) +
                    " is not finite; the checkpoint's weights are unusable");
    out.policy_offsets.push_back(static_cast<std::int64_t>(out.policy_logits.size()));
    out.wdl.insert(out.wdl.end(), wdl.begin(), wdl.end());
    out.plies_left.push_back(plies_[i]);
  }

  const nn::ServedNetwork& network_;
  std::vector<float> policy_, wdl_, plies_;
};

}  // namespace

NetworkOutputs ask(const nn::ServedNetwork& network, std::span<const Sample> samples,
                   bool with_planes, const std::function<void(std::size_t done)>& progress) {
  NetworkOutputs out;
  Asker asker(network);
  for (std::size_t done = 0; done < samples.size();) {
    const auto some = samples.subspan(done, std::min(kBatch, samples.size() - done));
    // The learner's batch, so that these are the planes that networks learn from.
    const nn::Batch batch = make_batch(some, {});
    if (with_planes) out.planes.insert(out.planes.end(), batch.planes.begin(), batch.planes.end());
    asker.ask(some, batch, out);
    done += some.size();
    if (progress) progress(done);
  }
  return out;
}

std::string to_bytes(const NetworkOutputs& outputs, std::int64_t step) {
  const std::int64_t rows = outputs.rows();
  const auto entries = static_cast<std::int64_t>(outputs.policy_logits.size());
  NamedArrays arrays;
  arrays.emplace_back("step", make_array<std::int64_t>(std::array{step}, {}));
  arrays.emplace_back("policy_offsets",
                      make_array<std::int64_t>(outputs.policy_offsets, {rows + 1}));
  arrays.emplace_back("policy_logits", make_array<float>(outputs.policy_logits, {entries}));
  arrays.emplace_back("wdl", make_array<float>(outputs.wdl, {rows, 3}));
  arrays.emplace_back("plies_left", make_array<float>(outputs.plies_left, {rows}));
  if (!outputs.planes.empty())
    arrays.emplace_back("planes",
                        make_array<float>(outputs.planes, {rows, nn::kPlanes, 8, 8}));
  return npz_to_bytes(arrays);
}

}  // namespace gounki::selfplay
