// What the tests of self-play share: folders that go away, small configs, random samples.
#pragma once

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include <filesystem>
#include <map>
#include <string>

#include "core/files.h"
#include "core/game.h"
#include "core/random.h"
#include "selfplay/config.h"
#include "selfplay/sample.h"
#include "tests/temporary_folder.h"

namespace support {

using namespace gounki;
namespace fs = std::filesystem;

using testing::TemporaryFolder;

// No file can grow past this size while it lives, as on a disk that is full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::size_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

// Starts child.cpp's program with a job ("play" or "train") on a run. (A plain fork would lose
// TBB's threads.)
inline pid_t start_child(const char* job, const fs::path& run) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::execl(GOUNKI_CHILD, GOUNKI_CHILD, job, run.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  return pid;
}

// A run so small that it ends in a moment with a fake backend.
inline selfplay::RunConfig tiny_config() {
  selfplay::RunConfig config;
  config.run.seed = 7;
  config.run.threads = 1;
  config.run.iterations = 3;
  config.network.blocks = 1;
  config.network.channels = 8;
  config.network.value_channels = 1;
  config.network.value_hidden = 4;
  config.search.visits = 4;
  config.selfplay.games_per_group = 3;
  config.selfplay.games_at_once = 2;
  config.selfplay.groups_per_iteration = 2;
  config.selfplay.random_plies = 6;
  config.selfplay.max_plies = 24;
  config.learner.batch = 16;
  config.replay.reuse = 1.0;
  config.replay.window_min = 100;
  config.replay.window_max = 1000;
  config.replay.rows_to_start = 20;
  config.evaluate.games = 0;
  return config;
}

// What child.cpp trains.
inline selfplay::RunConfig config_to_kill() {
  selfplay::RunConfig config = tiny_config();
  config.run.iterations = 5;
  config.run.threads = 2;
  config.run.save_steps = 3;
  return config;
}

// Samples from random games, with random policies and results; valid ones.
inline std::vector<selfplay::Sample> random_samples(int count, std::uint64_t seed) {
  std::vector<selfplay::Sample> samples;
  Rng rng(seed);
  Game game;
  for (int i = 0; i < count; ++i) {
    if (game.is_over()) game = Game();
    const MoveList moves = game.legal_moves();
    selfplay::Sample sample;
    sample.position = game.position();
    sample.game = i / 10;
    double sum = 0;
    std::vector<double> weights;
    for (int k = 0; k < moves.size(); ++k) sum += weights.emplace_back(rng.uniform());
    for (int k = 0; k < moves.size(); ++k)
      sample.policy.push_back({moves[k], static_cast<float>(weights[k] / sum)});
    sample.root_value = static_cast<float>(2 * rng.uniform() - 1);
    sample.weight = static_cast<float>(rng.uniform());
    sample.result = static_cast<std::int8_t>(static_cast<int>(rng.below(3)) - 1);
    sample.repetitions = static_cast<std::uint8_t>(game.repetitions());
    sample.capped = rng.below(4) == 0;
    if (!sample.capped) sample.plies_left = static_cast<int>(rng.below(300));
    sample.played = moves[static_cast<int>(rng.below(static_cast<std::uint64_t>(moves.size())))];
    sample.exact = rng.below(8) == 0;
    if (sample.exact) sample.root_value = static_cast<float>(static_cast<int>(rng.below(3)) - 1);
    game.play(sample.played);
    if (!game.is_over() && rng.below(4) > 0) sample.reply = game.legal_moves()[0];
    samples.push_back(std::move(sample));
  }
  return samples;
}

// The contents of every file of a run that follows from its config, by name.
inline std::map<std::string, std::string> contents(const fs::path& run) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(run)) {
    const std::string name = fs::relative(entry.path(), run).string();
    if (entry.is_regular_file() && name != "metrics.jsonl" && name != "learner.lock")
      files[name] = read_file(entry.path());
  }
  return files;
}

// The names in which two runs differ, for messages.
inline std::string differences(const fs::path& a, const fs::path& b) {
  const auto left = contents(a), right = contents(b);
  std::string text;
  for (const auto& [name, bytes] : left)
    if (const auto other = right.find(name); other == right.end()) text += " only left: " + name;
    else if (other->second != bytes) text += " different: " + name;
  for (const auto& [name, bytes] : right)
    if (!left.contains(name)) text += " only right: " + name;
  return text;
}

}  // namespace support
