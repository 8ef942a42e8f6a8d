// What a match says, from its log alone: for people and for programs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arena/match_log.h"
#include "arena/score.h"
#include "arena/sprt.h"
#include "play/options.h"
#include "play/rating_report.h"

namespace gounki::play {

// Two players of a match and what they scored against each other.
struct Encounter {
  int first = 0, second = 1;
  arena::MatchResult result;
};

// Of all that met, in the order in which they met first.
std::vector<Encounter> encounters(const std::vector<arena::PlayedPair>& pairs);

arena::PairCounts counts_of(const std::vector<arena::PlayedPair>& pairs);
// The state of the test of a match that has one.
arena::SprtResult test_of(const arena::MatchHistory& match);
// Around the mean of the players.
RatedPlayers match_ratings(const arena::MatchHistory& match);

// "31 by the rules, 5 proven".
std::string endings_text(const std::map<arena::Ending, int>& endings);
// "2 by time loss, 1 by crash".
std::string faults_text(const std::map<arena::Fault, int>& faults);

std::string match_text(const arena::MatchHistory& match);
// The fields that docs/formats.md lists under "A match".
Json match_json(const arena::MatchHistory& match);
// The records of all games, in the order of the log.
std::string match_records(const arena::MatchHistory& match);

}  // namespace gounki::play
