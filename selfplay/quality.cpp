#include "selfplay/quality.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "selfplay/outputs.h"

namespace gounki::selfplay {
namespace {

constexpr int kClasses = 10;

// The logarithms of the probabilities that these logits stand for.
void log_softmax(std::span<double> logits) {
  const double highest = *std::ranges::max_element(logits);
  double sum = 0;
  for (const double x : logits) sum += std::exp(x - highest);
  for (double& x : logits) x -= highest + std::log(sum);
}

class Measurement {
 public:
  // `logits` are those of the sample's policy, in its order.
  void add(const Sample& sample, std::span<const float> logits, std::span<const float> wdl, float plies) {
    ++quality_.rows;
    add_policy(sample, logits);
    add_value(sample, wdl);
    if (sample.plies_left == Sample::kUnknownPlies) return;
    quality_.plies_error += std::abs(static_cast<double>(plies) - sample.plies_left);
    ++rows_with_plies_;
  }

  Quality result() {
    const auto rows = static_cast<double>(std::max<std::int64_t>(1, quality_.rows));
    for (double* sum : {&quality_.policy, &quality_.policy_kl, &quality_.value, &quality_.value_accuracy})
      *sum /= rows;
    for (const Class& c : classes_) quality_.calibration_error += std::abs(c.expected - c.made) / rows;
    quality_.plies_error /= static_cast<double>(std::max<std::int64_t>(1, rows_with_plies_));
    return quality_;
  }

 private:
  void add_policy(const Sample& sample, std::span<const float> logits) {
    logits_.assign(logits.begin(), logits.end());
    log_softmax(logits_);
    for (std::size_t i = 0; i < logits_.size(); ++i) {
      const double target = sample.policy[i].probability;
      if (target <= 0) continue;
      quality_.policy -= target * logits_[i];
      quality_.policy_kl += target * (std::log(target) - logits_[i]);
    }
  }

  void add_value(const Sample& sample, std::span<const float> wdl) {
    std::array<double, 3> chances{wdl[0], wdl[1], wdl[2]};
    log_softmax(chances);
    const int result = 1 - sample.result;  // win, draw, loss
    quality_.value -= chances[static_cast<std::size_t>(result)];
    if (std::ranges::max_element(chances) - chances.begin() == result) ++quality_.value_accuracy;
    const double points = std::exp(chances[0]) + 0.5 * std::exp(chances[1]);
    Class& c = classes_[static_cast<std::size_t>(std::min(kClasses - 1, static_cast<int>(points * kClasses)))];
    c.expected += points;
    c.made += 0.5 + 0.5 * sample.result;
  }

  struct Class { double expected = 0, made = 0; };

  Quality quality_;
  std::int64_t rows_with_plies_ = 0;
  std::array<Class, kClasses> classes_{};
  std::vector<double> logits_;
};

}  // namespace

Quality measure_quality(const nn::ServedNetwork& network, std::span<const Sample> samples) {
  const NetworkOutputs outputs = ask(network, samples, /*with_planes=*/false, {});
  const std::span<const float> logits = outputs.policy_logits, wdl = outputs.wdl;
  Measurement measurement;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto first = static_cast<std::size_t>(outputs.policy_offsets[i]);
    measurement.add(samples[i], logits.subspan(first, samples[i].policy.size()), wdl.subspan(3 * i, 3),
                    outputs.plies_left[i]);
  }
  return measurement.result();
}

}  // namespace gounki::selfplay
