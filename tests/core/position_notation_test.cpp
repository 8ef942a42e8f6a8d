// The written form of positions; that of moves is in notation_test.cpp.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/movegen.h"
#include "core/notation.h"
#include "support.h"

using namespace gounki;
using namespace gounki::test;

namespace {

const std::string kStart =
    "r,s,r,s,r,s,r,s/s,r,s,r,s,r,s,r/x8/x8/x8/x8/R,S,R,S,R,S,R,S/S,R,S,R,S,R,S,R w 0 0";

}  // namespace

TEST_CASE("a printed position, read back, is itself") {
  CHECK(to_string(Position::start()) == kStart);
  Rng rng(31);
  std::vector<Position> positions = random_walk_positions(rng, share_of(5000));
  for (int i = 0; i < share_of(5000); ++i) positions.push_back(random_position(rng));
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
           Row{"x1,s,x2,x4/x8/x8/x8/x8/x8/x8/x,x,x,x,x,x,x,S w",
               "x,s,x6/x8/x8/x8/x8/x8/x8/x7,S w 0 0"},
           Row{"s,x7/x8/x8/x8/x8/x8/x8/S,x7   w   007   65535",
               "s,x7/x8/x8/x8/x8/x8/x8/S,x7 w 7 65535"},
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
           Row{"",
               "expected x or a stack of S and R (Black's s and r) on a8 at character 1, found the "
               "end"},
           Row{"started", "expected the end after start at character 6, found \"e\""},
           Row{"hello",
               "expected x or a stack of S and R (Black's s and r) on a8 at character 1, found "
               "\"h\""},
           Row{"x9/", "expected 1 to 8 empty squares in rank 8 at character 2, found \"9\""},
           Row{"x0/", "expected 1 to 8 empty squares in rank 8 at character 2, found \"0\""},
           Row{"s,x8/", "expected 1 to 7 empty squares in rank 8 at character 4, found \"8\""},
           Row{"s,x6/x8", "expected \",\" (rank 8 has 7 of 8 squares) at character 5, found \"/\""},
           Row{"s,x7,s/x8",
               "expected the end of rank 8 after 8 squares at character 5, found \",\""},
           Row{"x8/x8/x8/x8/x8/x8/x8", "expected \"/\" and rank 1 at character 21, found the end"},
           Row{"x8/sS,x7", "expected a stack of one colour on a7 at character 5, found \"S\""},
           Row{"x8/ssss,x4", "expected at most 3 pieces on a7 at character 7, found \"s\""},
           Row{"x8/s,,x6",
               "expected x or a stack of S and R (Black's s and r) on b7 at character 6, found "
               "\",\""},
           Row{board, "expected the side to move, w or b, at character 28, found the end"},
           Row{board + " W", "expected the side to move, w or b, at character 29, found \"W\""},
           Row{board + "/x8 w", "expected a space after the board at character 28, found \"/\""},
           Row{board + " wb", "expected a space or the end at character 30, found \"b\""},
           Row{board + " w -1 0",
               "expected the number of quiet plies, 0 to 65535, at character 31, found \"-\""},
           Row{board + " w 0",
               "expected the number of plies, 0 to 65535, at character 32, found the end"},
           Row{board + " w 0 65536",
               "expected the number of plies, 0 to 65535, at character 33, found \"6\""},
           Row{board + " w 0 0 0", "expected the end at character 35, found \"0\""},
           Row{"x8/x8/x8/x8/x8/x8/x8/S,x7 w",
               "Black, who is not to move, has no stack: the game had ended before"},
           Row{"s,x7/x8/x8/x8/x8/x8/RRR,RRR,RRR,RRR,RRR,RRR,RRR,RRR/SSS,x7 w",
               "White has 27 pieces, at most 24 are allowed"},
           Row{"s,\xC3\xA9",
               "expected x or a stack of S and R (Black's s and r) on b8 at character 3, found "
               "byte 0xC3"},
       }) {
    CAPTURE(row.text);
    const auto position = parse_position(row.text);
    REQUIRE_FALSE(position.has_value());
    CHECK(position.error().message == "position: " + row.message);
  }
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
  for (int i = 0; i < share_of(60000); ++i) {
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
  CHECK(read > share_of(1000));
}
