// Alpha-beta search: the yardstick that needs no learning. Iterative deepening with a transposition
// table, principal variations, quiescence over captures, and the handcrafted evaluation at the end.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "core/game.h"
#include "core/params.h"

namespace gounki::arena {

struct AlphaBetaConfig {
  static constexpr int kMaxDepth = 60;

  int depth = 4;
  int movetime = 0;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = AlphaBetaConfig;
    visit("depth", &C::depth, Range{1, kMaxDepth},
          "Plies to look ahead, before captures are played out.");
    visit("movetime", &C::movetime, Range{0, 86'400'000},
          "Milliseconds for each move; 0 for no limit. Given without a depth it is the only limit. "
          "Moves chosen by the clock differ from run to run.");
  }
};

struct AlphaBetaResult {
  Move best;
  // For the side to move: the handcrafted score, or ±(kWinScore - n) for a win or loss in n plies.
  int score = 0;
  int depth = 0;  // of the last iteration that was completed
  std::int64_t nodes = 0;

  static constexpr int kWinScore = 1'000'000;
  static constexpr int kLeastWin = kWinScore - 1'000;
  bool wins() const { return score >= kLeastWin; }
  bool loses() const { return score <= -kLeastWin; }
};

// Holds the memory of a search (16 MB). Each search begins afresh, so its result depends on the
// game and the config alone, unless `movetime` ends it. A win within `depth` plies is always found
// and the shortest is taken; a loss is put off as long as can be.
class AlphaBeta {
 public:
  AlphaBeta();
  // The game must not be over.
  AlphaBetaResult search(const Game& game, const AlphaBetaConfig& config);

 private:
  enum class Bound : std::uint8_t { Exact, AtLeast, AtMost };
  struct Entry {
    std::uint64_t key = 0;
    std::int32_t score = 0;  // wins and losses count from this position on
    Move best;
    std::uint8_t depth_and_bound = 0;
    std::uint8_t age = 0;  // the search that wrote it; entries of others are empty
  };
  static_assert(sizeof(Entry) == 16);
  struct Ordered;

  int negamax(const Position& position, int depth, int ply, int alpha, int beta);
  int quiesce(const Position& position, int ply, int alpha, int beta);
  int search_move(const Position& next, int depth, int ply, int alpha, int beta, bool first);
  Ordered order(const Position& position, const MoveList& legal, Move expected, int ply) const;

  bool is_draw(const Position& position) const;
  bool out_of_time();
  std::uint64_t key_of(const Position& position, int depth) const;
  const Entry* probe(std::uint64_t key) const;
  void store(std::uint64_t key, int depth, int ply, int score, Bound bound, Move best);
  void remember_quiet(const Position& position, Move move, int depth, int ply);
  void begin(const Game& game, const AlphaBetaConfig& config);

  std::vector<Entry> table_;
  std::uint8_t age_ = 0;
  std::array<std::array<Move, 2>, AlphaBetaConfig::kMaxDepth + 1> killers_;
  // How often a quiet move refuted its position, by its policy index.
  std::array<std::array<int, Move::kIndices>, 2> history_;

  Rules rules_;
  std::vector<std::uint64_t> line_;  // hashes, from the game's first position to the current one
  struct { Move best; int score = 0; } root_;
  int iteration_ = 0;
  std::int64_t nodes_ = 0;
  bool timed_ = false, stopped_ = false;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace gounki::arena
