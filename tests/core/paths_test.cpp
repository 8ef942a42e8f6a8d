#include "core/paths.h"

#include <string>

#include <catch2/catch.hpp>

#include "core/notation.h"

using namespace gounki;

namespace {

Square square_of(const std::string& name) { return Square(name[0] - 'a', name[1] - '1'); }

std::string text_of(const Landing& landing) {
  if (!landing.exists()) return ".";
  return landing.is_out() ? "OUT" : to_string(landing.square());
}

std::string path_text(const std::string& from, Direction direction) {
  std::string text;
  for (const Landing landing : path_from(direction, square_of(from)))
    text += (text.empty() ? "" : " ") + text_of(landing);
  return text;
}

std::string landings_text(const std::string& from, int how, Stack stack) {
  std::string text;
  for (const Landing landing : landings(Move(square_of(from), Template(how)), stack))
    text += (text.empty() ? "" : " ") + text_of(landing);
  return text;
}

}  // namespace

TEST_CASE("runs go straight, bounce once they have begun, and leave past the far rank") {
  using enum Direction;
  struct Row { std::string from; Direction direction; std::string path; };
  for (const Row& row : {
           Row{"d4", Forward, "d5 d6 d7"},
           Row{"d4", Left, "c4 b4 a4"},
           Row{"d4", ForwardRight, "e5 f6 g7"},
           Row{"c4", Left, "b4 a4 b4"},
           Row{"b4", Left, "a4 b4 c4"},
           Row{"a4", Left, ". . ."},
           Row{"g4", Right, "h4 g4 f4"},
           Row{"h4", Right, ". . ."},
           Row{"b2", ForwardLeft, "a3 b4 c5"},
           Row{"a2", ForwardLeft, ". . ."},
           Row{"g1", ForwardRight, "h2 g3 f4"},
           Row{"f1", ForwardRight, "g2 h3 g4"},
           Row{"h1", ForwardRight, ". . ."},
           Row{"d8", Forward, "OUT . ."},
           Row{"a8", ForwardLeft, "OUT . ."},
           Row{"h8", ForwardRight, "OUT . ."},
           Row{"h8", Right, ". . ."},
           Row{"g7", ForwardRight, "h8 OUT ."},
           Row{"h7", ForwardRight, ". . ."},
           Row{"f6", ForwardRight, "g7 h8 OUT"},
           Row{"g6", ForwardRight, "h7 g8 OUT"},
       }) {
    CAPTURE(row.from);
    CHECK(path_text(row.from, row.direction) == row.path);
  }
}

TEST_CASE("landings follow the stack") {
  struct Row { std::string from; int how; Stack stack; std::string landings; };
  for (const Row& row : {
           Row{"c2", 0, Stack(1, 0), "c3"},
           Row{"c2", 1, Stack(1, 0), ""},          // one square takes no second step
           Row{"c2", 1, Stack(2, 0), "c4"},
           Row{"c2", 9, Stack(2, 0), ""},          // no round, no diagonal
           Row{"g2", 7, Stack(2, 0), "g2"},        // home again
           Row{"c7", 1, Stack(2, 0), "OUT"},
           Row{"c8", 1, Stack(2, 0), ""},          // it leaves with its first step
           Row{"c2", 15, Stack(1, 0), ""},         // one piece deploys nothing
           Row{"c2", 15, Stack(3, 0), "c3 c4 c5"},
           Row{"c2", 15, Stack(2, 1), ""},         // two kinds have two runs
           Row{"c2", 20, Stack(3, 0), ""},
           Row{"c2", 20, Stack(1, 1), "b3 b4"},
           Row{"c2", 23, Stack(1, 2), "d3 e4 e5"},
           Row{"c2", 28, Stack(2, 1), "b2 a2 "},   // rounds from a2 have no way left
           Row{"c2", 29, Stack(2, 1), "b2 a2 b3"},
           Row{"c8", 15, Stack(2, 0), ""},         // the same as the move to OUT
           Row{"c8", 28, Stack(1, 1), "b8 OUT"},
           Row{"c7", 15, Stack(3, 0), "c8 OUT"},
           Row{"c7", 21, Stack(1, 2), "b8 OUT"},
       }) {
    CAPTURE(row.from, row.how, row.stack.squares(), row.stack.rounds());
    const bool impossible = row.landings.empty() || row.landings.back() == ' ';
    CHECK(landings_text(row.from, row.how, row.stack) == (impossible ? "" : row.landings));
  }
}
