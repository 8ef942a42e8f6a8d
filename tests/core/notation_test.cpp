#include "core/notation.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support.h"

using namespace gounki;
using namespace gounki::test;

namespace {

const std::string kStart =
    "r,s,r,s,r,s,r,s/s,r,s,r,s,r,s,r/x8/x8/x8/x8/R,S,R,S,R,S,R,S/S,R,S,R,S,R,S,R w 0 0";

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

TEST_CASE("a printed position, read back, is itself") {
  CHECK(to_string(Position::start()) == kStart);
  Rng rng(31);
  std::vector<Position> positions = random_walk_positions(rng, 5000);
  for (int i = 0; i < 5000; ++i) positions.push_back(random_position(rng));
  for (const Position& position : positions) {
    const auto back = parse_position(to_string(position));
    REQUIRE(back.has_value());
    REQUIRE(*back == position);
  }
}

TEST_CASE("a position is read in more forms than it is printed in") {
  struct Row { std::string text, canonical; };
  for (const Row& row : {
           Row{"start", kStart},
           Row{"  start\n", kStart},
           Row{kStart.substr(0, kStart.size() - 4), kStart},
           Row{" \t" + kStart + " \n", kStart},
           Row{"rss,x7/x8/x8/x8/x8/x8/x8/RSR,x7 b", "ssr,x7/x8/x8/x8/x8/x8/x8/SRR,x7 b 0 0"},
           Row{"x1,s,x2,x4/x8/x8/x8/x8/x8/x8/x,x,x,x,x,x,x,S w", "x,s,x6/x8/x8/x8/x8/x8/x8/x7,S w 0 0"},
           Row{"s,x7/x8/x8/x8/x8/x8/x8/S,x7   w   007   65535", "s,x7/x8/x8/x8/x8/x8/x8/S,x7 w 7 65535"},
       }) {
    CAPTURE(row.text);
    const auto position = parse_position(row.text);
    REQUIRE(position.has_value());
    CHECK(to_string(*position) == row.canonical);
  }
}

TEST_CASE("what is no position is told where and why") {
  const std::string board = "s,x7/x8/x8/x8/x8/x8/x8/S,x7";
  struct Row { std::string text, message; };
  for (const Row& row : {
           Row{"", "expected x or a stack of S and R (Black's s and r) on a8 at character 1, found the end"},
           Row{"started", "expected the end after start at character 6, found \"e\""},
           Row{"hello", "expected x or a stack of S and R (Black's s and r) on a8 at character 1, found \"h\""},
           Row{"x9/", "expected 1 to 8 empty squares in rank 8 at character 2, found \"9\""},
           Row{"x0/", "expected 1 to 8 empty squares in rank 8 at character 2, found \"0\""},
           Row{"s,x8/", "expected 1 to 7 empty squares in rank 8 at character 4, found \"8\""},
           Row{"s,x6/x8", "expected \",\" (rank 8 has 7 of 8 squares) at character 5, found \"/\""},
           Row{"s,x7,s/x8", "expected the end of rank 8 after 8 squares at character 5, found \",\""},
           Row{"x8/x8/x8/x8/x8/x8/x8", "expected \"/\" and rank 1 at character 21, found the end"},
           Row{"x8/sS,x7", "expected a stack of one colour on a7 at character 5, found \"S\""},
           Row{"x8/ssss,x4", "expected at most 3 pieces on a7 at character 7, found \"s\""},
           Row{"x8/s,,x6", "expected x or a stack of S and R (Black's s and r) on b7 at character 6, found \",\""},
           Row{board, "expected the side to move, w or b, at character 28, found the end"},
           Row{board + " W", "expected the side to move, w or b, at character 29, found \"W\""},
           Row{board + "/x8 w", "expected a space after the board at character 28, found \"/\""},
           Row{board + " wb", "expected a space or the end at character 30, found \"b\""},
           Row{board + " w -1 0", "expected the number of quiet plies, 0 to 65535, at character 31, found \"-\""},
           Row{board + " w 0", "expected the number of plies, 0 to 65535, at character 32, found the end"},
           Row{board + " w 0 65536", "expected the number of plies, 0 to 65535, at character 33, found \"6\""},
           Row{board + " w 0 0 0", "expected the end at character 35, found \"0\""},
           Row{"x8/x8/x8/x8/x8/x8/x8/S,x7 w", "Black, who is not to move, has no stack: the game had ended before"},
           Row{"s,x7/x8/x8/x8/x8/x8/RRR,RRR,RRR,RRR,RRR,RRR,RRR,RRR/SSS,x7 w",
               "White has 27 pieces, at most 24 are allowed"},
           Row{"s,\xC3\xA9", "expected x or a stack of S and R (Black's s and r) on b8 at character 3, found byte 0xC3"},
       }) {
    CAPTURE(row.text);
    const auto position = parse_position(row.text);
    REQUIRE_FALSE(position.has_value());
    CHECK(position.error().message == "position: " + row.message);
  }
}

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
  std::vector<Position> positions = random_walk_positions(rng, 150);
  for (int i = 0; i < 350; ++i) positions.push_back(random_position(rng));
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
           Row{"b2-b3 b4", "move: expected the end of the move (a deployment needs * after its first "
                           "square) at character 7, found \"b\""},
           Row{"b2*b3,b4,b5,b6", "move: expected the end of the move or \",\" and a square at "
                                 "character 12, found \",\""},
           Row{"b2*OUT,b3", "move: expected the end of the move after OUT at character 7, found \",\""},
           Row{"b2*b3,", "move: expected a square to land on or OUT at character 7, found the end"},
           Row{"b2\xE2\x80\x93" "b3", "move: expected a square to land on or OUT at character 3, found byte 0xE2"},
           Row{"\xC3\xA9", "move: expected a square to start from at character 1, found byte 0xC3"},
           Row{std::string("b2-b3\0", 6), "move: expected the end of the move (a deployment needs * "
                                          "after its first square) at character 6, found byte 0x00"},
           Row{"b2-b7", "b2-b7 is not legal here: the S on b2 can move: b2-b3 b2-a2+ b2-c2+"},
           Row{"B2 OUT", "b2-OUT is not legal here: the S on b2 can move: b2-b3 b2-a2+ b2-c2+"},
           Row{"b2*b3,b4", "b2*b3,b4 is not legal here: one piece alone moves, only a stack deploys"},
           Row{"b3-b4", "b3-b4 is not legal here: b3 is empty"},
           Row{"b7-b6", "b7-b6 is not legal here: the stack on b7 is not White's, who is to move"},
           Row{"a1-a2-a3", "move: expected the end of the move (a deployment needs * after its first "
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
  CHECK(read_move("b2*c3,c4,c5", at, position).error().message.rfind("b2*c3,c4,c5 is not legal", 0) == 0);
}

TEST_CASE("the board for people") {
  CHECK(board_text(position_of("srr,x7/x8/x8/x3,S,x4/x8/x8/x8/x7,RR w")) ==
        "8 srr   .   .   .   .   .   .   .\n"
        "7   .   .   .   .   .   .   .   .\n"
        "6   .   .   .   .   .   .   .   .\n"
        "5   .   .   .   S   .   .   .   .\n"
        "4   .   .   .   .   .   .   .   .\n"
        "3   .   .   .   .   .   .   .   .\n"
        "2   .   .   .   .   .   .   .   .\n"
        "1   .   .   .   .   .   .   .  RR\n"
        "    a   b   c   d   e   f   g   h\n");
}

TEST_CASE("no text breaks the reader of positions") {
  Rng rng(33);
  int read = 0;
  for (int i = 0; i < 60000; ++i) {
    const std::string text = i % 4 == 0 ? random_bytes(rng, 90)
                             : i % 4 == 1 ? mutated("start", rng)
                                          : mutated(to_string(random_position(rng)), rng);
    const auto position = parse_position(text);
    if (!position) {
      REQUIRE(position.error().message.size() > 10);
      continue;
    }
    ++read;
    REQUIRE(position->validate().has_value());
    REQUIRE(parse_position(to_string(*position)).value() == *position);
    REQUIRE(legal_moves(*position).size() <= MoveList::kCapacity);
  }
  CHECK(read > 1000);
}

TEST_CASE("no text breaks the reader of moves") {
  Rng rng(34);
  int read = 0;
  for (int i = 0; i < 60000; ++i) {
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
  CHECK(read > 1000);
}
