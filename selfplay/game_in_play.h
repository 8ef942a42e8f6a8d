// One self-play game from its opening to its record and samples. Who plays it runs its searches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/game.h"
#include "core/record.h"
#include "mcts/search.h"
#include "selfplay/config.h"
#include "selfplay/sample.h"

namespace gounki::selfplay {

class GameInPlay {
 public:
  // Game `number` of the run, its random opening already played.
  GameInPlay(const RunConfig& config, std::int64_t number);

  const Game& game() const { return game_; }
  std::int64_t number() const { return number_; }
  // At the end of the game, or at the cap.
  bool over() const { return game_.is_over() || capped(); }
  bool capped() const;
  // The seed of the search of the current position.
  std::uint64_t search_seed() const;

  // Plays the move that a search of the current position chose, and keeps what it found as a
  // sample.
  void play(const mcts::SearchResult& result);

  // For a game that is over.
  GameRecord record(std::int64_t network_step) const;
  std::vector<Sample> samples() const;

 private:
  void play_random_opening();

  const RunConfig& config_;
  std::int64_t number_;
  Game game_;
  std::vector<Sample> samples_;        // without what only the end of the game tells
  std::vector<std::string> comments_;  // one for each move
};

}  // namespace gounki::selfplay
