#include "core/game.h"

#include <algorithm>
#include <string>

namespace gounki {
namespace {

std::string_view how_it_ended(Outcome outcome) {
  switch (outcome) {
    case Outcome::WhiteWins: return "White has won";
    case Outcome::BlackWins: return "Black has won";
    case Outcome::Draw: return "it is a draw";
    case Outcome::Ongoing: break;
  }
  return "it goes on";
}

}  // namespace

Game::Game(const Position& first, const Rules& rules) : rules_(rules), positions_{first} {}

Outcome Game::outcome() const {
  if (position().is_lost()) return win_for(~position().side_to_move());
  if (rules_.repetition_draw && repetitions_ >= 2) return Outcome::Draw;
  if (rules_.quiet_draw && position().quiet_plies() >= Rules::kQuietLimit) return Outcome::Draw;
  return Outcome::Ongoing;
}

MoveList Game::legal_moves() const {
  return is_over() ? MoveList() : gounki::legal_moves(position(), rules_);
}

void Game::play(Move move) {
  assert(!is_over() && is_legal(position(), move, rules_));
  positions_.push_back(position().after(move));
  moves_.push_back(move);
  repetitions_ = count_repetitions();
}

Expected<void> Game::play_checked(Move move) {
  if (is_over()) return fail("the game is over: " + std::string(how_it_ended(outcome())));
  if (!is_legal(position(), move, rules_))
    return fail("the move of policy index " + std::to_string(move.index()) + " is not legal here");
  play(move);
  return {};
}

void Game::undo() {
  assert(!moves_.empty());
  positions_.pop_back();
  moves_.pop_back();
  repetitions_ = count_repetitions();
}

// A capture or a step forward can never be undone, so nothing before the last one can be the same.
int Game::count_repetitions() const {
  const int last = static_cast<int>(positions_.size()) - 1;
  const int first = std::max(0, last - position().quiet_plies());
  int count = 0;
  for (int i = last - 2; i >= first; i -= 2) count += positions_[i].same_board(position());
  return count;
}

}  // namespace gounki
