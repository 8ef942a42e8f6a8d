// The analysis of a game record: what each move was worth, and what each side lost by its moves.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record.h"
#include "mcts/search.h"
#include "mcts/value.h"
#include "play/analyze_reply.h"

namespace gounki::play {

// What is known of one position of a game, for its side to move.
struct Judgement {
  mcts::MoverValue value;
  mcts::Proof proof;
  Move best;          // none where the game is over
  std::int64_t visits = 0;
};
Judgement judgement_of(const mcts::SearchResult& result);
Judgement judgement_of_end(const Game& game);

// A move's loss is the value before it less the value after it, both for the side that moves, from 0
// to 2; 0 for the best move, and where the value has risen.
inline constexpr double kInaccuracy = 0.1, kMistake = 0.2, kBlunder = 0.4;
// "??", "?", "?!" or "".
const char* mark_of(double loss);

struct ReviewedMove {
  Move move, best;
  mcts::MoverValue before, after;          // for the side that makes the move
  mcts::Proof proof_before, proof_after;   // for that side, plies from the position before the move
  double loss = 0.0;
  std::int64_t visits = 0;                 // of the search of the position before
};

struct SideReview {
  int moves = 0, best = 0;
  int inaccuracies = 0, mistakes = 0, blunders = 0;
  double loss = 0.0;  // sum

  double mean_loss() const { return moves > 0 ? loss / moves : 0.0; }
  // The share of moves that are not even inaccuracies; 1 without moves.
  double accuracy() const {
    return moves > 0 ? 1.0 - static_cast<double>(inaccuracies + mistakes + blunders) / moves : 1.0;
  }
};

struct GameReview {
  std::vector<ReviewedMove> moves;
  SideReview white, black;
};

// `judgements` are those of all positions of the game, the last one included. What is proven of a
// position is taken into account in the positions before it, also where their own searches have not
// found it.
GameReview review(const Game& game, std::vector<Judgement> judgements);

// A table and the two sides' sums, for people.
std::string review_text(const GameRecord& record, const GameReview& review, Perspective perspective);
Json review_json(int number, const GameRecord& record, const GameReview& review,
                 Perspective perspective);

}  // namespace gounki::play
