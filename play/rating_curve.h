// How a run's networks became stronger: their ratings over games and minutes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "play/rating_report.h"

namespace gounki::play {

// How far a run was when a network was written.
struct RunMoment {
  double games = 0.0, minutes = 0.0;
};
// By learner steps, from the run's metrics. The network of step 0 is from its beginning.
std::map<std::int64_t, RunMoment> moments_of_run(const std::filesystem::path& run);

struct RatingCurve {
  // Numbers of players in `rated`.
  struct Checkpoint {
    std::int64_t step = 0;
    std::optional<RunMoment> moment;
    int player = 0;
  };
  std::vector<Checkpoint> checkpoints;  // by rising steps
  std::vector<int> ladder;
};

// The fields that docs/formats.md lists under "A rating curve".
Json curve_json(const RatingCurve& curve, const RatedPlayers& rated);
// Elo over games and over minutes; over steps where the metrics say neither.
std::string curve_svg(const RatingCurve& curve, const RatedPlayers& rated);

}  // namespace gounki::play
