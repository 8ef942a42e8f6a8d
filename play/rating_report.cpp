#include "play/rating_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

namespace gounki::play {
namespace {

const std::string& name_of(const RatedPlayers& rated, int player) {
  return rated.names[static_cast<std::size_t>(player)];
}

const arena::PlayerRating& rating_of(const RatedPlayers& rated, int player) {
  return rated.ratings.players()[static_cast<std::size_t>(player)];
}

// The chance that the player at this rank is better than the next, or −1 where nothing says so.
double los_of_next(const RatedPlayers& rated, const std::vector<int>& ranking, std::size_t rank) {
  if (rank + 1 == ranking.size()) return -1;
  const int player = ranking[rank], next = ranking[rank + 1];
  if (rating_of(rated, player).group != rating_of(rated, next).group) return -1;
  return rated.ratings.difference(player, next).los;
}

}  // namespace

std::vector<int> RatedPlayers::ranking() const {
  std::vector<int> order(names.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return ratings.players()[static_cast<std::size_t>(a)].elo >
           ratings.players()[static_cast<std::size_t>(b)].elo;
  });
  return order;
}

std::string elo_text(double elo) {
  if (std::isinf(elo)) return elo > 0 ? "∞" : "-∞";
  return fmt::format("{:+.1f}", elo);
}

std::string anchor_text(const RatedPlayers& rated) {
  const arena::RatingAnchor& anchor = rated.ratings.anchor();
  if (anchor.player >= 0)
    return fmt::format("Elo relative to {}, which has {:g}", name_of(rated, anchor.player), anchor.elo);
  return fmt::format("Elo relative to the mean of the players, which is {:g}", anchor.elo);
}

std::string groups_text(const RatedPlayers& rated) {
  const auto& groups = rated.ratings.groups();
  if (groups.size() == 1) return "";
  std::string out = "these groups never met, so their ratings cannot be compared:\n";
  for (const std::vector<int>& group : groups) {
    std::vector<std::string> names;
    for (const int player : group) names.push_back(name_of(rated, player));
    out += fmt::format("  {}\n", fmt::join(names, "; "));
  }
  return out;
}

std::string ratings_text(const RatedPlayers& rated) {
  const std::vector<int> ranking = rated.ranking();
  std::size_t width = 6;
  for (const std::string& name : rated.names) width = std::max(width, name.size());
  std::string out = fmt::format("{:>4}  {:<{}}  {:>8}  {:>8}  {:>8}  {:>7}  {:>7}  {:>7}\n", "rank",
                                "player", width, "Elo", "from", "to", "games", "score", "LOS");
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    const arena::PlayerRating& r = rating_of(rated, ranking[i]);
    const double los = los_of_next(rated, ranking, i);
    out += fmt::format("{:>4}  {:<{}}  {:>8}  {:>8}  {:>8}  {:>7}  {:>5.1f} %  {:>7}\n", i + 1,
                       name_of(rated, ranking[i]), width, elo_text(r.elo), elo_text(r.low),
                       elo_text(r.high), r.games, 100 * r.score,
                       los < 0 ? "" : fmt::format("{:.1f} %", 100 * los));
  }
  return out + anchor_text(rated) +
         "; bounds of 95 %; LOS: the chance to be better than the next\n" + groups_text(rated);
}

Json ratings_json(const RatedPlayers& rated) {
  const std::vector<int> ranking = rated.ranking();
  Json out = Json::array();
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    const arena::PlayerRating& r = rating_of(rated, ranking[i]);
    const double los = los_of_next(rated, ranking, i);
    out.push_back({{"player", name_of(rated, ranking[i])},
                   {"elo", r.elo},
                   {"elo_low", r.low},  // null where it is infinite
                   {"elo_high", r.high},
                   {"games", r.games},
                   {"score", r.score},
                   {"los_next", los < 0 ? Json() : Json(los)},
                   {"group", r.group}});
  }
  return out;
}

}  // namespace gounki::play
