#include "arena/pairing.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace gounki::arena {
namespace {

int home_group(const Ratings& ratings) {
  return ratings.players()[std::max(0, ratings.anchor().player)].group;
}

int best_known(const Ratings& ratings, int group) {
  const std::vector<int>& members = ratings.groups()[group];
  return *std::min_element(members.begin(), members.end(), [&](int a, int b) {
    return ratings.covariance(a, a) < ratings.covariance(b, b);
  });
}

}  // namespace

double expected_drop(const Ratings& ratings, std::span<const int> interest, int first, int second,
                     int pairs) {
  // The covariance of a rating with the difference. Around the mean of the group C is what it is; the
  // anchor's own uncertainty is taken off.
  const auto with_difference = [&](int player) {
    return ratings.covariance(player, first) - ratings.covariance(player, second);
  };
  const int anchor = ratings.anchor().player;
  const double zero = anchor >= 0 ? with_difference(anchor) : 0.0;
  const double information = pairs * ratings.information(first, second);
  const double variance = with_difference(first) - with_difference(second);
  double sum = 0.0;
  for (const int player : interest) {
    const double with = with_difference(player) - zero;
    sum += with * with;
  }
  return sum * information / (1.0 + information * variance);
}

NextPairing most_telling_pairing(const Ratings& ratings, std::span<const int> interest, int pairs) {
  const int players = static_cast<int>(ratings.players().size());
  std::vector<int> all(static_cast<std::size_t>(players));
  std::iota(all.begin(), all.end(), 0);
  if (interest.empty()) interest = all;

  const int home = home_group(ratings);
  for (const int player : interest)
    if (const int group = ratings.players()[player].group; group != home)
      return {best_known(ratings, home), best_known(ratings, group),
              std::numeric_limits<double>::infinity()};

  NextPairing best{0, 1, -1.0};
  const std::vector<int>& members = ratings.groups()[home];
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = i + 1; j < members.size(); ++j)
      if (const double drop = expected_drop(ratings, interest, members[i], members[j], pairs);
          drop > best.drop)
        best = {members[i], members[j], drop};
  return best;
}

}  // namespace gounki::arena
