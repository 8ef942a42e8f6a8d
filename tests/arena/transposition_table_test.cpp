#include "arena/transposition_table.h"

#include <catch2/catch.hpp>

namespace gounki::arena {
namespace {

const Move kMove = Move::from_index(77);
// Another key of the same bucket: only the low bits choose it.
constexpr std::uint64_t other(std::uint64_t key, std::uint64_t n) { return key ^ n << 40; }

TEST_CASE("the table gives back what was stored, until it forgets") {
  TranspositionTable table;
  table.forget();
  CHECK(table.find(5) == nullptr);
  table.store(5, 60, -999'000, Bound::AtMost, kMove);
  for (int search = 0; search < 2; ++search) {
    const auto* entry = table.find(5);
    REQUIRE(entry != nullptr);
    CHECK(entry->depth() == 60);
    CHECK(entry->score == -999'000);
    CHECK(entry->bound() == Bound::AtMost);
    CHECK(entry->best == kMove);
  }
  for (int round = 0; round < 600; ++round) {  // past the point at which the ages begin again
    table.forget();
    REQUIRE(table.find(5) == nullptr);
    if (round % 100 == 0) table.store(5, 1, 0, Bound::Exact, kMove);
  }
}

TEST_CASE("of a bucket the deeper search stays, and the latest") {
  TranspositionTable table;
  table.forget();
  table.store(9, 5, 1, Bound::Exact, kMove);
  table.store(other(9, 1), 2, 2, Bound::Exact, kMove);
  table.store(other(9, 2), 3, 3, Bound::Exact, kMove);
  REQUIRE(table.find(9) != nullptr);
  CHECK(table.find(other(9, 1)) == nullptr);
  REQUIRE(table.find(other(9, 2)) != nullptr);
  table.store(other(9, 3), 6, 4, Bound::Exact, kMove);
  CHECK(table.find(9) == nullptr);
  CHECK(table.find(other(9, 2)) != nullptr);
  CHECK(table.find(other(9, 3)) != nullptr);
}

TEST_CASE("a position stands in the table once, as it was stored last") {
  TranspositionTable table;
  table.forget();
  table.store(9, 5, 1, Bound::Exact, kMove);
  table.store(other(9, 1), 2, 2, Bound::Exact, kMove);
  table.store(other(9, 1), 7, 3, Bound::Exact, kMove);
  table.store(9, 1, 4, Bound::AtLeast, kMove);
  REQUIRE(table.find(9) != nullptr);
  CHECK(table.find(9)->score == 4);
  REQUIRE(table.find(other(9, 1)) != nullptr);
  CHECK(table.find(other(9, 1))->score == 3);
}

}  // namespace
}  // namespace gounki::arena
