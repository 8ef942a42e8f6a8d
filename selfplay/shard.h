// Sample shards: the samples of one group of games as a .npz file (docs/formats.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "selfplay/sample.h"

namespace gounki::selfplay {

inline constexpr std::int32_t kShardVersion = 2;

struct Shard {
  std::int64_t network_step = 0;  // learner steps of the network that played
  std::vector<Sample> samples;    // ordered by game, then by ply
};

std::string to_bytes(const Shard& shard);
// Nothing of the file is trusted: shapes and sizes are checked against each other and the file
// before memory is asked for, and every sample is validated.
Expected<Shard> parse_shard(std::string_view bytes);
// The same for a file; the error begins with the file's name.
Expected<Shard> load_shard(const std::filesystem::path& path);
// The game of each sample, from the file's smallest part; the rest may still be damaged.
Expected<std::vector<std::int64_t>> load_shard_games(const std::filesystem::path& path);

}  // namespace gounki::selfplay
