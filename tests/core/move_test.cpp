#include "core/move.h"

#include <set>

#include <catch2/catch.hpp>

using namespace gounki;

TEST_CASE("a move is its policy index") {
  for (int index = 0; index < Move::kIndices; ++index) {
    const Move move = Move::from_index(index);
    REQUIRE(move.index() == index);
    REQUIRE(Move(move.from(), move.how()) == move);
    REQUIRE(move.mirrored().mirrored() == move);
  }
}

TEST_CASE("the templates stand where docs/rules.md lists them") {
  using enum Direction;
  struct Row { int index; Direction first; int steps; };
  for (const Row& row : {Row{0, Forward, 1}, Row{2, Forward, 3}, Row{3, Left, 1}, Row{5, Left, 3},
                         Row{6, Right, 1}, Row{8, Right, 3}, Row{9, ForwardLeft, 1},
                         Row{11, ForwardLeft, 3}, Row{12, ForwardRight, 1},
                         Row{14, ForwardRight, 3}}) {
    CAPTURE(row.index);
    CHECK(Template::move(row.first, row.steps).index() == row.index);
    CHECK(Template(row.index).first() == row.first);
    CHECK(Template(row.index).steps() == row.steps);
    CHECK_FALSE(Template(row.index).deploys());
  }

  struct Pair { int index; Direction first, second; };
  for (const Pair& row :
       {Pair{20, ForwardLeft, Forward}, Pair{21, ForwardLeft, Left}, Pair{22, ForwardLeft, Right},
        Pair{23, ForwardRight, Forward}, Pair{24, ForwardRight, Left}, Pair{25, ForwardRight, Right},
        Pair{26, Forward, ForwardLeft}, Pair{27, Forward, ForwardRight}, Pair{28, Left, ForwardLeft},
        Pair{29, Left, ForwardRight}, Pair{30, Right, ForwardLeft}, Pair{31, Right, ForwardRight}}) {
    CAPTURE(row.index);
    const Template how(row.index);
    CHECK(how.deploys());
    CHECK(how.has_second_run());
    CHECK(how.first() == row.first);
    CHECK(how.second() == row.second);
    CHECK(how.rounds_first() == (row.index < 26));
  }
}

TEST_CASE("mirroring swaps left and right and nothing else") {
  const auto mirror = [](Direction d) {
    switch (d) {
      case Direction::Left: return Direction::Right;
      case Direction::Right: return Direction::Left;
      case Direction::ForwardLeft: return Direction::ForwardRight;
      case Direction::ForwardRight: return Direction::ForwardLeft;
      default: return d;
    }
  };
  std::set<int> images;
  for (int i = 0; i < Template::kCount; ++i) {
    CAPTURE(i);
    const Template how(i), image = how.mirrored();
    images.insert(image.index());
    CHECK(image.first() == mirror(how.first()));
    CHECK(image.steps() == how.steps());
    CHECK(image.deploys() == how.deploys());
    CHECK(image.has_second_run() == how.has_second_run());
    if (how.has_second_run()) CHECK(image.second() == mirror(how.second()));
  }
  CHECK(images.size() == Template::kCount);
}
