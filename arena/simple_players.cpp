#include "arena/simple_players.h"

#include <compare>
#include <vector>

#include "core/random.h"

namespace gounki::arena {
namespace {

// What the greedy player sees in a move, compared from the first to the last.
struct Gain {
  bool wins = false;
  int captured = 0;  // simple pieces
  int advance = 0;   // ranks, added up over the simple pieces
  auto operator<=>(const Gain&) const = default;
};

// Simple pieces in `squares`, and the sum of their ranks as the side to move sees them.
struct Census {
  int pieces = 0, ranks = 0;
};

Census census(const Position& position, Bitboard squares) {
  Census sum;
  for (const Square square : squares) {
    const int size = position.stack_on(square).size();
    sum.pieces += size;
    sum.ranks += size * square.rank();
  }
  return sum;
}

Gain gain_of(const Position& before, Move move) {
  const Position after = before.after(move);
  if (after.is_lost()) return {true, 0, 0};
  // The other side moves next, so the mover's stacks are now the enemy, seen from the other end.
  const Census mover = census(after, after.enemy());
  const int ranks_after = 7 * mover.pieces - mover.ranks;
  return {false, census(before, before.enemy()).pieces - census(after, after.own()).pieces,
          ranks_after - census(before, before.own()).ranks};
}

Move greediest(const Position& position, const MoveList& moves, Rng& rng) {
  std::vector<Move> best;
  Gain best_gain;
  for (const Move move : moves) {
    const Gain gain = gain_of(position, move);
    if (best.empty() || gain > best_gain) {
      best_gain = gain;
      best.clear();
    }
    if (gain == best_gain) best.push_back(move);
  }
  return best[rng.below(best.size())];
}

}  // namespace

void RandomPlayer::choose(std::span<const Turn> turns, std::span<Choice> choices) {
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const MoveList moves = turns[i].game->legal_moves();
    choices[i] = {moves[static_cast<int>(Rng(turns[i].seed).below(moves.size()))], std::nullopt};
  }
}

void GreedyPlayer::choose(std::span<const Turn> turns, std::span<Choice> choices) {
  for (std::size_t i = 0; i < turns.size(); ++i) {
    Rng rng(turns[i].seed);
    const Game& game = *turns[i].game;
    choices[i] = {greediest(game.position(), game.legal_moves(), rng), std::nullopt};
  }
}

}  // namespace gounki::arena
