#include "selfplay/window.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/random.h"
#include "selfplay/seeds.h"

namespace gounki::selfplay {

std::int64_t window_rows(const ReplaySection& config, std::int64_t rows) {
  if (rows <= config.window_min) return rows;
  const auto least = static_cast<double>(config.window_min);
  const double grown = (std::pow(static_cast<double>(rows) / least, config.window_exponent) - 1.0) /
                       config.window_exponent;
  const auto size = static_cast<std::int64_t>(least * (1.0 + config.window_scale * grown));
  return std::min({size, config.window_max, rows});
}

std::int64_t steps_allowed(const ReplaySection& config, int batch, std::int64_t rows) {
  if (rows < config.rows_to_start) return 0;
  return static_cast<std::int64_t>(std::ceil(config.reuse * static_cast<double>(rows) / batch));
}

bool is_held_out(const ReplaySection& config, std::uint64_t seed, std::int64_t game) {
  if (config.held_out <= 0) return false;
  return Rng(derive_seed({seed, kHeldOutSeed, static_cast<std::uint64_t>(game)})).uniform() <
         config.held_out;
}

ReplayWindow::ReplayWindow(ShardSource source, ReplaySection config, std::uint64_t seed, Damaged damaged)
    : source_(std::move(source)), config_(config), seed_(seed), on_damaged_(std::move(damaged)) {}

void ReplayWindow::refresh(std::int64_t end_group) {
  count_new_groups(end_group);
  load_newest();
}

void ReplayWindow::count_new_groups(std::int64_t end_group) {
  for (const ShardFile& shard : source_.list()) {
    if (shard.number >= end_group || shards_.contains(shard.number)) continue;
    Entry& entry = shards_[shard.number];
    entry.path = shard.path;
    const auto games = load_shard_games(shard.path);
    if (!games) {
      mark_damaged(entry, games.error().message);
      continue;
    }
    entry.rows = std::count_if(games->begin(), games->end(), [&](std::int64_t game) {
      return !is_held_out(config_, seed_, game);
    });
    total_rows_ += entry.rows;
  }
}

void ReplayWindow::load_newest() {
  std::deque<Loaded> window;
  std::map<std::int64_t, Loaded*> before;
  for (Loaded& shard : loaded_) before[shard.group] = &shard;

  // Rows are numbered from the newest back, then from the oldest on.
  const std::int64_t wanted = window_rows(config_, total_rows_);
  std::int64_t found = 0;
  for (auto it = shards_.rbegin(); it != shards_.rend() && found < wanted; ++it) {
    auto& [group, entry] = *it;
    if (entry.damaged) continue;
    Loaded shard{group, {}, {}};
    if (const auto known = before.find(group); known != before.end()) {
      shard = std::move(*known->second);
    } else if (auto file = load_shard(entry.path)) {
      shard.samples = std::move(file->samples);
    } else {
      mark_damaged(entry, file.error().message);
      continue;
    }
    found += static_cast<std::int64_t>(shard.samples.size());
    window.push_front(std::move(shard));
  }
  rows_ = std::min(found, wanted);
  loaded_ = std::move(window);
  add_up_weights(found - rows_);
}

// The oldest shard may begin before the window does.
void ReplayWindow::add_up_weights(std::int64_t rows_before_window) {
  double sum = 0;
  for (Loaded& shard : loaded_) {
    shard.weight.clear();
    for (const Sample& sample : shard.samples) {
      const bool drawn = --rows_before_window < 0 && !is_held_out(config_, seed_, sample.game);
      shard.weight.push_back(sum += drawn ? sample.weight : 0.0f);
    }
    shard.weight_at_end = sum;
  }
}

void ReplayWindow::mark_damaged(Entry& entry, const std::string& reason) {
  total_rows_ -= entry.rows;
  entry.rows = 0;
  entry.damaged = true;
  ++damaged_shards_;
  if (on_damaged_) on_damaged_(reason);
}

std::string ReplayWindow::state_text() const {
  std::string text = std::to_string(total_rows_) + " rows in " + std::to_string(shards()) +
                     " shards of " + source_.folder().string();
  if (damaged_shards_ > 0) text += " (and " + std::to_string(damaged_shards_) + " damaged ones)";
  return text + ", and [replay] rows_to_start asks for " + std::to_string(config_.rows_to_start);
}

const Sample& ReplayWindow::draw(Rng& rng) const {
  const double sum = loaded_.empty() ? 0 : loaded_.back().weight_at_end;
  if (sum <= 0) throw Failure("no row of the window can be learned from: " + state_text());
  const double wanted = rng.uniform() * sum;
  // The first shard, then the first sample, up to which there is more weight than that.
  const auto shard =
      std::partition_point(loaded_.begin(), loaded_.end(),
                           [&](const Loaded& s) { return s.weight_at_end <= wanted; });
  const auto row = std::upper_bound(shard->weight.begin(), shard->weight.end(), wanted);
  return shard->samples[static_cast<std::size_t>(row - shard->weight.begin())];
}

std::vector<Sample> ReplayWindow::held_out(std::int64_t most) const {
  std::vector<Sample> newest;
  for (auto shard = loaded_.rbegin(); shard != loaded_.rend(); ++shard)
    for (auto sample = shard->samples.rbegin(); sample != shard->samples.rend(); ++sample)
      if (static_cast<std::int64_t>(newest.size()) < most && is_held_out(config_, seed_, sample->game))
        newest.push_back(*sample);
  std::reverse(newest.begin(), newest.end());
  return newest;
}

std::vector<Sample> draw_samples(const ReplayWindow& window, const RunConfig& config, std::int64_t step) {
  Rng rng(derive_seed({static_cast<std::uint64_t>(config.run.seed), kBatchSeed,
                       static_cast<std::uint64_t>(step)}));
  std::vector<Sample> samples;
  samples.reserve(static_cast<std::size_t>(config.learner.batch));
  for (int i = 0; i < config.learner.batch; ++i) {
    const Sample& sample = window.draw(rng);
    samples.push_back(config.replay.mirror && rng.below(2) == 1 ? mirrored(sample) : sample);
  }
  return samples;
}

}  // namespace gounki::selfplay
