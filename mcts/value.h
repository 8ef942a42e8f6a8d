// Values with their point of view in the type. They are turned here and nowhere else.
#pragma once

#include "core/game.h"
#include "core/types.h"

namespace gounki::mcts {

// From the point of view of White: 1 White wins, 0 a draw, -1 Black wins.
struct WhiteValue {
  float v = 0.0f;
  bool operator==(const WhiteValue&) const = default;
};

// From the point of view of the side to move: 1 it wins, 0 a draw, -1 it loses.
struct MoverValue {
  float v = 0.0f;

  // The same value for the other side.
  constexpr MoverValue flipped() const { return {-v}; }
  constexpr WhiteValue for_white(Side mover) const { return {mover == Side::White ? v : -v}; }
  static constexpr MoverValue of(WhiteValue value, Side mover) {
    return {mover == Side::White ? value.v : -value.v};
  }
};

// Chances of the side to move; they sum to 1.
struct WinDrawLoss {
  float win = 0.0f, draw = 1.0f, loss = 0.0f;

  constexpr MoverValue value() const { return {win - loss}; }
  constexpr WinDrawLoss flipped() const { return {loss, draw, win}; }
};

// The value of a game that is over, for `mover`.
constexpr WinDrawLoss result_for(Outcome outcome, Side mover) {
  if (outcome == Outcome::Draw || outcome == Outcome::Ongoing) return {0.0f, 1.0f, 0.0f};
  return outcome == win_for(mover) ? WinDrawLoss{1.0f, 0.0f, 0.0f} : WinDrawLoss{0.0f, 0.0f, 1.0f};
}

}  // namespace gounki::mcts
