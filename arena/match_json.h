// The lines of a match's log (docs/formats.md). Readers trust nothing: what is damaged, illegal or
// contradicts itself is a Failure that says what, without file and line.
#pragma once

#include <string>
#include <string_view>

#include "arena/match_log.h"

namespace gounki::arena {

std::string to_line(const MatchSettings& settings);
std::string to_line(const PlayedPair& pair);
MatchSettings parse_settings(std::string_view line);
PlayedPair parse_pair(std::string_view line, const MatchSettings& settings);

// The first setting in which two matches differ, in words; "" where they are the same.
std::string difference(const MatchSettings& there, const MatchSettings& wanted);

}  // namespace gounki::arena
