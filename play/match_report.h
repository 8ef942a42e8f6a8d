// What a match says, from its log alone: for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "arena/match_log.h"
#include "arena/score.h"
#include "play/options.h"

namespace gounki::play {

// Two players of a match and what they scored against each other.
struct Encounter {
  int first = 0, second = 1;
  arena::MatchResult result;
};

// Of all that met, in the order in which they met first.
std::vector<Encounter> encounters(const std::vector<arena::PlayedPair>& pairs);

std::string match_text(const arena::MatchHistory& match);
// The fields that docs/formats.md lists under "A match".
Json match_json(const arena::MatchHistory& match);
// The records of all games, in the order of the log.
std::string match_records(const arena::MatchHistory& match);

}  // namespace gounki::play
