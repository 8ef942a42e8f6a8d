// Where the report of a match goes, the same for the match itself and for its log.
#pragma once

#include <string>
#include <vector>

#include "arena/match_log.h"
#include "play/command_line.h"

namespace gounki::play {

struct MatchOutput {
  std::string records, html;
  bool json = false;
};

// --records, --html and --json.
void add_match_output(Command& command, MatchOutput& output);
// Throws now where write_match would fail later, or would write over a file that the match needs.
void check_match_output(const MatchOutput& output, const std::vector<std::string>& needed);
// Prints the report, and writes the files that are asked for.
void write_match(const arena::MatchHistory& match, const MatchOutput& output);

}  // namespace gounki::play
