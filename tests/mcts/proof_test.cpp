#include "mcts/proof.h"

#include <catch2/catch.hpp>
#include <vector>

namespace gounki::mcts {
namespace {

TEST_CASE("a proof turns with the side and counts plies") {
  CHECK_FALSE(Proof().known());
  CHECK_FALSE(Proof().one_ply_before().known());
  CHECK_FALSE(Proof().one_ply_after().known());
  for (const Proof proof : {Proof::win(3), Proof::draw(4), Proof::loss(6)}) {
    const Proof before = proof.one_ply_before();
    CHECK(before.plies() == proof.plies() + 1);
    CHECK(before.value().v == proof.value().flipped().v);
    CHECK(before.one_ply_after() == proof);
  }
  CHECK(Proof::win(1).value().v == 1.0f);
  CHECK(Proof::draw(1).value().v == 0.0f);
  CHECK(Proof::loss(1).value().v == -1.0f);
  // Longer than can be counted is still proven.
  CHECK(Proof::win(100'000).one_ply_before().is_loss());
  CHECK(Proof::win(100'000).plies() == Proof::kMostPlies);
}

TEST_CASE("proofs of the moves prove the position") {
  const Proof none;
  const auto win = Proof::win, draw = Proof::draw, loss = Proof::loss;
  struct Row { std::vector<Proof> moves; bool complete; Proof expected; };
  for (const Row& row : {
           Row{{}, false, none},
           Row{{none, loss(2)}, true, none},
           Row{{none, win(5), none}, false, win(5)},
           Row{{win(7), win(3), loss(2)}, true, win(3)},
           Row{{loss(2), loss(6), loss(4)}, true, loss(6)},
           Row{{loss(2), loss(6)}, false, none},
           Row{{loss(2), draw(1), draw(5)}, true, draw(5)},
           Row{{loss(2), draw(1)}, false, none},
           Row{{draw(1), none}, true, none},
       })
    CHECK(proof_from_moves(row.moves, row.complete, [](Proof proof) { return proof; }) ==
          row.expected);
}

}  // namespace
}  // namespace gounki::mcts
