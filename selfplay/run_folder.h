// A run is a folder:
//
//   config.toml               the effective config, every key
//   games/NNNNNNNN.pgn        the records of a group of games
//   samples/NNNNNNNN.npz      the samples of the same group
//   checkpoints/step-*.safetensors
//   learner.safetensors       the learner's whole state
//   metrics.jsonl             what happened, a line each
//   learner.lock, claims/     who works on it
//   bad/                      batches whose loss was not finite
//
// Any process can be killed at any moment and started again on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/file_lock.h"
#include "nn/network.h"
#include "selfplay/config.h"

namespace gounki::selfplay {

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config_path() const { return path_ / "config.toml"; }
  std::filesystem::path samples() const { return path_ / "samples"; }
  std::filesystem::path shard_path(std::int64_t group) const;
  std::filesystem::path record_path(std::int64_t group) const;
  std::filesystem::path learner_path() const { return path_ / "learner.safetensors"; }
  std::filesystem::path metrics_path() const { return path_ / "metrics.jsonl"; }

  // A group's shard is written before its records, so the group is done when both are there.
  bool has_group(std::int64_t group) const;
  // The numbers of all groups that are done, rising.
  std::vector<std::int64_t> groups() const;

  // Locks the folder for its one learner. Throws a Failure with the process id of who has it.
  FileLock lock_learner() const;
  // The same, or nothing when somebody has it.
  std::optional<FileLock> try_lock_learner() const;
  // Claims a group that is not done, for playing it; nothing when it is done or somebody plays it.
  // What a killed process left of the group is removed. Its holder removes the claim when done.
  std::optional<FileLock> claim_group(std::int64_t group) const;
  // Removes temporary files and claims that killed processes left. Only for the learner's holder.
  void tidy() const;

 private:
  void remove_temporaries(const std::filesystem::path& folder, const std::string& stem) const;
  std::filesystem::path path_;
};

// The config of a run that is there or is to be made; writes nothing. The config that is stored
// wins: a given one that differs from it in more than limits and threads is a UsageError, and so is
// a missing one for a new run. The result has the limits and threads of the given one.
RunConfig effective_config(const RunFolder& run, const std::optional<RunConfig>& given);
// The checkpoint that the run's network begins with, where the config names one. Throws a UsageError
// where it cannot be read, or is larger than the config's network.
std::optional<nn::Checkpoint> first_weights(const RunConfig& config);
// Makes config.toml and the folders where they are missing.
void prepare(const RunFolder& run, const RunConfig& config);

}  // namespace gounki::selfplay
