#include "arena/pool.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gounki::arena {

std::vector<PairResults> pair_results(const std::vector<PlayedPair>& pairs) {
  std::map<std::pair<int, int>, PairCounts> counts;
  for (const PlayedPair& pair : pairs)
    ++counts[{pair.pairing.first, pair.pairing.second}][static_cast<std::size_t>(pair.half_points())];
  std::vector<PairResults> out;
  for (const auto& [who, of_two] : counts) out.push_back({who.first, who.second, of_two});
  return out;
}

int Pool::find(const std::string& name) const {
  const auto found = std::lower_bound(players.begin(), players.end(), name);
  return found != players.end() && *found == name ? static_cast<int>(found - players.begin()) : -1;
}

std::string pool_name(const MatchSettings& settings, int player) {
  const auto number = static_cast<std::size_t>(player);
  const auto& clock = settings.clocks[number];
  return settings.players[number] + (clock ? " at " + to_string(*clock) : "");
}

Pool make_pool(const std::vector<MatchHistory>& matches) {
  Pool pool;
  for (const MatchHistory& match : matches)
    for (int i = 0; i < static_cast<int>(match.settings.players.size()); ++i)
      pool.players.push_back(pool_name(match.settings, i));
  std::sort(pool.players.begin(), pool.players.end());
  pool.players.erase(std::unique(pool.players.begin(), pool.players.end()), pool.players.end());

  // Counts of each two, whichever of them was first, so that the sum does not depend on the order.
  std::map<std::pair<int, int>, PairCounts> sums;
  for (const MatchHistory& match : matches)
    for (const PairResults& r : pair_results(match.pairs)) {
      const int first = pool.find(pool_name(match.settings, r.first));
      const int second = pool.find(pool_name(match.settings, r.second));
      for (std::size_t k = 0; k < 5; ++k) {
        if (first == second) pool.left_out += r.pairs[k];
        else sums[std::minmax(first, second)][first < second ? k : 4 - k] += r.pairs[k];
      }
    }
  for (const auto& [who, counts] : sums) pool.results.push_back({who.first, who.second, counts});
  return pool;
}

}  // namespace gounki::arena
