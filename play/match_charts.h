// The charts of a match's report.
#pragma once

#include <optional>
#include <vector>

#include "arena/elo.h"
#include "arena/played.h"
#include "arena/sprt.h"
#include "play/plot.h"
#include "play/rating_report.h"

namespace gounki::play {

using Pairs = std::vector<arena::PlayedPair>;

// How many pairs scored 0, ½, 1, 1½ and 2 points.
Drawing pair_counts_chart(const arena::PairCounts& counts);
// The first player's Elo with its bounds after each pair.
Drawing elo_chart(const Pairs& pairs);
// The log-likelihood ratio of a test after each pair, with its bounds.
Drawing llr_chart(const Pairs& pairs, const arena::SprtConfig& config);
// How many games were how long.
Drawing length_chart(const Pairs& pairs);
Drawing ratings_chart(const RatedPlayers& rated);

}  // namespace gounki::play
