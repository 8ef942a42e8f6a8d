#include "arena/move_order.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/notation.h"

namespace gounki::arena {
namespace {

// White can take a triple or a single, with a pair or singles.
const Position kPosition =
    parse_position("x8/x8/x8/x,ssr,x,s,x4/R,x,R,x,RR,x3/x8/x8/S,x7 w").value();

Move move(const char* text) { return parse_move(text, kPosition).value(); }

std::vector<std::string> handed_out(MoveOrder order, int most) {
  std::vector<std::string> out;
  while (!order.empty() && static_cast<int>(out.size()) < most)
    out.push_back(to_string(order.take(), kPosition));
  return out;
}

TEST_CASE("moves are handed out by their order, equal ones by their index") {
  MoveOrder order;
  for (const int index : {5, 900, 4, 2047, 0}) order.add(Move::from_index(index), index == 900 ? 3 : -2);
  std::vector<int> indices;
  while (!order.empty()) indices.push_back(order.take().index());
  CHECK(indices == std::vector<int>{900, 0, 4, 5, 2047});
}

TEST_CASE("captures take the most, with the least") {
  const std::vector<std::string> expected{"a4xb5", "c4xb5", "c4xd5", "e4xd5"};
  CHECK(handed_out(MoveOrder(kPosition, legal_captures(kPosition)), 9) == expected);
}

TEST_CASE("what was expected comes first, then captures, killers and what refuted before") {
  MoveMemory memory;
  memory.forget();
  const MoveList legal = legal_moves(kPosition);
  memory.note_refutation(kPosition, move("e4-f5"), 1, 3);
  memory.note_refutation(kPosition, move("a1-b1"), 2, 2);
  memory.note_refutation(kPosition, move("c4xd5"), 9, 2);  // captures are not remembered
  const std::vector<std::string> expected{"e4-g6", "a4xb5", "c4xb5", "c4xd5",
                                          "e4xd5", "a1-b1", "e4-f5"};
  CHECK(handed_out(memory.order(kPosition, legal, move("e4-g6"), 2), 6) ==
        std::vector<std::string>(expected.begin(), expected.end() - 1));
  memory.forget();
  CHECK(handed_out(memory.order(kPosition, legal, {}, 2), 4) ==
        std::vector<std::string>{"a4xb5", "c4xb5", "c4xd5", "e4xd5"});
}

}  // namespace
}  // namespace gounki::arena
