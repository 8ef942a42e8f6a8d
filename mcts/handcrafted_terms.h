// The terms that the handcrafted evaluation adds up, and what each is worth. scripts/tune_evaluation
// fits the weights to the results of games and prints these lines anew.
#pragma once

#include <array>
#include <string_view>

namespace gounki::mcts {

struct HandcraftedTerm {
  std::string_view name;
  int weight;  // in tenths of the score, for the side to move
};

// Counted for the side to move less for the other, from "tempo" on for the one that is named.
inline constexpr std::array kHandcraftedTerms{
    // A stack, wherever it stands.
    HandcraftedTerm{"S", 763},
    HandcraftedTerm{"SS", 1606},
    HandcraftedTerm{"SSS", 2232},
    HandcraftedTerm{"R", 360},
    HandcraftedTerm{"SR", 1169},
    HandcraftedTerm{"SSR", 1931},
    HandcraftedTerm{"RR", 598},
    HandcraftedTerm{"SRR", 1934},
    HandcraftedTerm{"RRR", 605},
    // A square of it, a round of it, by the rank that the stack has come to.
    HandcraftedTerm{"S rank 2", -149},
    HandcraftedTerm{"S rank 3", -81},
    HandcraftedTerm{"S rank 4", -34},
    HandcraftedTerm{"S rank 5", -4},
    HandcraftedTerm{"S rank 6", -230},
    HandcraftedTerm{"S rank 7", 562},
    HandcraftedTerm{"S rank 8", 1674},
    HandcraftedTerm{"R rank 2", 142},
    HandcraftedTerm{"R rank 3", 189},
    HandcraftedTerm{"R rank 4", 360},
    HandcraftedTerm{"R rank 5", 359},
    HandcraftedTerm{"R rank 6", 159},
    HandcraftedTerm{"R rank 7", 373},
    HandcraftedTerm{"R rank 8", 2710},
    // Half a move of lead in the race, by the moves that the nearer side needs if nobody hinders it; the
    // first also for fewer moves, the last also for more.
    HandcraftedTerm{"race 2", 50},
    HandcraftedTerm{"race 3", 26},
    HandcraftedTerm{"race 4", 38},
    HandcraftedTerm{"race 5", -348},
    HandcraftedTerm{"race 6", 212},
    // Squares that the stacks can run to, and of these the ones on the last three ranks.
    HandcraftedTerm{"reach", 44},
    HandcraftedTerm{"reach far", 356},
    // Stacks on the files a and h; stacks with no enemy in front of them, up to three ranks ahead.
    HandcraftedTerm{"edge", -217},
    HandcraftedTerm{"free", -143},
    // To be on move; the enemy could leave the board if it were.
    HandcraftedTerm{"tempo", 217},
    HandcraftedTerm{"exit threat", -2612},
    // Tenths of a piece to be won by the best capture, and by the next best.
    HandcraftedTerm{"best capture", 19},
    HandcraftedTerm{"next capture", 26},
    // The same, of the enemy's captures if it were on move.
    HandcraftedTerm{"best threat", -6},
    HandcraftedTerm{"next threat", -18},
};

// An expected result is tanh(score / scale). The scale makes a score of 100 about a simple piece.
inline constexpr double kHandcraftedScale = 350.0;

}  // namespace gounki::mcts
