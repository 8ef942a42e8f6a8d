#include "arena/alphabeta.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/random.h"
#include "mcts/endings.h"
#include "mcts/handcrafted.h"

namespace gounki::arena {
namespace {

constexpr int kInfinity = AlphaBetaResult::kWinScore + 1;
constexpr std::int64_t kNodesBetweenClockReads = 1024;
// Under a clock a deeper iteration is begun only within this share of the time aimed at: it takes
// several times as long as all before it.
constexpr double kShareToBegin = 0.5;

int win_in(int ply) { return AlphaBetaResult::kWinScore - ply; }

// Plies to the end where the score says how the game ends, else 0.
int plies_to_end(int score) {
  const int plies = AlphaBetaResult::kWinScore - std::abs(score);
  return plies <= AlphaBetaResult::kWinScore - AlphaBetaResult::kLeastWin ? plies : 0;
}

// Adds plies to the distance of a win or loss.
int put_off(int score, int plies) {
  if (score >= AlphaBetaResult::kLeastWin) return score - plies;
  return score <= -AlphaBetaResult::kLeastWin ? score + plies : score;
}

mcts::Proof proof_of(int score) {
  const int plies = plies_to_end(score);
  if (plies == 0) return {};
  return score > 0 ? mcts::Proof::win(plies) : mcts::Proof::loss(plies);
}

}  // namespace

AlphaBetaResult AlphaBeta::search(const Game& game, const AlphaBetaConfig& config,
                                  const std::optional<mcts::Clock>& clock) {
  begin(game, config, clock);
  AlphaBetaResult result;
  for (iteration_ = 1; iteration_ <= config.depth; ++iteration_) {
    negamax(game.position(), iteration_, 0, -kInfinity, kInfinity);
    // An iteration that is cut short began with the best move of the one before. It may have found
    // a win, but not that every move loses.
    result.best = *root_.best;
    result.score = root_.score;
    if (stopped_ && result.loses()) break;
    result.proof = proof_of(result.score);
    if (stopped_) break;
    result.depth = iteration_;
    const int plies = plies_to_end(result.score);
    if ((plies > 0 && plies <= iteration_) || !enough_time_for_another()) break;
  }
  result.nodes = nodes_;
  return result;
}

void AlphaBeta::begin(const Game& game, const AlphaBetaConfig& config,
                      const std::optional<mcts::Clock>& clock) {
  started_ = SteadyClock::now();
  budget_.reset();
  if (config.movetime > 0) budget_ = mcts::fixed_time(config.movetime / 1000.0);
  if (clock) {
    const mcts::TimeBudget budget =
        mcts::time_budget(*clock, game.position().ply(), config.overhead / 1000.0);
    if (!budget_ || budget.most < budget_->most) budget_ = budget;
  }
  stopped_ = false;
  nodes_ = 0;
  most_nodes_ = config.nodes;
  root_ = {};
  rules_ = game.rules();
  line_.clear();
  for (const Position& position : game.positions()) line_.push_back(position.hash());
  game_size_ = static_cast<int>(line_.size());
  bound_to_ = kNowhere;
  memory_.forget();
  table_.forget();
}

bool AlphaBeta::enough_time_for_another() const {
  if (!budget_) return true;
  const std::chrono::duration<double> spent = SteadyClock::now() - started_;
  const bool fixed = budget_->aim >= budget_->most;
  return spent.count() < (fixed ? budget_->most : kShareToBegin * budget_->aim);
}

int AlphaBeta::negamax(const Position& position, int depth, int ply, int alpha, int beta) {
  // A move that ends the game is seen before it is made, so no position here is lost.
  if (ply > 0 && is_draw(position, ply)) return 0;
  if (depth == 0) return quiesce(position, ply, alpha, beta);
  ++nodes_;
  if (stopped()) return 0;

  const std::uint64_t key = key_of(position, depth);
  const TranspositionTable::Entry* const entry = table_.find(key);
  if (const auto score = remembered(entry, depth, ply, alpha, beta); score && ply > 0)
    return *score;

  const MoveList legal = legal_moves(position, rules_);
  if (const std::optional<Move> win = mcts::winning_move(position, legal)) {
    if (ply == 0) root_ = {*win, win_in(1)};
    return win_in(ply + 1);
  }
  std::optional<Move> expected = ply == 0 ? root_.best : std::nullopt;
  if (ply > 0 && entry != nullptr && entry->depth() > 0) expected = entry->best;
  MoveOrder moves = memory_.order(position, legal, expected, ply);
  const int bound_to_before = std::exchange(bound_to_, kNowhere);
  Move best_move;
  const int best = search_moves(position, moves, depth, ply, alpha, beta, best_move);
  if (stopped_) return 0;
  if (best >= beta) memory_.note_refutation(position, best_move, depth, ply);
  if (bound_to_ >= ply) remember(key, depth, ply, best, alpha, beta, best_move);
  bound_to_ = std::min(bound_to_, bound_to_before);
  return best;
}

int AlphaBeta::search_moves(const Position& position, MoveOrder& moves, int depth, int ply,
                            int alpha, int beta, Move& best_move) {
  int best = -kInfinity;
  while (!moves.empty() && alpha < beta) {
    const Move move = moves.take();
    const Position next = position.after(move);
    if (depth > 1) table_.prefetch(key_of(next, depth - 1));
    line_.push_back(next.hash());
    const int score = search_move(next, depth - 1, ply + 1, alpha, beta, best == -kInfinity);
    line_.pop_back();
    if (stopped_) return 0;
    if (score <= best) continue;
    best = score;
    best_move = move;
    alpha = std::max(alpha, score);
    if (ply == 0) root_ = {move, score};
  }
  return best;
}

int AlphaBeta::search_move(const Position& next, int depth, int ply, int alpha, int beta,
                           bool first) {
  if (first) return -negamax(next, depth, ply, -beta, -alpha);
  // Principal variation search: an empty window shows that the move is no better, or asks again.
  const int score = -negamax(next, depth, ply, -alpha - 1, -alpha);
  if (score <= alpha || score >= beta || stopped_) return score;
  return -negamax(next, depth, ply, -beta, -alpha);
}

// The side to move may stop at any time, or end the game, or capture on.
int AlphaBeta::quiesce(const Position& position, int ply, int alpha, int beta) {
  ++nodes_;
  if (stopped()) return 0;
  if (mcts::can_win_at_once(position, rules_)) return win_in(ply + 1);
  int best = mcts::handcrafted_score(position);
  if (best >= beta) return best;
  const MoveList captures = legal_captures(position);
  if (captures.empty()) return best;
  const std::uint64_t key = position.hash();
  if (const auto score = remembered(table_.find(key), 0, ply, alpha, beta)) return *score;

  MoveOrder moves(position, captures);
  const int floor = alpha;
  while (!moves.empty() && best < beta) {
    alpha = std::max(alpha, best);
    best = std::max(best, -quiesce(position.after(moves.take()), ply + 1, -beta, -alpha));
    if (stopped_) return 0;
  }
  remember(key, 0, ply, best, floor, beta, Move());
  return best;
}

// Whether the position is a draw by quiet plies or by its third occurrence. Such a draw may hang on
// the moves that led here from the root; then bound_to_ learns from which ply on.
bool AlphaBeta::is_draw(const Position& position, int ply) {
  if (rules_.quiet_draw && position.quiet_plies() >= Rules::kQuietLimit) return true;
  if (!rules_.repetition_draw) return false;
  const int last = static_cast<int>(line_.size()) - 1;
  const int first = std::max(0, last - position.quiet_plies());
  int before = 0, way = kNowhere;
  for (int i = last - 2; i >= first; i -= 2) {
    if (line_[static_cast<std::size_t>(i)] != line_[static_cast<std::size_t>(last)]) continue;
    if (i >= game_size_) way = ply - (last - i);
    if (++before < 2) continue;
    bound_to_ = std::min(bound_to_, way);
    return true;
  }
  return false;
}

bool AlphaBeta::stopped() {
  // The first iteration always ends, so that there is a move.
  if (stopped_ || iteration_ == 1) return stopped_;
  if (most_nodes_ > 0 && nodes_ >= most_nodes_) stopped_ = true;
  if (budget_ && nodes_ % kNodesBetweenClockReads == 0) {
    const std::chrono::duration<double> spent = SteadyClock::now() - started_;
    stopped_ = stopped_ || spent.count() >= budget_->most;
  }
  return stopped_;
}

// Where the draw by quiet plies is within reach, positions that differ in their count differ.
std::uint64_t AlphaBeta::key_of(const Position& position, int depth) const {
  const int quiet = position.quiet_plies();
  if (!rules_.quiet_draw || quiet + depth < Rules::kQuietLimit) return position.hash();
  return position.hash() ^ derive_seed({static_cast<std::uint64_t>(quiet)});
}

// Scores of another depth are not those of plain minimax, unless they say how the game ends within
// this depth: captures that are played out find an end at most one ply further on.
std::optional<int> AlphaBeta::remembered(const TranspositionTable::Entry* entry, int depth, int ply,
                                         int alpha, int beta) const {
  if (entry == nullptr) return std::nullopt;
  const int plies = plies_to_end(entry->score);
  if (entry->depth() != depth && (plies == 0 || plies > depth + 1)) return std::nullopt;
  const int score = put_off(entry->score, ply);
  const bool holds = entry->bound() == Bound::Exact ||
                     (entry->bound() == Bound::AtLeast ? score >= beta : score <= alpha);
  return holds ? std::optional(score) : std::nullopt;
}

void AlphaBeta::remember(std::uint64_t key, int depth, int ply, int score, int alpha, int beta,
                         Move best) {
  const Bound bound = score >= beta ? Bound::AtLeast : score <= alpha ? Bound::AtMost : Bound::Exact;
  table_.store(key, depth, put_off(score, -ply), bound, best);
}

}  // namespace gounki::arena
