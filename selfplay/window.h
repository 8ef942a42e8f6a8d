// The replay window: the newest samples of a run or a folder, kept in memory, from which batches are
// drawn.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/random.h"
#include "selfplay/config.h"
#include "selfplay/sample.h"
#include "selfplay/shard.h"
#include "selfplay/shard_source.h"

namespace gounki::selfplay {

// How many of the newest rows are learned from when there are `rows` in all: all of them up to
// window_min, then growing as a power of them (KataGo, "Accelerating Self-Play Learning in Go",
// appendix C), at most window_max.
std::int64_t window_rows(const ReplaySection& config, std::int64_t rows);

// Learner steps that this many rows allow: each sample is used `reuse` times on average.
std::int64_t steps_allowed(const ReplaySection& config, int batch, std::int64_t rows);

// Whether a game is held out from learning: that follows from the seed and its number.
bool is_held_out(const ReplaySection& config, std::uint64_t seed, std::int64_t game);

class ReplayWindow {
 public:
  // Called once for each shard that cannot be read, with the reason, which names the file.
  using Damaged = std::function<void(const std::string& reason)>;

  // `seed` is the run's, for what is held out.
  ReplayWindow(ShardSource source, ReplaySection config, std::uint64_t seed, Damaged damaged);

  // Takes in shards with numbers below `end_group`, and drops what is too old for the window.
  void refresh(std::int64_t end_group = std::numeric_limits<std::int64_t>::max());

  // To learn from, of all shards taken in: damaged ones and games that are held out do not count, games
  // too old for the window do.
  std::int64_t total_rows() const { return total_rows_; }
  std::int64_t shards() const {
    return static_cast<std::int64_t>(shards_.size()) - damaged_shards_;
  }
  std::int64_t damaged_shards() const { return damaged_shards_; }
  // How many rows there are, where, and how many learning needs to begin, for people.
  std::string state_text() const;

  // Rows of the window, those that are held out among them.
  std::int64_t rows() const { return rows_; }
  // A row that is not held out, each as likely as its weight. Throws a Failure when there is none.
  const Sample& draw(Rng& rng) const;
  // The newest rows that are held out, newest game last.
  std::vector<Sample> held_out(std::int64_t most) const;

 private:
  struct Entry {
    std::filesystem::path path;
    std::int64_t rows = 0;
    bool damaged = false;
  };
  struct Loaded {
    std::int64_t group = 0;
    std::vector<Sample> samples;
    // Up to each sample, those of older shards included: the weight of what may be drawn.
    std::vector<double> weight;
    double weight_at_end = 0;
  };

  void count_new_groups(std::int64_t end_group);
  void load_newest();
  void add_up_weights(std::int64_t rows_before_window);
  void mark_damaged(Entry& entry, const std::string& reason);

  ShardSource source_;
  ReplaySection config_;
  std::uint64_t seed_;
  Damaged on_damaged_;
  std::map<std::int64_t, Entry> shards_;  // by number, in a run the group
  std::deque<Loaded> loaded_;             // oldest first
  std::int64_t total_rows_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t damaged_shards_ = 0;
};

// The batch of learner step `step`: rows drawn from the window with replacement, each mirrored with
// probability 1/2 where that is wanted. It depends on the seed, the step and the window's rows alone.
std::vector<Sample> draw_samples(const ReplayWindow& window, const RunConfig& config, std::int64_t step);

}  // namespace gounki::selfplay
