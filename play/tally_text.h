// How results of games read, the same in every command.
#pragma once

#include <string>

#include "arena/match.h"

namespace gounki::play {

// "31 won, 2 drawn, 7 lost: 80.0 %".
std::string tally_text(const arena::Tally& tally);

}  // namespace gounki::play
