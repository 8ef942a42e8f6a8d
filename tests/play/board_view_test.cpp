#include "play/board_view.h"

#include <catch2/catch.hpp>

#include "core/notation.h"

using namespace gounki;
using namespace gounki::play;

namespace {

const char* const kText = "x3,s,x4/x8/x,SSR,x6/x8/x8/x6,rrr,x/x8/R,x7 b 3 12";

Position position() { return parse_position(kText).value(); }

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("the board shows stacks, coordinates and what is left") {
  const std::string rule = "   +-----+-----+-----+-----+-----+-----+-----+-----+\n";
  const std::string files = "      a     b     c     d     e     f     g     h\n";
  const std::string empty = "|     |     |     |     |     |     |     |     | ";
  const std::string expected =
      files + rule + " 8 |     |     |     |  s  |     |     |     |     | 8\n" + rule + " 7 " +
      empty + "7\n" + rule + " 6 |     | SSR |     |     |     |     |     |     | 6\n" + rule +
      " 5 " + empty + "5\n" + rule + " 4 " + empty + "4\n" + rule +
      " 3 |     |     |     |     |     |     | rrr |     | 3\n" + rule + " 2 " + empty + "2\n" +
      rule + " 1 |  R  |     |     |     |     |     |     |     | 1\n" + rule + files +
      "White has 2 squares and 2 rounds in 2 stacks\n"
      "Black has 1 square and 3 rounds in 2 stacks\n";
  CHECK(board_view(position()) == expected);
}

TEST_CASE("the board turned round has h1 at the top left") {
  BoardStyle style;
  style.flip = true;
  const std::string text = board_view(position(), style);
  CHECK(text.find("      h     g     f") == 0);
  CHECK(text.find(" 1 |     |     |     |     |     |     |     |  R  | 1\n") < text.find(" 8 |"));
}

TEST_CASE("symbols and colours") {
  BoardStyle style;
  style.symbols = true;
  CHECK(board_view(position(), style).find("| □□○ |") != std::string::npos);
  CHECK(board_view(position(), style).find("| ●●● |") != std::string::npos);
  style.color = true;
  CHECK(board_view(position(), style).find("\x1b[1;33m □□○ \x1b[0m") != std::string::npos);
}

TEST_CASE("the last move is marked") {
  Game game(position());
  CHECK(squares_of_last_move(game).empty());
  const auto play = [&game](const char* text) { game.play(parse_move(text, game.position()).value()); };
  play("g3*f2,e1,OUT");
  CHECK(squares_of_last_move(game).count() == 3);

  Game other(position());
  other.play(parse_move("d8-c8", other.position()).value());
  BoardStyle style;
  style.marked = squares_of_last_move(other);
  CHECK(style.marked == (Bitboard(Square(3, 7)) | Bitboard(Square(2, 7))));
  CHECK(board_view(other.position(), style).find("|[ s ]| [ ] |") != std::string::npos);
}

TEST_CASE("the drawing has a shape for every piece") {
  const std::string svg = board_svg(position());
  CHECK(svg.rfind("<svg ", 0) == 0);
  CHECK(svg.find("</svg>") != std::string::npos);
  CHECK(svg.find(std::string("<title>") + kText + "</title>") != std::string::npos);
  CHECK(count(svg, "<circle") == 5);
  CHECK(count(svg, "<rect") == 1 + 64 + 3);
}
