// The report of a match as a web page: one file that needs nothing else, no network and no script.
#pragma once

#include <string>

#include "arena/match_log.h"

namespace gounki::play {

// Made from the log's contents alone, so the same log gives the same bytes. The page is XML, too.
std::string match_html(const arena::MatchHistory& match);

}  // namespace gounki::play
