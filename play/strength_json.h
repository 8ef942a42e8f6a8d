// What pairs say, as the fields that every command's JSON has for it (docs/formats.md).
#pragma once

#include "arena/elo.h"
#include "arena/sprt.h"
#include "play/options.h"

namespace gounki::play {

// score, elo, los, normalized_elo with their bounds or errors; what is infinite is null.
void add_strength(Json& out, const arena::Strength& strength);
// elo0, elo1, alpha, beta, model, llr, lower, upper, verdict, pairs_left.
Json sprt_json(const arena::SprtConfig& test, const arena::SprtResult& result);

}  // namespace gounki::play
