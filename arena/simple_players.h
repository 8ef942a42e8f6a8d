// Players that look no further than their own move: the first yardsticks.
#pragma once

#include "arena/player.h"

namespace gounki::arena {

// Any legal move, each as likely as another.
class RandomPlayer : public Player {
 public:
  void choose(std::span<const Turn> turns, std::span<Choice> choices) override;
  std::string name() const override { return "random"; }
};

// Looks at the position after each of its moves and takes, in this order: a win; the most simple
// pieces captured; the most ranks gained, added up over its simple pieces. The seed decides between
// moves that are equal in all of it. It never asks what the other side will answer.
class GreedyPlayer : public Player {
 public:
  void choose(std::span<const Turn> turns, std::span<Choice> choices) override;
  std::string name() const override { return "greedy"; }
};

}  // namespace gounki::arena
