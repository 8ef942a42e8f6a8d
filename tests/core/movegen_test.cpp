#include "core/movegen.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
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

// What a list of moves says, one line a move: its text, its index, where it leads.
using Lines = std::set<std::string>;

std::string line_of(const std::string& text, int index, const std::string& after) {
  return text + " (" + std::to_string(index) + ") to " + after;
}

Lines lines_of_library(const Position& position, const Rules& rules) {
  Lines lines;
  for (const Move move : legal_moves(position, rules)) {
    const Position after = position.after(move);
    lines.insert(line_of(to_string(move, position), move.index(),
                         after.exited() ? "OUT" : to_string(after)));
  }
  return lines;
}

Lines lines_of_reference(const Position& position, const Rules& rules) {
  Lines lines;
  for (const auto& [text, move] :
       reference::legal_moves(reference::read(to_string(position)), rules.null_moves))
    lines.insert(line_of(text, *move.indices.begin(), move.exits ? "OUT" : move.after));
  return lines;
}

// Every index that the checked door lets in, with the move that it says it is.
std::map<int, int> indices_of_library(const Position& position, const Rules& rules) {
  std::map<int, int> indices;
  for (int index = 0; index < Move::kIndices; ++index)
    if (const auto move = move_from_policy_index(position, index, rules))
      indices[index] = move->index();
  return indices;
}

// The same by the reference: a move has the smallest index of all that describe it.
std::map<int, int> indices_of_reference(const Position& position, const Rules& rules) {
  std::map<int, int> indices;
  for (const auto& [text, move] :
       reference::legal_moves(reference::read(to_string(position)), rules.null_moves))
    for (const int index : move.indices) indices[index] = *move.indices.begin();
  return indices;
}

std::vector<Position> sample_positions(std::uint64_t seed, int walked, int made_up) {
  Rng rng(seed);
  std::vector<Position> positions = random_walk_positions(rng, share_of(walked));
  for (int i = 0; i < share_of(made_up); ++i) positions.push_back(random_position(rng));
  return positions;
}

constexpr Rules kNoNullMoves{.null_moves = false};

void check_golden_counts(std::uint64_t most_leaves) {
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
    for (std::uint64_t leaves; counts >> leaves && leaves <= most_leaves;) {
      CAPTURE(text, depth);
      CHECK(perft(position, ++depth, rules) == leaves);
    }
    CHECK(depth >= 3);
  }
}

}  // namespace

TEST_CASE("leaf counts are the golden ones") { check_golden_counts(share_of(200'000'000)); }

TEST_CASE("leaf counts are the golden ones, in any build", "[slow]") {
  check_golden_counts(std::numeric_limits<std::uint64_t>::max());
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
    for (const std::string& text : sorted_texts(position))
      joined += (joined.empty() ? "" : " ") + text;
    CAPTURE(row[0]);
    CHECK(joined == row[1]);
  }
}

TEST_CASE("the moves are those of the step-by-step reference") {
  for (const Position& position : sample_positions(1, 3000, 5000)) {
    CAPTURE(to_string(position));
    for (const Rules& rules : {Rules(), kNoNullMoves}) {
      const Lines lines = lines_of_library(position, rules);
      REQUIRE(lines == lines_of_reference(position, rules));
      REQUIRE(static_cast<int>(lines.size()) == legal_moves(position, rules).size());
      REQUIRE(static_cast<int>(lines.size()) == count_legal_moves(position, rules));
    }
  }
}

TEST_CASE("the list is brute force over all policy indices") {
  for (const Position& position : sample_positions(2, 200, 400)) {
    CAPTURE(to_string(position));
    for (const Rules& rules : {Rules(), kNoNullMoves}) {
      const auto indices = indices_of_library(position, rules);
      REQUIRE(indices == indices_of_reference(position, rules));
      std::vector<int> canonical, list, checked;
      for (const auto& [index, move] : indices)
        if (index == move) canonical.push_back(index);
      for (const Move move : legal_moves(position, rules)) list.push_back(move.index());
      for (int index = 0; index < Move::kIndices; ++index)
        if (is_legal(position, Move::from_index(index), rules)) checked.push_back(index);
      std::sort(list.begin(), list.end());
      REQUIRE(list == canonical);
      REQUIRE(checked == canonical);
    }
  }
}

TEST_CASE("the captures are those of the list that capture, in its order") {
  int captures = 0;
  for (const Position& position : sample_positions(3, 3000, 5000)) {
    CAPTURE(to_string(position));
    std::vector<Move> expected;
    for (const Move move : legal_moves(position))
      if (position.after(move).own().count() < position.enemy().count()) expected.push_back(move);
    const MoveList list = legal_captures(position);
    REQUIRE(std::vector<Move>(list.begin(), list.end()) == expected);
    captures += list.size();
  }
  CHECK(captures > 1'000);
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
      REQUIRE((is_legal(mirrored, mirror) && mirrored_move(mirrored, mirror) == move));
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
      if (!is_new && !told.at(text).null)
        FAIL(text << " leads where " << before->second << " does");
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
