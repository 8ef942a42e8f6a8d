#include "core/notation.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support.h"

using namespace gounki;
using namespace gounki::test;

namespace {

std::string without(std::string text, std::string_view characters) {
  const auto drop = [&](char c) { return characters.find(c) != std::string_view::npos; };
  text.erase(std::remove_if(text.begin(), text.end(), drop), text.end());
  return text;
}

std::string with_spaces(const std::string& text) {
  std::string out = " ";
  for (const char c : text) out += std::string(1, c) + " \t ";
  return out;
}

std::string in_case(std::string text, int (*change)(int)) {
  for (char& c : text) c = static_cast<char>(change(c));
  return text;
}

std::string with_other_marks(std::string text) {
  for (char& c : text)
    c = c == '-' ? 'x' : c == 'x' ? '-' : c == ',' ? '-' : c;
  return text;
}

// What else names the same move as this canonical text.
std::vector<std::string> generous_forms(const std::string& text) {
  return {without(text, "+"),
          without(text, "-x+,"),
          without(with_spaces(text), "-x+,"),
          with_spaces(text),
          in_case(text, std::toupper),
          in_case(text, std::tolower),
          with_other_marks(text),
          without(text, "+") + "+",
          "\n" + text + "\r\n"};
}

std::string move_error(const std::string& text, const std::string& position,
                       const Rules& rules = {}) {
  const auto move = parse_move(text, position_of(position), rules);
  return move ? "(read as " + to_string(*move, position_of(position)) + ")" : move.error().message;
}

}  // namespace

TEST_CASE("moves are printed as the rules write them") {
  struct Row { std::string position, move; };
  for (const Row& row : {
           Row{"s,x7/x8/x8/x8/x8/x8/x2,SS,x5/x8 w", "c2-c4"},
           Row{"s,x7/x,R,x6/x2,s,x5/x8/x8/x8/x8/x8 w", "b7-c8"},
           Row{"S,x7/x,r,x6/x2,S,x5/x8/x8/x8/x8/x8 b", "b7xc6"},
           Row{"s,x7/x8/x8/x8/x8/x8/x2,R,x5/x2,S,x5 w", "c1-c2+"},
           Row{"s,x7/x8/x8/x8/x8/x8/x6,SS,x/x8 w", "g2-g2"},
           Row{"s,x,S,x5/x8/x8/x8/x8/x8/x8/x8 w", "c8-OUT"},
           Row{"s,x7/x8/x8/x8/x8/x8/x2,SRR,x5/x8 w", "c2*d3,e4,e5"},
           Row{"s,x7/x8/x8/x8/x8/x5,SR,x2/x8/x8 w", "f3*e4,e5"},
           Row{"s,x7/x8/x8/x8/x4,R,x3/x5,SR,x2/x8/x8 w", "f3*e4+,d4"},
           Row{"S,x7/x8/x8/x8/x8/x8/x,rr,x6/x8 b", "b2*c1,OUT"},
           // On a piece that this deployment has left, and on the square that the stack has left.
           Row{"S,x7/x2,ssr,x5/x8/x8/x8/x8/x8/x8 b", "c7*b6,a6,b6+"},
           Row{"s,x7/x8/x8/x8/x8/x8/x6,SS,x/x8 w", "g2*h2,g2"},
           Row{"s,x7/x8/x8/x8/x8/x8/x5,SSS,x2/x8 w", "f2*g2,h2,g2+"},
       }) {
    CAPTURE(row.position, row.move);
    const Position position = position_of(row.position);
    const auto move = parse_move(row.move, position);
    REQUIRE(move.has_value());
    CHECK(to_string(*move, position) == row.move);
  }
}

TEST_CASE("a printed move, read back in any generous form, is itself") {
  Rng rng(32);
  std::vector<Position> positions = random_walk_positions(rng, share_of(150));
  for (int i = 0; i < share_of(350); ++i) positions.push_back(random_position(rng));
  for (const Position& position : positions) {
    CAPTURE(to_string(position));
    for (const Move move : legal_moves(position)) {
      const std::string text = to_string(move, position);
      REQUIRE(parse_move(text, position).value() == move);
      for (const std::string& form : generous_forms(text)) {
        CAPTURE(text, form);
        const auto read = parse_move(form, position);
        REQUIRE(read.has_value());
        REQUIRE(*read == move);
      }
    }
  }
}

TEST_CASE("a deployment that leaves at once is the move to OUT") {
  const Position position = position_of("s,x,SR,x5/x8/x8/x8/x8/x8/x8/x8 w");
  CHECK(to_string(parse_move("c8*out", position).value(), position) == "c8-OUT");
}

TEST_CASE("what is no move is told where and why") {
  struct Row { std::string text, message; };
  for (const Row& row : {
           Row{"", "move: expected a square to start from at character 1, found the end"},
           Row{"   ", "move: expected a square to start from at character 4, found the end"},
           Row{"i2-i3", "move: expected a square to start from at character 1, found \"i\""},
           Row{"b9", "move: expected a rank from 1 to 8 at character 2, found \"9\""},
           Row{"b2", "move: expected a square to land on or OUT at character 3, found the end"},
           Row{"b2-", "move: expected a square to land on or OUT at character 4, found the end"},
           Row{"b2--b3", "move: expected a square to land on or OUT at character 4, found \"-\""},
           Row{"b2-b", "move: expected a rank from 1 to 8 at character 5, found the end"},
           Row{"b2 - o v t", "move: expected OUT at character 8, found \"v\""},
           Row{"b2-b3x", "move: expected the end of the move (a deployment needs * after its first "
                         "square) at character 6, found \"x\""},
           Row{"b2-b3 b4",
               "move: expected the end of the move (a deployment needs * after its first "
                           "square) at character 7, found \"b\""},
           Row{"b2*b3,b4,b5,b6", "move: expected the end of the move or \",\" and a square at "
                                 "character 12, found \",\""},
           Row{"b2*OUT,b3",
               "move: expected the end of the move after OUT at character 7, found \",\""},
           Row{"b2*b3,", "move: expected a square to land on or OUT at character 7, found the end"},
           Row{"b2\xE2\x80\x93" "b3",
               "move: expected a square to land on or OUT at character 3, found byte 0xE2"},
           Row{"\xC3\xA9", "move: expected a square to start from at character 1, found byte 0xC3"},
           Row{std::string("b2-b3\0", 6),
               "move: expected the end of the move (a deployment needs * "
                                          "after its first square) at character 6, found byte "
                                          "0x00"},
           Row{"b2-b7", "b2-b7 is not legal here: the S on b2 can move: b2-b3 b2-a2+ b2-c2+"},
           Row{"B2 OUT", "b2-OUT is not legal here: the S on b2 can move: b2-b3 b2-a2+ b2-c2+"},
           Row{"b2*b3,b4",
               "b2*b3,b4 is not legal here: one piece alone moves, only a stack deploys"},
           Row{"b3-b4", "b3-b4 is not legal here: b3 is empty"},
           Row{"b7-b6", "b7-b6 is not legal here: the stack on b7 is not White's, who is to move"},
           Row{"a1-a2-a3",
               "move: expected the end of the move (a deployment needs * after its first "
                           "square) at character 6, found \"-\""},
       }) {
    CAPTURE(row.text);
    CHECK(move_error(row.text, "start") == row.message);
  }

  const std::string enclosed = "s,x7/x8/x8/x8/x8/s,s,x6/SS,S,x6/x8 w";
  CHECK(move_error("a2*a3,a4", enclosed) == "a2*a3,a4 is not legal here: the SS on a2 can deploy: "
                                            "a2*b2+,c2");
  CHECK(move_error("a2*a3,a4", "s,x7/x8/x8/x8/x8/s,x7/SS,s,x6/x8 w") ==
        "a2*a3,a4 is not legal here: the stack on a2 cannot deploy");
  CHECK(move_error("a2*b2", enclosed) ==
        "a2*b2 is not legal here: the SS on a2 can deploy: a2*b2+,c2");
  CHECK(move_error("g2-g2", "s,x7/x8/x8/x8/x8/x8/x6,SS,x/x8 w", {.null_moves = false}) ==
        "g2-g2 is not legal here: the SS on g2 can move: g2-g3 g2-g4 g2-f2 g2-e2 g2-h2");
  Position lost;
  lost.put(Square(0, 0), Side::Black, Stack(1, 0));
  CHECK(parse_move("a1-a2", lost).error().message == "a1-a2 is not legal here: the game is over");
}

TEST_CASE("a move in a longer text ends where its stack is used up") {
  const Position position = position_of("s,x7/x8/x8/x8/x8/x8/x,SR,x6/x2,R,x5 w");
  struct Row { std::string text, move, rest; };
  for (const Row& row : {
           Row{"b2 * c3 c4 c5 c6", "b2*c3,c4", " c5 c6"},
           Row{"b2*c3,c4 1-0", "b2*c3,c4", " 1-0"},
           Row{"b2-b3 c5-c6", "b2-b3", " c5-c6"},
           Row{"c1 b2 +2.", "c1-b2+", "2."},
           Row{"c1-d2*", "c1-d2", "*"},
       }) {
    CAPTURE(row.text);
    std::size_t at = 0;
    const auto move = read_move(row.text, at, position);
    REQUIRE(move.has_value());
    CHECK(to_string(*move, position) == row.move);
    CHECK(row.text.substr(at) == row.rest);
  }

  std::size_t at = 3;
  CHECK(read_move("1. b2-", at, position).error().message ==
        "expected a square to land on or OUT, found the end");
  CHECK(at == 6);
  at = 0;
  CHECK(read_move("b2*c3,c4,c5", at, position).error().message.rfind("b2*c3,c4,c5 is not "
  "legal", 0) == 0);
}

TEST_CASE("no text breaks the reader of moves") {
  Rng rng(34);
  int read = 0;
  for (int i = 0; i < share_of(60000); ++i) {
    const Position position = random_position(rng);
    const MoveList moves = legal_moves(position);
    const std::string valid = to_string(moves[static_cast<int>(rng.below(moves.size()))], position);
    const std::string text = i % 4 == 0 ? random_bytes(rng, 20) : mutated(valid, rng);
    const auto move = parse_move(text, position);
    if (!move) {
      REQUIRE(move.error().message.size() > 10);
      continue;
    }
    ++read;
    REQUIRE(is_legal(position, *move));
  }
  CHECK(read > share_of(1000));
}
