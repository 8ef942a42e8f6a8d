// The log of a match: the one truth about it. A file that only grows, one JSON object a line
// (docs/formats.md): first what is played, then each finished pair. Whoever plays appends; reports,
// records and ratings are made from it alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "arena/played.h"
#include "arena/sprt.h"
#include "arena/table.h"
#include "core/line_log.h"

namespace gounki::arena {

// The first line's "format", which counts up when the meaning of a field changes.
inline constexpr int kMatchLogFormat = 1;

// All that decides which games are played. How many of them is not here, so that a match can be
// continued with more pairs.
struct MatchSettings {
  std::vector<std::string> players;
  std::vector<std::optional<TimeControl>> clocks;  // one for each player
  std::int64_t seed = 1;
  TableConfig table;
  Rules rules;
  std::string openings;  // how they were made, or which book they are of
  std::optional<SprtConfig> sprt;  // the test that ends the match
};

struct MatchHistory {
  MatchSettings settings;
  std::vector<PlayedPair> pairs;  // in the order in which they were logged
};

// Throws a Failure that names the file and the line of what is damaged or illegal; a last line that a
// kill left without its end is none.
MatchHistory read_match_log(const std::filesystem::path& path);

// The log of a match that is being played; no other process can play it meanwhile.
class MatchLog {
 public:
  // Begins the log, or goes on with it. Throws a Failure when another process plays it, when it is
  // damaged, or when it is of other settings, and says which differ.
  MatchLog(const std::filesystem::path& path, const MatchSettings& settings);

  // The pairs that are played already.
  const std::vector<PlayedPair>& pairs() const { return pairs_; }
  void append(const PlayedPair& pair);
  // Makes what was written last; append does it about once a second.
  void sync();

 private:
  std::vector<PlayedPair> pairs_;
  LineLog log_;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

}  // namespace gounki::arena
