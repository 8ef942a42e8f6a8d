#include "mcts/endings.h"

#include <algorithm>

#include "core/paths.h"

namespace gounki::mcts {
namespace {

Bitboard simple_pieces(const Position& p) {
  return (p.with_squares(1) & p.with_rounds(0)) | (p.with_squares(0) & p.with_rounds(1));
}

// A glance that spares most positions the generation of moves: whether some of these stacks, whose
// side exits over rank `last`, may do so in one turn. A simple piece does so from that rank only,
// others climb up to three ranks.
bool may_exit(const Position& p, Bitboard stacks, int last) {
  const int back = last == 7 ? -1 : 1;
  const Bitboard near = Bitboard::rank(last + back) | Bitboard::rank(last + 2 * back);
  return !(stacks & (Bitboard::rank(last) | (near & ~simple_pieces(p)))).empty();
}

bool may_win_at_once(const Position& position) {
  return position.enemy().count() == 1 || may_exit(position, position.own(), 7);
}

// Whether every one of these replies leaves the other side a move that wins at once.
bool all_lose(Line& line, const MoveList& replies, const Rules& rules) {
  return std::all_of(replies.begin(), replies.end(), [&](Move reply) {
    line.push_back(line.back().after(reply));
    const bool lost = !is_draw(line, rules) && can_win_at_once(line.back(), rules);
    line.pop_back();
    return lost;
  });
}

// What is proven of the move that led to the last position of the line.
Proof look_behind_move(Line& line, const Rules& rules) {
  if (is_draw(line, rules)) return Proof::draw(1);
  const Position& position = line.back();
  const bool may_lose = may_win_at_once(position);
  // A reply changes none of the other side's stacks but one that it captures. It may put the last
  // two of its own on one square.
  const bool may_win = may_exit(position, position.enemy(), 0) || position.own().count() <= 2;
  if (!may_lose && !may_win) return {};
  const MoveList replies = legal_moves(position, rules);
  if (winning_move(position, replies)) return Proof::loss(2);
  return may_win && all_lose(line, replies, rules) ? Proof::win(3) : Proof();
}

}  // namespace

bool wins_at_once(const Position& position, Move move) {
  const bool near_exit = move.from().rank() >= 5;  // no stack climbs more than three ranks in one turn
  if (move.how().deploys())
    return near_exit && landings(move, position.stack_on(move.from())).exits();
  const Direction direction = move.how().first();
  const int steps = move.how().steps();
  if (move.from().rank() + steps * rank_step(direction) > 7) return true;
  if (position.enemy().count() > 1) return false;
  return position.enemy().contains(path_from(direction, move.from())[steps - 1].square());
}

bool can_win_at_once(const Position& position, const Rules& rules) {
  if (!may_win_at_once(position)) return false;
  if (!(position.own() & Bitboard::rank(7)).empty()) return true;
  return winning_move(position, legal_moves(position, rules)).has_value();
}

std::optional<Move> winning_move(const Position& position, const MoveList& moves) {
  if (!may_win_at_once(position)) return std::nullopt;
  const auto* found = std::find_if(moves.begin(), moves.end(), [&position](Move move) {
    return wins_at_once(position, move);
  });
  if (found == moves.end()) return std::nullopt;
  return *found;
}

int repetitions(std::span<const Position> line) {
  const Position& position = line.back();
  const int last = static_cast<int>(line.size()) - 1;
  // A capture or a step forward cannot be undone, so nothing before the last one can be the same.
  const int first = std::max(0, last - position.quiet_plies());
  int count = 0;
  for (int i = last - 2; i >= first; i -= 2)
    count += line[static_cast<std::size_t>(i)].same_board(position);
  return count;
}

bool is_draw(std::span<const Position> line, const Rules& rules) {
  return (rules.quiet_draw && line.back().quiet_plies() >= Rules::kQuietLimit) ||
         (rules.repetition_draw && repetitions(line) >= 2);
}

std::vector<Proof> look_ahead(Line& line, const MoveList& moves, const Rules& rules) {
  std::vector<Proof> proofs(static_cast<std::size_t>(moves.size()));
  const auto set_all = [&](auto&& proof_of) {
    std::transform(moves.begin(), moves.end(), proofs.begin(), proof_of);
  };
  set_all([&](Move move) { return wins_at_once(line.back(), move) ? Proof::win(1) : Proof(); });
  if (std::any_of(proofs.begin(), proofs.end(), [](Proof proof) { return proof.known(); }))
    return proofs;
  set_all([&](Move move) {
    line.push_back(line.back().after(move));
    const Proof proof = look_behind_move(line, rules);
    line.pop_back();
    return proof;
  });
  return proofs;
}

}  // namespace gounki::mcts
