#include "play/tally_text.h"

#include <spdlog/fmt/fmt.h>

namespace gounki::play {

std::string tally_text(const arena::Tally& tally) {
  const std::string counts =
      fmt::format("{} won, {} drawn, {} lost", tally.wins, tally.draws, tally.losses);
  if (tally.games() == 0) return counts;
  return fmt::format("{}: {:.1f} %", counts, 100.0 * tally.points() / tally.games());
}

}  // namespace gounki::play
