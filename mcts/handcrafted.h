// A static evaluation without a network: the race to the far rank, material, stacks and threats.
#pragma once

#include <optional>
#include <vector>

#include "core/movegen.h"
#include "core/position.h"
#include "mcts/value.h"

namespace gounki::mcts {

// Scores from here on say that the game is decided: the side to move can leave the board now, or
// by the count of moves one side wins a race that the other cannot stop.
inline constexpr int kDecidedScore = 5000;
inline constexpr int kMaxScore = 9999;

// For the side to move, within ±kMaxScore. The position is not over.
int handcrafted_score(const Position& position);
// The same as an expected result in (-1, 1).
MoverValue handcrafted_value(const Position& position);
MoverValue value_of_score(int score);

// How often each of kHandcraftedTerms occurs in a position: ten times its score is the sum of weight
// times count, rounded to 0 and kept below kDecidedScore. Nothing where the score is a decided one.
std::optional<std::vector<int>> handcrafted_counts(const Position& position);

// How likely each of the legal moves is to be good, from what it does: win, capture, save a stack
// or lose it, advance, build a stack. In the order of `moves`; they sum to 1.
void handcrafted_priors(const Position& position, const MoveList& moves,
                        std::vector<float>& priors);

}  // namespace gounki::mcts
