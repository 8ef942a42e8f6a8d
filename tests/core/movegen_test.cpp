#include "core/movegen.h"

#include <algorithm>
#include <map>
#include <sstream>

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "reference.h"
#include "support.h"

using namespace gounki;
using namespace gounki::test;

namespace {

// The text of each legal move, sorted.
std::vector<std::string> sorted_texts(const Position& position, const Rules& rules = {}) {
  std::vector<std::string> texts;
  for (const Move move : legal_moves(position, rules)) texts.push_back(to_string(move, position));
  std::sort(texts.begin(), texts.end());
  return texts;
}

// Everything that the reference says of the moves of a position: which there are, under which policy
// indices, and where they lead.
void compare_with_reference(const Position& position, const Rules& rules) {
  const auto expected = reference::legal_moves(reference::read(to_string(position)), rules.null_moves);
  const MoveList moves = legal_moves(position, rules);
  REQUIRE(moves.size() == static_cast<int>(expected.size()));
  REQUIRE(count_legal_moves(position, rules) == moves.size());
  for (const Move move : moves) {
    const std::string text = to_string(move, position);
    CAPTURE(text);
    const auto found = expected.find(text);
    REQUIRE(found != expected.end());
    REQUIRE(move.index() == *found->second.indices.begin());
    const Position after = position.after(move);
    REQUIRE(after.exited() == found->second.exits);
    if (!after.exited()) REQUIRE(to_string(after) == found->second.after);
  }
}

// Brute force over the policy: an index is legal exactly when the reference knows it, and then it
// stands for the move with the smallest index of all that describe the same.
void compare_all_indices(const Position& position, const Rules& rules) {
  std::map<int, int> smallest;
  for (const auto& [text, move] :
       reference::legal_moves(reference::read(to_string(position)), rules.null_moves))
    for (const int index : move.indices) smallest[index] = *move.indices.begin();

  std::vector<int> through_the_door;
  for (int index = 0; index < Move::kIndices; ++index) {
    const Expected<Move> move = move_from_policy_index(position, index, rules);
    CAPTURE(index);
    REQUIRE(move.has_value() == (smallest.count(index) == 1));
    if (!move) {
      REQUIRE_FALSE(move.error().message.empty());
      continue;
    }
    REQUIRE(move->index() == smallest[index]);
    const bool listed = move->index() == index;
    REQUIRE(is_legal(position, Move::from_index(index), rules) == listed);
    if (listed) through_the_door.push_back(index);
  }
  std::vector<int> list;
  for (const Move move : legal_moves(position, rules)) list.push_back(move.index());
  std::sort(list.begin(), list.end());
  REQUIRE(list == through_the_door);
}

std::vector<Position> sample_positions(std::uint64_t seed, int walked, int made_up) {
  Rng rng(seed);
  std::vector<Position> positions = random_walk_positions(rng, walked);
  for (int i = 0; i < made_up; ++i) positions.push_back(random_position(rng));
  return positions;
}

constexpr Rules kNoNullMoves{.null_moves = false};

}  // namespace

TEST_CASE("leaf counts are the golden ones") {
  for (const auto& row : golden_rows("perft.txt")) {
    std::string text = row[0];
    Rules rules;
    if (text.rfind("no-null: ", 0) == 0) {
      rules.null_moves = false;
      text.erase(0, 9);
    }
    const Position position = position_of(text);
    std::istringstream counts(row[1]);
    int depth = 0;
    for (std::uint64_t leaves; counts >> leaves;) {
      CAPTURE(text, depth);
      CHECK(perft(position, ++depth, rules) == leaves);
    }
    CHECK(depth >= 3);
  }
}

TEST_CASE("perft of depth 0 is one leaf, and of a finished game none") {
  CHECK(perft(Position::start(), 0) == 1);
  Position lost;
  lost.put(Square(0, 0), Side::Black, Stack(1, 0));
  CHECK(perft(lost, 1) == 0);
  CHECK(legal_moves(lost).empty());
}

TEST_CASE("the moves of the golden positions, to the letter") {
  for (const auto& row : golden_rows("legal_moves.txt")) {
    const Position position = position_of(row[0]);
    std::string joined;
    for (const std::string& text : sorted_texts(position)) joined += (joined.empty() ? "" : " ") + text;
    CAPTURE(row[0]);
    CHECK(joined == row[1]);
  }
}

TEST_CASE("the moves are those of the step-by-step reference") {
  for (const Position& position : sample_positions(1, 3000, 5000)) {
    CAPTURE(to_string(position));
    compare_with_reference(position, {});
    compare_with_reference(position, kNoNullMoves);
  }
}

TEST_CASE("the list is brute force over all policy indices") {
  for (const Position& position : sample_positions(2, 200, 400)) {
    CAPTURE(to_string(position));
    compare_all_indices(position, {});
    compare_all_indices(position, kNoNullMoves);
  }
}

TEST_CASE("a policy index outside 0 to 2047 is an error") {
  for (const int index : {-1, 2048, 1 << 20})
    CHECK_FALSE(move_from_policy_index(Position::start(), index).has_value());
}

TEST_CASE("the mirrored position has the mirrored moves") {
  for (const Position& position : sample_positions(3, 1000, 2000)) {
    CAPTURE(to_string(position));
    const Position mirrored = position.mirrored();
    std::vector<Move> there;
    for (const Move move : legal_moves(position)) {
      const Move mirror = mirrored_move(position, move);
      there.push_back(mirror);
      REQUIRE(is_legal(mirrored, mirror));
      REQUIRE(mirrored_move(mirrored, mirror) == move);
      const Position after = position.after(move);
      // Exits may leave different pieces behind: their templates differ where left comes first.
      if (!after.exited()) REQUIRE(mirrored.after(mirror) == after.mirrored());
    }
    std::sort(there.begin(), there.end());
    REQUIRE(std::unique(there.begin(), there.end()) == there.end());
    REQUIRE(static_cast<int>(there.size()) == count_legal_moves(mirrored));
  }
}

TEST_CASE("there is always a move before the end") {
  for (const Position& position : sample_positions(4, 5000, 20000)) {
    CAPTURE(to_string(position));
    REQUIRE(count_legal_moves(position) > 0);
    REQUIRE(count_legal_moves(position, kNoNullMoves) > 0);
  }
}

TEST_CASE("different moves lead to different positions, but for null moves and exits") {
  for (const Position& position : sample_positions(5, 1000, 2000)) {
    CAPTURE(to_string(position));
    const auto told = reference::legal_moves(reference::read(to_string(position)), true);
    std::map<std::string, std::string> reached;
    for (const Move move : legal_moves(position)) {
      const std::string text = to_string(move, position);
      Position after = position.after(move);
      if (after.exited()) continue;
      after.set_counters(0, 0);
      const auto [before, is_new] =
          reached.emplace(told.at(text).null ? "null" : to_string(after), text);
      CAPTURE(text, before->second);
      REQUIRE((is_new || told.at(text).null));
    }
  }
}

TEST_CASE("all null moves of a position lead to the same position") {
  const Position position = position_of("x8/x8/x8/x,SS,x6/x8/x8/x6,SSS,x/s,x7 w");
  std::vector<Position> after;
  for (const Move move : legal_moves(position)) {
    const std::string text = to_string(move, position);
    if (text == "b5-b5" || text == "g2-g2") after.push_back(position.after(move));
  }
  REQUIRE(after.size() == 2);
  CHECK(after[0] == after[1]);
  CHECK(count_legal_moves(position) == count_legal_moves(position, kNoNullMoves) + 2);
}

TEST_CASE("the checked door refuses what the list does not hold") {
  const Position start = Position::start();
  const Move legal = legal_moves(start)[0];
  CHECK(play_checked(start, legal).value() == start.after(legal));
  const Move illegal = Move(Square(0, 4), Template(0));  // nothing stands on a5
  CHECK_FALSE(play_checked(start, illegal).has_value());
}
