#include "arena/alphabeta.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/movegen.h"
#include "core/paths.h"
#include "core/random.h"
#include "mcts/endings.h"
#include "mcts/handcrafted.h"

namespace gounki::arena {
namespace {

constexpr int kTableSize = 1 << 20;
constexpr int kInfinity = AlphaBetaResult::kWinScore + 1;
constexpr std::int64_t kNodesBetweenClockReads = 1024;

int win_in(int ply) { return AlphaBetaResult::kWinScore - ply; }
int evaluate(const Position& position) { return mcts::handcrafted_score(position); }

// The square that a move of a whole stack lands on; moves out of the board are not asked for it.
Square target(Move move) {
  return path_from(move.how().first(), move.from())[move.how().steps() - 1].square();
}

bool captures(const Position& position, Move move) {
  return !move.how().deploys() && position.enemy().contains(target(move));
}

// The largest victim first, and of its captors the smallest.
int capture_order(const Position& position, Move move) {
  return 4 * position.stack_on(target(move)).size() - position.stack_on(move.from()).size();
}

// Ranks gained, added up over the simple pieces that move: they come before sideways moves.
int advance(const Position& position, Move move) {
  if (move.how().deploys()) return rank_step(move.how().first());
  return position.stack_on(move.from()).size() * (target(move).rank() - move.from().rank());
}

// Keeps win scores in the table counted from the entry's own position.
int to_table(int score, int ply) {
  if (score >= AlphaBetaResult::kLeastWin) return score + ply;
  return score <= -AlphaBetaResult::kLeastWin ? score - ply : score;
}
int from_table(int score, int ply) {
  if (score >= AlphaBetaResult::kLeastWin) return score - ply;
  return score <= -AlphaBetaResult::kLeastWin ? score + ply : score;
}

}  // namespace

// Moves with their order, handed out best first.
struct AlphaBeta::Ordered {
  void add(Move move, int order) { items[size++] = {order, move}; }
  bool empty() const { return next == size; }
  Move take() {
    const auto best = std::max_element(items.begin() + next, items.begin() + size,
                                       [](auto& a, auto& b) { return a.first < b.first; });
    std::swap(*best, items[next]);
    return items[next++].second;
  }

  std::array<std::pair<int, Move>, MoveList::kCapacity> items;
  int size = 0, next = 0;
};

AlphaBeta::AlphaBeta() : table_(kTableSize) {}

AlphaBetaResult AlphaBeta::search(const Game& game, const AlphaBetaConfig& config) {
  begin(game, config);
  AlphaBetaResult result;
  for (iteration_ = 1; iteration_ <= config.depth; ++iteration_) {
    negamax(game.position(), iteration_, 0, -kInfinity, kInfinity);
    // An iteration that is cut short began with the best move of the one before.
    result.best = root_.best;
    result.score = root_.score;
    if (stopped_) break;
    result.depth = iteration_;
    const bool decided = result.wins() || result.loses();
    if (decided && AlphaBetaResult::kWinScore - std::abs(result.score) <= iteration_) break;
  }
  result.nodes = nodes_;
  return result;
}

void AlphaBeta::begin(const Game& game, const AlphaBetaConfig& config) {
  timed_ = config.movetime > 0;
  deadline_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(config.movetime);
  stopped_ = false;
  nodes_ = 0;
  root_ = {};
  rules_ = game.rules();
  line_.clear();
  for (const Position& position : game.positions()) line_.push_back(position.hash());
  killers_ = {};
  history_ = {};
  if (++age_ == 0) {
    std::fill(table_.begin(), table_.end(), Entry{});
    age_ = 1;
  }
}

int AlphaBeta::negamax(const Position& position, int depth, int ply, int alpha, int beta) {
  // A move that ends the game is seen before it is made, so no position here is lost.
  if (ply > 0 && is_draw(position)) return 0;
  if (depth == 0) return quiesce(position, ply, alpha, beta);
  ++nodes_;
  if (out_of_time()) return 0;

  const std::uint64_t key = key_of(position, depth);
  const Entry* const entry = probe(key);
  if (entry != nullptr && ply > 0 && entry->depth_and_bound >> 2 == depth) {
    // Only entries of the very same depth, so that the result is that of plain minimax.
    const int score = from_table(entry->score, ply);
    const Bound bound = static_cast<Bound>(entry->depth_and_bound & 3);
    if (bound == Bound::Exact || (bound == Bound::AtLeast && score >= beta) ||
        (bound == Bound::AtMost && score <= alpha))
      return score;
  }

  const MoveList legal = legal_moves(position, rules_);
  if (const std::optional<Move> win = mcts::winning_move(position, legal)) {
    if (ply == 0) root_ = {*win, win_in(1)};
    return win_in(ply + 1);
  }
  int best = -kInfinity;
  Move best_move;
  const int floor = alpha;
  const Move expected = ply == 0 ? root_.best : entry != nullptr ? entry->best : Move();
  Ordered moves = order(position, legal, expected, ply);
  while (!moves.empty() && alpha < beta) {
    const Move move = moves.take();
    const Position next = position.after(move);
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
  if (best >= beta) remember_quiet(position, best_move, depth, ply);
  store(key, depth, ply, best,
        best >= beta ? Bound::AtLeast : best <= floor ? Bound::AtMost : Bound::Exact, best_move);
  return best;
}

int AlphaBeta::search_move(const Position& next, int depth, int ply, int alpha, int beta,
                           bool first) {
  if (first) return -negamax(next, depth, ply, -beta, -alpha);
  // Principal variation search: an empty window shows that the move is no better, or asks again.
  const int score = -negamax(next, depth, ply, -alpha - 1, -alpha);
  if (score <= alpha || score >= beta) return score;
  return -negamax(next, depth, ply, -beta, -alpha);
}

// The side to move may stop at any time, or leave the board, or capture on.
int AlphaBeta::quiesce(const Position& position, int ply, int alpha, int beta) {
  ++nodes_;
  if (out_of_time()) return 0;
  const MoveList legal = legal_moves(position, rules_);
  if (mcts::winning_move(position, legal)) return win_in(ply + 1);
  int best = evaluate(position);
  if (best >= beta) return best;

  Ordered moves;
  for (const Move move : legal)
    if (captures(position, move)) moves.add(move, capture_order(position, move));
  while (!moves.empty() && best < beta) {
    alpha = std::max(alpha, best);
    best = std::max(best, -quiesce(position.after(moves.take()), ply + 1, -beta, -alpha));
  }
  return best;
}

AlphaBeta::Ordered AlphaBeta::order(const Position& position, const MoveList& legal,
                                    Move expected, int ply) const {
  const auto& history = history_[static_cast<int>(position.side_to_move())];
  const auto& killers = killers_[ply];
  const auto value = [&](Move move) {
    if (move == expected) return 1 << 30;
    if (captures(position, move)) return (1 << 29) + capture_order(position, move);
    if (move == killers[0] || move == killers[1]) return 1 << 28;
    return history[move.index()] + advance(position, move);
  };
  Ordered moves;
  for (const Move move : legal) moves.add(move, value(move));
  return moves;
}

void AlphaBeta::remember_quiet(const Position& position, Move move, int depth, int ply) {
  if (captures(position, move)) return;
  auto& killers = killers_[ply];
  if (move != killers[0]) killers = {move, killers[0]};
  int& count = history_[static_cast<int>(position.side_to_move())][move.index()];
  count = std::min(count + depth * depth, 1 << 27);
}

bool AlphaBeta::is_draw(const Position& position) const {
  if (rules_.quiet_draw && position.quiet_plies() >= Rules::kQuietLimit) return true;
  if (!rules_.repetition_draw) return false;
  const int last = static_cast<int>(line_.size()) - 1;
  const int first = std::max(0, last - position.quiet_plies());
  int before = 0;
  for (int i = last - 2; i >= first; i -= 2)
    if (line_[i] == line_[last] && ++before == 2) return true;
  return false;
}

bool AlphaBeta::out_of_time() {
  // The first iteration always ends, so that there is a move.
  if (timed_ && iteration_ > 1 && nodes_ % kNodesBetweenClockReads == 0)
    stopped_ = stopped_ || std::chrono::steady_clock::now() >= deadline_;
  return stopped_;
}

// Where the draw by quiet plies is within reach, positions that differ in their count differ.
std::uint64_t AlphaBeta::key_of(const Position& position, int depth) const {
  const int quiet = position.quiet_plies();
  if (!rules_.quiet_draw || quiet + depth < Rules::kQuietLimit) return position.hash();
  return position.hash() ^ derive_seed({static_cast<std::uint64_t>(quiet)});
}

const AlphaBeta::Entry* AlphaBeta::probe(std::uint64_t key) const {
  const Entry& entry = table_[key & (kTableSize - 1)];
  return entry.age == age_ && entry.key == key ? &entry : nullptr;
}

void AlphaBeta::store(std::uint64_t key, int depth, int ply, int score, Bound bound, Move best) {
  table_[key & (kTableSize - 1)] = {
      key, to_table(score, ply), best,
      static_cast<std::uint8_t>(depth << 2 | static_cast<int>(bound)), age_};
}

}  // namespace gounki::arena
