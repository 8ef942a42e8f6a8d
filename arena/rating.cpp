#include "arena/rating.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

#include "arena/rating_fit.h"
#include "core/error.h"

namespace gounki::arena {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kElo = 400.0 / std::numbers::ln10;  // of one logit

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

void check(int players, std::span<const PairResults> results, const RatingAnchor& anchor) {
  const auto known = [&](int player) { return player >= 0 && player < players; };
  if (anchor.player != -1 && !known(anchor.player))
    throw UsageError("ratings: there is no player " + std::to_string(anchor.player) +
                     " to be the anchor");
  for (const PairResults& r : results) {
    if (!known(r.first) || !known(r.second))
      throw UsageError("ratings: there is no player " +
                       std::to_string(known(r.first) ? r.second : r.first));
    if (r.first == r.second)
      throw UsageError("ratings: player " + std::to_string(r.first) + " meets itself");
    if (std::any_of(r.pairs.begin(), r.pairs.end(), [](auto count) { return count < 0; }))
      throw UsageError("ratings: a count of pairs is negative");
  }
}

// All pairs between each two players who met, i < j.
std::vector<Encounter> merge(std::span<const PairResults> results) {
  std::map<std::pair<int, int>, PairCounts> met;
  for (const PairResults& r : results) {
    const bool turned = r.first > r.second;
    PairCounts& counts = met[std::minmax(r.first, r.second)];
    for (int k = 0; k < 5; ++k) counts[k] += r.pairs[turned ? 4 - k : k];
  }
  std::vector<Encounter> out;
  for (const auto& [who, counts] : met)
    if (std::any_of(counts.begin(), counts.end(), [](auto count) { return count > 0; }))
      out.push_back({who.first, who.second, counts});
  return out;
}

std::vector<std::vector<int>> connected(int players, const std::vector<Encounter>& encounters) {
  std::vector<int> root(static_cast<std::size_t>(players));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int p) {
    while (root[p] != p) p = root[p] = root[root[p]];
    return p;
  };
  for (const Encounter& e : encounters) root[std::max(find(e.i), find(e.j))] =
      std::min(find(e.i), find(e.j));
  std::map<int, std::vector<int>> members;
  for (int p = 0; p < players; ++p) members[find(p)].push_back(p);
  std::vector<std::vector<int>> groups;
  for (auto& [first, group] : members) groups.push_back(std::move(group));
  return groups;
}

void count_games(std::vector<PlayerRating>& players, const std::vector<Encounter>& encounters) {
  std::vector<double> points(players.size());
  for (const Encounter& e : encounters) {
    const auto games = static_cast<std::int64_t>(2.0 * e.pairs());
    players[e.i].games += games;
    players[e.j].games += games;
    points[e.i] += 2.0 * e.pairs() * e.score();
    points[e.j] += 2.0 * e.pairs() * (1.0 - e.score());
  }
  for (std::size_t p = 0; p < players.size(); ++p)
    if (players[p].games > 0) players[p].score = points[p] / static_cast<double>(players[p].games);
}

Vector difference_of(std::size_t size, int a, int b) {
  Vector contrast(size);
  contrast[a] += 1.0;
  contrast[b] -= 1.0;
  return contrast;
}

}  // namespace

Ratings::Ratings(int players, std::span<const PairResults> results, const RatingAnchor& anchor)
    : anchor_(anchor), players_(static_cast<std::size_t>(players)),
      place_(static_cast<std::size_t>(players)) {
  check(players, results, anchor);
  const std::vector<Encounter> encounters = merge(results);
  groups_ = connected(players, encounters);
  count_games(players_, encounters);
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g)
    for (int i = 0; i < static_cast<int>(groups_[g].size()); ++i) {
      players_[groups_[g][i]].group = g;
      place_[groups_[g][i]] = i;
    }
  std::vector<std::vector<Encounter>> within(groups_.size());
  for (const Encounter& e : encounters)
    within[players_[e.i].group].push_back({place_[e.i], place_[e.j], e.counts});
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    fits_.push_back(std::make_unique<RatingFit>(static_cast<int>(groups_[g].size()),
                                                std::move(within[g])));
    rate_group(static_cast<int>(g));
  }
}

Ratings::~Ratings() = default;
Ratings::Ratings(Ratings&&) noexcept = default;
Ratings& Ratings::operator=(Ratings&&) noexcept = default;

void Ratings::rate_group(int group) {
  const std::vector<int>& members = groups_[group];
  const RatingFit& fit = this->fit(group);
  const bool anchored = anchor_.player >= 0 && players_[anchor_.player].group == group;
  const double zero = anchored ? fit.strengths()[place_[anchor_.player]] : 0.0;
  for (const int p : members) {
    PlayerRating& rating = players_[p];
    rating.elo = anchor_.elo + (fit.strengths()[place_[p]] - zero) * kElo;
    if (p == anchor_.player) {
      rating.low = rating.high = rating.elo;
    } else if (members.size() == 1) {
      rating.low = -kInfinity, rating.high = kInfinity;
    } else {
      Vector contrast(members.size(), anchored ? 0.0 : -1.0 / static_cast<double>(members.size()));
      if (anchored) contrast[place_[anchor_.player]] = -1.0;
      contrast[place_[p]] += 1.0;
      const RatingFit::Interval interval = fit.interval(contrast);
      rating.low = anchor_.elo + interval.low * kElo;
      rating.high = anchor_.elo + interval.high * kElo;
    }
  }
}

RatingDifference Ratings::difference(int a, int b) const {
  RatingDifference out;
  if (a == b) return out;
  out.elo = players_[a].elo - players_[b].elo;
  const int group = players_[a].group;
  if (group != players_[b].group) {
    out.low = -kInfinity, out.high = kInfinity;
    return out;
  }
  const Vector contrast = difference_of(groups_[group].size(), place_[a], place_[b]);
  const RatingFit::Interval interval = fit(group).interval(contrast);
  out.low = interval.low * kElo;
  out.high = interval.high * kElo;
  out.los = normal_cdf(fit(group).statistic(contrast, 0.0));
  return out;
}

double Ratings::covariance(int a, int b) const {
  const int group = players_[a].group;
  if (group != players_[b].group) return 0.0;
  return fit(group).covariance()(place_[a], place_[b]) * kElo * kElo;
}

double Ratings::information(int a, int b) const {
  const int group = players_[a].group;
  if (group != players_[b].group) return 0.5 / (kElo * kElo);
  return fit(group).pair_information(place_[a], place_[b]) / (kElo * kElo);
}

}  // namespace gounki::arena
