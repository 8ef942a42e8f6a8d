#include "mcts/endings.h"

#include <algorithm>

#include "core/paths.h"

namespace gounki::mcts {
namespace {

// Whether every one of these replies leaves the other side a move that wins at once.
bool all_lose(Line& line, const MoveList& replies, const Rules& rules) {
  return std::all_of(replies.begin(), replies.end(), [&](Move reply) {
    line.push_back(line.back().after(reply));
    const bool lost = !is_draw(line, rules) &&
                      winning_move(line.back(), legal_moves(line.back(), rules)).has_value();
    line.pop_back();
    return lost;
  });
}

// What is proven of the move that led to the last position of the line.
Proof look_behind_move(Line& line, const Rules& rules) {
  if (is_draw(line, rules)) return Proof::draw(1);
  const MoveList replies = legal_moves(line.back(), rules);
  if (winning_move(line.back(), replies)) return Proof::loss(2);
  return all_lose(line, replies, rules) ? Proof::win(3) : Proof();
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

std::optional<Move> winning_move(const Position& position, const MoveList& moves) {
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
