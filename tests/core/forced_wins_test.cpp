// The positions of golden/forced_wins.txt, proved by plain search: every move of the attacker, every
// reply of the defender. It holds rules, positions and the end of the game against another program.
#include <algorithm>
#include <sstream>
#include <unordered_map>

#include <catch2/catch.hpp>

#include "core/movegen.h"
#include "core/notation.h"
#include "support.h"

using namespace gounki;
using namespace gounki::test;

namespace {

class Prover {
 public:
  // Whether the side to move wins within this (odd) number of plies whatever the other does.
  bool wins_within(const Position& position, int plies) {
    const auto [known, is_new] = known_[plies].try_emplace(position.hash(), false);
    if (!is_new) return known->second;
    const MoveList moves = legal_moves(position);
    const bool wins = std::any_of(moves.begin(), moves.end(), [&](Move move) {
      return move_wins_within(position, move, plies);
    });
    return known_[plies][position.hash()] = wins;
  }

  bool move_wins_within(const Position& position, Move move, int plies) {
    const Position after = position.after(move);
    if (after.is_lost()) return true;
    if (plies == 1) return false;
    const MoveList replies = legal_moves(after);
    return std::all_of(replies.begin(), replies.end(), [&](Move reply) {
      const Position then = after.after(reply);
      return !then.is_lost() && wins_within(then, plies - 2);
    });
  }

 private:
  std::unordered_map<int, std::unordered_map<std::uint64_t, bool>> known_;
};

void prove(const std::string& text, int plies, const std::string& only_moves) {
  CAPTURE(text, plies);
  const Position position = position_of(text);
  Prover prover;
  for (int fewer = 1; fewer < plies; fewer += 2) CHECK_FALSE(prover.wins_within(position, fewer));

  std::vector<std::string> winning, expected;
  for (const Move move : legal_moves(position))
    if (prover.move_wins_within(position, move, plies))
      winning.push_back(to_string(move, position));
  std::istringstream words(only_moves);
  for (std::string word; words >> word;) expected.push_back(word);
  std::sort(winning.begin(), winning.end());
  std::sort(expected.begin(), expected.end());
  CHECK(winning == expected);
}

void prove_all(bool (*wanted)(int plies)) {
  int proved = 0;
  for (const auto& row : golden_rows("forced_wins.txt")) {
    const int plies = std::stoi(row[1]);
    if (!wanted(plies)) continue;
    prove(row[0], plies, row[2]);
    ++proved;
  }
  CHECK(proved > 0);
}

}  // namespace

TEST_CASE("forced wins in three and five plies are found, and nothing faster") {
  prove_all([](int plies) { return plies <= 5; });
}

TEST_CASE("the forced win in seven plies is found, and nothing faster", "[slow]") {
  prove_all([](int plies) { return plies > 5; });
}
