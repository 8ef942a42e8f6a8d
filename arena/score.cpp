#include "arena/score.h"

#include "core/notation.h"

namespace gounki::arena {

void Tally::add(Outcome result, Side side) {
  const int half_points = half_points_of(result, side);
  ++(half_points == 2 ? wins : half_points == 1 ? draws : losses);
}

double MatchResult::score() const {
  const Tally all = total();
  return all.games() == 0 ? 0.5 : all.points() / all.games();
}

int MatchResult::capped() const {
  const auto found = endings.find(Ending::PlyCap);
  return found == endings.end() ? 0 : found->second;
}

void ScoreKeeper::add(const PlayedPair& pair) {
  add(pair.games[0], Side::White);
  add(pair.games[1], Side::Black);
  ++result.pairs[static_cast<std::size_t>(pair.half_points())];
}

// A game in which the first player had this side.
void ScoreKeeper::add(const PlayedGame& game, Side side) {
  (side == Side::White ? result.as_white : result.as_black).add(game.result, side);
  ++result.endings[game.ending];
  if (game.ending == Ending::Fault)
    ++result.faults[game.result == win_for(side) ? 1 : 0][game.fault];
  result.plies += game.plies();
  std::string bytes = to_string(game.start);
  for (const Move move : game.moves) {
    bytes.push_back(static_cast<char>(move.index() & 0xFF));
    bytes.push_back(static_cast<char>(move.index() >> 8));
  }
  if (!seen_[static_cast<std::size_t>(side)].insert(std::move(bytes)).second) ++result.repeated;
}

}  // namespace gounki::arena
