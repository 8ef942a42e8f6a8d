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

ReplayWindow::ReplayWindow(ShardSource source, ReplaySection config, Damaged damaged)
    : source_(std::move(source)), config_(config), on_damaged_(std::move(damaged)) {}

void ReplayWindow::refresh(std::int64_t end_group) {
  count_new_groups(end_group);
  load_newest();
}

void ReplayWindow::count_new_groups(std::int64_t end_group) {
  for (const ShardFile& shard : source_.list()) {
    if (shard.number >= end_group || shards_.contains(shard.number)) continue;
    Entry& entry = shards_[shard.number];
    entry.path = shard.path;
    const auto rows = count_shard_rows(shard.path);
    if (!rows) {
      mark_damaged(entry, rows.error().message);
      continue;
    }
    entry.rows = *rows;
    total_rows_ += *rows;
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
    Loaded shard{group, 0, {}};
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
  std::int64_t first = rows_ - found;
  for (Loaded& shard : window) {
    shard.first_row = first;
    first += static_cast<std::int64_t>(shard.samples.size());
  }
  loaded_ = std::move(window);
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

const Sample& ReplayWindow::operator[](std::int64_t row) const {
  // The last shard that begins at or before the row.
  const auto after = std::upper_bound(
      loaded_.begin(), loaded_.end(), row,
      [](std::int64_t wanted, const Loaded& shard) { return wanted < shard.first_row; });
  const Loaded& shard = *std::prev(after);
  return shard.samples[static_cast<std::size_t>(row - shard.first_row)];
}

std::vector<Sample> draw_samples(const ReplayWindow& window, int size, std::uint64_t seed,
                                 std::int64_t step) {
  Rng rng(derive_seed({seed, kBatchSeed, static_cast<std::uint64_t>(step)}));
  std::vector<Sample> samples;
  samples.reserve(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) {
    const auto row = rng.below(static_cast<std::uint64_t>(window.rows()));
    const Sample& sample = window[static_cast<std::int64_t>(row)];
    samples.push_back(rng.below(2) == 0 ? sample : mirrored(sample));
  }
  return samples;
}

}  // namespace gounki::selfplay
