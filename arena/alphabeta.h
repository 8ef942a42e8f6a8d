// Alpha-beta search: the yardstick that needs no learning. Iterative deepening with a transposition
// table, principal variations, quiescence over exits and captures, and the handcrafted evaluation at
// the end. It leaves nothing out: its score is that of plain minimax.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "arena/move_order.h"
#include "arena/transposition_table.h"
#include "core/game.h"
#include "core/params.h"
#include "mcts/proof.h"
#include "mcts/time_budget.h"

namespace gounki::arena {

struct AlphaBetaConfig {
  static constexpr int kMaxDepth = 60;

  int depth = 4;
  std::int64_t nodes = 0;
  int movetime = 0;
  int overhead = 10;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = AlphaBetaConfig;
    visit("depth", &C::depth, Range{1, kMaxDepth},
          "Plies to look ahead, before captures are played out. No limit where another limit or a "
          "clock is given without it.");
    visit("nodes", &C::nodes, Range{0, 1e15},
          "Positions that end the search; 0 for no limit. Looking one ply ahead is always finished.");
    visit("movetime", &C::movetime, Range{0, 86'400'000},
          "Milliseconds for each move; 0 for no limit. Moves chosen by the clock differ from run to "
          "run.");
    visit("overhead", &C::overhead, Range{0, 10'000},
          "Milliseconds that a move costs on a clock beside the search.");
  }
};

struct AlphaBetaResult {
  Move best;
  // For the side to move: the handcrafted score, or ±(kWinScore - n) for a win or loss in n plies.
  int score = 0;
  // Of the position, where its end is forced. A win or loss within `depth` plies is the quickest, or
  // the slowest, that there is. Draws are not proven.
  mcts::Proof proof = {};
  int depth = 0;  // of the last iteration that was completed
  std::int64_t nodes = 0;

  static constexpr int kWinScore = 1'000'000;
  static constexpr int kLeastWin = kWinScore - 1'000;
  bool wins() const { return score >= kLeastWin; }
  bool loses() const { return score <= -kLeastWin; }
};

// Holds the memory of a search (32 MB). Each search begins afresh, so its result depends on the game
// and the config alone, unless a movetime or a clock ends it. A win within `depth` plies is always
// found and the shortest is taken; a loss is put off as long as can be.
class AlphaBeta {
 public:
  // The game must not be over. The clock is that of the side to move.
  AlphaBetaResult search(const Game& game, const AlphaBetaConfig& config,
                         const std::optional<mcts::Clock>& clock = {});

 private:
  using SteadyClock = std::chrono::steady_clock;
  static constexpr int kNowhere = 1 << 20;  // deeper than any ply

  void begin(const Game& game, const AlphaBetaConfig& config,
             const std::optional<mcts::Clock>& clock);
  bool enough_time_for_another() const;

  int negamax(const Position& position, int depth, int ply, int alpha, int beta);
  int search_moves(const Position& position, MoveOrder& moves, int depth, int ply, int alpha,
                   int beta, Move& best_move);
  int search_move(const Position& next, int depth, int ply, int alpha, int beta, bool first);
  int quiesce(const Position& position, int ply, int alpha, int beta);

  bool is_draw(const Position& position, int ply);
  bool stopped();
  std::uint64_t key_of(const Position& position, int depth) const;
  std::optional<int> remembered(const TranspositionTable::Entry* entry, int depth, int ply,
                                int alpha, int beta) const;
  void remember(std::uint64_t key, int depth, int ply, int score, int alpha, int beta, Move best);

  TranspositionTable table_;
  MoveMemory memory_;
  Rules rules_;
  std::vector<std::uint64_t> line_;  // hashes, from the game's first position to the current one
  int game_size_ = 0;                // of them, those up to the root
  struct { std::optional<Move> best; int score = 0; } root_;
  // The ply from which on a subtree's score holds, since draws in it are repetitions of a position
  // on the way to it; 0 where there are none such.
  int bound_to_ = kNowhere;

  int iteration_ = 0;
  std::int64_t nodes_ = 0, most_nodes_ = 0;  // 0 for no limit
  bool stopped_ = false;
  SteadyClock::time_point started_;
  std::optional<mcts::TimeBudget> budget_;
};

}  // namespace gounki::arena
