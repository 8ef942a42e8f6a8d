// The yardstick of a run: games of its newest network against fixed opponents.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/player.h"
#include "core/game.h"
#include "mcts/config.h"
#include "selfplay/config.h"
#include "selfplay/events.h"
#include "selfplay/network.h"

namespace gounki::selfplay {

class Yardstick {
 public:
  // Makes the opponents; throws a UsageError when the text of one is wrong.
  Yardstick(const RunConfig& config, int threads);

  bool wanted() const { return config_.evaluate.games > 0 && !opponents_.empty(); }
  // Plays all opponents, always from the same openings. Nothing when an interrupt of any level came
  // in between: its games are worth no wait.
  std::optional<std::vector<Evaluated>> evaluate(const PlayingNetwork& network,
                                                 const Events& events,
                                                 const std::atomic<int>& stop);

 private:
  const RunConfig config_;
  const int threads_;
  std::vector<std::unique_ptr<arena::Player>> opponents_;
  std::vector<Game> openings_;
};

// The match that decides whether a new network takes over; [gate] games must not be 0. It follows from
// the networks and the config. Nothing when an interrupt of any level came in between.
std::optional<GateResult> play_gate(const RunConfig& config, int threads, const PlayingNetwork& candidate,
                                    const PlayingNetwork& incumbent, const Events& events,
                                    const std::atomic<int>& stop);

}  // namespace gounki::selfplay
