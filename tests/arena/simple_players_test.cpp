#include "arena/simple_players.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/notation.h"

namespace gounki::arena {
namespace {

std::string choice(Player& player, const Game& game, std::uint64_t seed) {
  const Turn turn{&game, seed};
  Choice out;
  player.choose({&turn, 1}, {&out, 1});
  CHECK_FALSE(out.value.has_value());
  return to_string(out.move, game.position());
}

std::set<std::string> choices(Player& player, const std::string& position) {
  const Game game(parse_position(position).value());
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) seen.insert(choice(player, game, seed));
  return seen;
}

TEST_CASE("random chooses every move about equally often") {
  RandomPlayer player;
  const Game game;
  std::map<std::string, int> counts;
  constexpr int kTries = 36 * 200;
  for (std::uint64_t seed = 0; seed < kTries; ++seed) ++counts[choice(player, game, seed)];
  CHECK(counts.size() == 36);
  double chi_squared = 0.0;
  for (const auto& [move, count] : counts) chi_squared += (count - 200.0) * (count - 200.0) / 200.0;
  CHECK(chi_squared < 80.0);  // 35 degrees of freedom; the seeds are fixed
}

TEST_CASE("greedy takes a win, then material, then ground, and draws lots") {
  GreedyPlayer player;
  struct Row {
    std::string position;
    std::set<std::string> expected;
  };
  const std::vector<Row> rows{
      // An exit comes before a capture; either exit will do.
      {"x7,S/x,RR,x6/x8/x8/x8/x8/x3,r,x4/x2,S,x4,s w",
       {"h8-OUT", "b7-OUT", "b7*a8,OUT", "b7*c8,OUT"}},
      // The last enemy stack.
      {"x8/x8/x8/x8/x8/x3,r,x4/x3,S,x4/RRR,x7 w", {"d2xd3"}},
      // Three pieces rather than one.
      {"x8/x8/x8/x8/x8/x2,s,ssr,x4/x3,S,x4/x,R,x6 w", {"d2xd3"}},
      {"x8/x8/x8/x8/x8/x,r,s,ss,x4/x2,R,x5/x7,S w", {"c2xd3"}},
      // Nothing to take: a triple gains nine ranks as a whole, a deployment of it six.
      {"x8/s,x7/x8/x8/x8/x8/x8/x3,SSS,x4 w", {"d1-d4"}},
      {"x8/s,x7/x8/x8/x8/x8/x3,R,x4/x8 w", {"d2-c3", "d2-e3"}},
      // Black sees the board from the other end.
      {"x3,rrr,x4/x8/x8/x8/x8/x8/x8/S,x7 b", {"d8-a5", "d8-g5"}},
  };
  for (const Row& row : rows) {
    INFO(row.position);
    const std::set<std::string> seen = choices(player, row.position);
    CHECK_FALSE(seen.empty());
    for (const std::string& move : seen) CHECK(row.expected.count(move) == 1);
  }
  CHECK(choices(player, rows[5].position).size() == 2);
}

}  // namespace
}  // namespace gounki::arena
