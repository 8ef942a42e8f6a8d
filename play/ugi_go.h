// What a "go" asks for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/game.h"
#include "mcts/engine.h"

namespace gounki::play {

struct UgiGo {
  mcts::Request request;
  bool ponder = false;  // think without a limit first, until the move that was guessed is played
  // What could not be followed, each a sentence. The rest is still asked for, since who says "go"
  // waits for a move.
  std::vector<std::string> complaints;
};

// The words of the line, "go" the first, for the game's position.
UgiGo read_ugi_go(std::span<const std::string> words, const Game& game);

}  // namespace gounki::play
