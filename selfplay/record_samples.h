// Samples of games that were played elsewhere, from their records.
#pragma once

#include <cstdint>
#include <vector>

#include "core/error.h"
#include "core/record.h"
#include "selfplay/sample.h"

namespace gounki::selfplay {

// A sample for each move of the record but those that no player chose: with the comment "random", or
// among the first as many as the tag OpeningPlies says. The policy is the move
// that was played; the root value is the comment's "[%eval X]" (for White, -1 … 1), or else the
// result. A record with the tag Termination "capped" is marked as self-play marks such games, with
// the weight `capped_weight`. The plies left are known where the moves end the game by the rules.
// A record that is neither capped nor has a result gives none. The error of a comment names the ply.
Expected<std::vector<Sample>> samples_of(const GameRecord& record, std::int64_t number,
                                         double capped_weight);

}  // namespace gounki::selfplay
