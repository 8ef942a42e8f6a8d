#include "arena/move_order.h"

#include "core/paths.h"

namespace gounki::arena {
namespace {

constexpr int kExpected = 1 << 30;
constexpr int kCapture = 1 << 29;
constexpr int kKiller = 1 << 28;
constexpr int kMostHistory = 1 << 27;

// The square that a move of a whole stack lands on; moves out of the board are not asked for it.
Square target(Move move) {
  return path_from(move.how().first(), move.from())[move.how().steps() - 1].square();
}

int victim_first(const Position& position, Move move) {
  return 4 * position.stack_on(target(move)).size() - position.stack_on(move.from()).size();
}

// Ranks gained, added up over the simple pieces that move: they come before sideways moves.
int advance(const Position& position, Move move) {
  if (move.how().deploys()) return rank_step(move.how().first());
  return position.stack_on(move.from()).size() * (target(move).rank() - move.from().rank());
}

}  // namespace

bool captures(const Position& position, Move move) {
  return !move.how().deploys() && position.enemy().contains(target(move));
}

MoveOrder::MoveOrder(const Position& position, const MoveList& captures) {
  for (const Move move : captures) add(move, victim_first(position, move));
}

void MoveMemory::forget() {
  killers_ = {};
  history_ = {};
}

void MoveMemory::note_refutation(const Position& position, Move best, int depth, int ply) {
  if (captures(position, best)) return;
  auto& killers = killers_[static_cast<std::size_t>(ply)];
  if (best != killers[0]) killers = {best, killers[0]};
  int& count = history_[static_cast<std::size_t>(position.side_to_move())]
                       [static_cast<std::size_t>(best.index())];
  count = std::min(count + depth * depth, kMostHistory);
}

MoveOrder MoveMemory::order(const Position& position, const MoveList& legal,
                            std::optional<Move> expected, int ply) const {
  const auto& history = history_[static_cast<std::size_t>(position.side_to_move())];
  const auto& killers = killers_[static_cast<std::size_t>(ply)];
  const auto value = [&](Move move) {
    if (move == expected) return kExpected;
    if (captures(position, move)) return kCapture + victim_first(position, move);
    if (move == killers[0] || move == killers[1]) return kKiller;
    return history[static_cast<std::size_t>(move.index())] + advance(position, move);
  };
  MoveOrder moves;
  for (const Move move : legal) moves.add(move, value(move));
  return moves;
}

}  // namespace gounki::arena
