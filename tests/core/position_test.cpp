#include "core/position.h"

#include <set>

#include <catch2/catch.hpp>

#include "core/game.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "support.h"

using namespace gounki;
using namespace gounki::test;

TEST_CASE("the start is what the rules say") {
  const Position start = Position::start();
  CHECK(start.side_to_move() == Side::White);
  CHECK(start.own().count() == 16);
  CHECK(start.enemy().count() == 16);
  CHECK(start.stack_at(Square(0, 0)) == Stack(1, 0));  // a1 is dark, so a square
  CHECK(start.stack_at(Square(1, 0)) == Stack(0, 1));
  CHECK(start.stack_at(Square(0, 7)) == Stack(0, 1));
  CHECK(start.ply() == 0);
  CHECK(start.validate().has_value());
  CHECK_FALSE(start.is_lost());
}

TEST_CASE("the hash and everything else that must hold does so after every move") {
  Rng rng(11);
  std::vector<Position> positions = random_walk_positions(rng, share_of(3000));
  for (int i = 0; i < share_of(3000); ++i) positions.push_back(random_position(rng));
  for (const Position& position : positions) {
    CAPTURE(to_string(position));
    REQUIRE(position.hash() == position.computed_hash());
    for (const Move move : legal_moves(position)) {
      const Position after = position.after(move);
      if (const auto valid = after.validate(); !valid)  // the hash among other things
        FAIL(to_string(move, position) << ": " << valid.error().message);
      REQUIRE((after.side_to_move() == ~position.side_to_move() &&
               after.ply() == position.ply() + 1));
    }
  }
}

TEST_CASE("the hash tells boards and sides apart, and nothing else") {
  Rng rng(12);
  std::set<std::uint64_t> hashes;
  std::set<std::string> boards;
  for (Position position : random_walk_positions(rng, share_of(20000))) {
    position.set_counters(0, 0);
    hashes.insert(position.hash());
    boards.insert(to_string(position));
  }
  CHECK(hashes.size() == boards.size());

  Position other_counters = Position::start();
  other_counters.set_counters(7, 9);
  CHECK(other_counters.hash() == Position::start().hash());
  CHECK(other_counters.same_board(Position::start()));
  CHECK_FALSE(other_counters == Position::start());

  Position black = Position::start();
  black.set_side_to_move(Side::Black);
  CHECK(black.hash() != Position::start().hash());
  CHECK_FALSE(black.same_board(Position::start()));
}

TEST_CASE("the hash is the same on every machine") {
  CHECK(Position::start().hash() == 0x31966704B7D58331ULL);
  CHECK(Position().hash() == 0);
}

TEST_CASE("mirroring twice changes nothing, and once moves every stack") {
  Rng rng(13);
  for (int i = 0; i < share_of(2000); ++i) {
    const Position position = random_position(rng);
    const Position mirrored = position.mirrored();
    REQUIRE(mirrored.mirrored() == position);
    REQUIRE(mirrored.validate().has_value());
    for (const Square square : Bitboard::all()) {
      REQUIRE(mirrored.stack_at(square.mirrored()) == position.stack_at(square));
      REQUIRE(mirrored.has_stack_of(Side::White, square.mirrored()) ==
              position.has_stack_of(Side::White, square));
    }
  }
}

TEST_CASE("counts of quiet plies and plies stay at their limit") {
  Position position = position_of("s,x7/x8/x8/x8/x8/x8/x8/S,x7 w 65535 65535");
  const Position after = position.after(parse_move("a1-b1", position).value());
  CHECK(after.quiet_plies() == 65535);
  CHECK(after.ply() == 65535);
}

TEST_CASE("validate names what is wrong") {
  Position nobody_to_have_moved;
  nobody_to_have_moved.put(Square(0, 0), Side::White, Stack(1, 0));
  CHECK(nobody_to_have_moved.validate().error().message ==
        "Black, who is not to move, has no stack: the game had ended before");

  Position crowded;
  crowded.put(Square(63), Side::Black, Stack(1, 0));
  for (int i = 0; i < 9; ++i) crowded.put(Square(i), Side::White, Stack(2, 1));
  CHECK(crowded.validate().error().message == "White has 27 pieces, at most 24 are allowed");
  crowded.put(Square(8), Side::White, Stack());
  CHECK(crowded.validate().has_value());

  Position too_high;
  too_high.put(Square(63), Side::Black, Stack(1, 0));
  too_high.put(Square(0), Side::White, Stack(2, 2));
  CHECK(too_high.validate().error().message == "a stack holds 1 to 3 pieces");
}

TEST_CASE("put overwrites, and an empty stack clears") {
  Position position = Position::start();
  const Square a1(0, 0);
  position.put(a1, Side::Black, Stack(0, 2));
  CHECK(position.stack_at(a1) == Stack(0, 2));
  CHECK(position.has_stack_of(Side::Black, a1));
  CHECK(position.hash() == position.computed_hash());
  position.put(a1, Side::White, Stack());
  CHECK(position.stack_at(a1).empty());
  CHECK_FALSE(position.occupied().contains(a1));
  CHECK(position.hash() == position.computed_hash());
}

TEST_CASE("the crowd with the most moves fits the list of moves") {
  Position position;
  position.put(Square(4, 7), Side::Black, Stack(1, 0));
  for (int i = 0; i < 12; ++i)
    position.put(Square(1 + i % 6, i < 6 ? 1 : 4), Side::White, Stack(1, 1));
  REQUIRE(position.validate().has_value());
  CHECK(legal_moves(position).size() <= MoveList::kCapacity);
}
