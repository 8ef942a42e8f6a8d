// Exact results, as the search proves them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "mcts/value.h"

namespace gounki::mcts {

// An exact result by the rules, for one side, and the plies in which it comes about if that side
// hurries to win or puts a loss off; the plies of a win are those of the quickest way known.
//
// Bits 0-1: 0 unknown, 1 win, 2 draw, 3 loss. Bits 2-15: plies.
class Proof {
 public:
  static constexpr int kMostPlies = (1 << 14) - 1;

  constexpr Proof() = default;
  static constexpr Proof win(int plies) { return Proof(1, plies); }
  static constexpr Proof draw(int plies) { return Proof(2, plies); }
  static constexpr Proof loss(int plies) { return Proof(3, plies); }

  constexpr bool known() const { return bits_ != 0; }
  constexpr bool is_win() const { return (bits_ & 3) == 1; }
  constexpr bool is_draw() const { return (bits_ & 3) == 2; }
  constexpr bool is_loss() const { return (bits_ & 3) == 3; }
  constexpr int plies() const { return bits_ >> 2; }
  constexpr MoverValue value() const { return {is_win() ? 1.0f : is_loss() ? -1.0f : 0.0f}; }

  // The same result for the other side, one ply earlier.
  constexpr Proof one_ply_before() const {
    if (!known()) return {};
    return Proof(4 - (bits_ & 3), plies() + 1);
  }
  // The other way: what a result in two plies or more is for the other side when one is played.
  constexpr Proof one_ply_after() const {
    if (!known()) return {};
    return Proof(4 - (bits_ & 3), plies() - 1);
  }
  constexpr bool operator==(const Proof&) const = default;

 private:
  constexpr Proof(int result, int plies)
      : bits_(static_cast<std::uint16_t>(result | std::min(plies, kMostPlies) << 2)) {}
  std::uint16_t bits_ = 0;
};

// Orders moves by what is proven of them, the best least: the quickest win, then what is a draw or not
// proven, then the slowest loss.
constexpr int rank_of(Proof proof) {
  constexpr int kBeyond = Proof::kMostPlies + 1;
  return proof.is_win() ? proof.plies() - kBeyond : proof.is_loss() ? kBeyond - proof.plies() : 0;
}

static_assert(rank_of(Proof::win(1)) < rank_of(Proof::win(3)));
static_assert(rank_of(Proof::win(3)) < rank_of(Proof()) && rank_of(Proof()) == rank_of(Proof::draw(1)));
static_assert(rank_of(Proof()) < rank_of(Proof::loss(4)));
static_assert(rank_of(Proof::loss(4)) < rank_of(Proof::loss(2)));
static_assert(sizeof(Proof) == 2 && Proof::win(1).one_ply_before() == Proof::loss(2));
static_assert(Proof::draw(3).one_ply_before() == Proof::draw(4));
static_assert(Proof::loss(2).one_ply_after() == Proof::win(1));

// What the proofs of all moves of a position prove of it, for its side to move: a win with one
// winning move, a loss when every move loses, a draw when every move is proven and the best is a
// draw. `proof_of` gives the proof of one of `moves`; `complete` says that they are all the moves
// there are.
template <class Moves, class ProofOf>
Proof proof_from_moves(const Moves& moves, bool complete, ProofOf&& proof_of) {
  Proof win, draw, loss;
  for (const auto& move : moves) {
    const Proof proof = proof_of(move);
    if (proof.is_win() && (!win.known() || proof.plies() < win.plies())) win = proof;
    if (proof.is_draw() && proof.plies() >= draw.plies()) draw = proof;
    if (proof.is_loss() && proof.plies() >= loss.plies()) loss = proof;
    complete = complete && proof.known();
  }
  if (win.known()) return win;
  if (!complete) return {};
  return draw.known() ? draw : loss;
}

}  // namespace gounki::mcts
