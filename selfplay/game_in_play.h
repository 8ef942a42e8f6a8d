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
  // Game `number` of the run, the first plies of its opening, which need no network, already played. The
  // config must outlive it.
  GameInPlay(const RunConfig& config, std::int64_t number);

  const Game& game() const { return game_; }
  std::int64_t number() const { return number_; }
  // At the end of the game, or at the cap.
  bool over() const { return game_.is_over() || capped(); }
  bool capped() const;

  // The search of the current position: its seed, how many visits it is given, and whether noise.
  std::uint64_t search_seed() const;
  mcts::Task search_task() const;
  // Takes what it found: plays the move and, after a full search, keeps a sample. While the opening goes
  // on, the priors alone choose and nothing is kept. The first search after it may find it too uneven;
  // then another opening is played instead.
  void take(const mcts::SearchResult& result);

  // For a game that is over.
  GameRecord record(std::int64_t network_step) const;
  std::vector<Sample> samples() const;

 private:
  void begin_opening();
  void begin_another_opening();
  bool in_opening() const { return static_cast<int>(game_.moves().size()) < opening_plies_; }
  void play_by_priors(const mcts::SearchResult& result);
  bool searches_fully() const;
  bool given_up() const;
  void keep_sample(const mcts::SearchResult& result);
  void note_value(mcts::WhiteValue value);
  double surprise_factor(std::size_t sample) const;

  const RunConfig& config_;
  std::int64_t number_;
  std::uint64_t opening_ = 0;  // how many were drawn before this one
  int opening_plies_ = 0;      // those that the priors choose included
  Game game_;
  int decided_plies_ = 0;  // in a row, for one side: positive for White
  std::vector<Sample> samples_;        // without what only the end of the game tells
  std::vector<double> surprises_;      // of each: nats from the network's policy to the search's
  std::vector<std::string> comments_;  // one for each move
};

}  // namespace gounki::selfplay
