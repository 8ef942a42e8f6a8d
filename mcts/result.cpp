// What a search says at its end, or while it is running.
#include <algorithm>
#include <cstdio>

#include "core/notation.h"
#include "mcts/endings.h"
#include "mcts/search_state.h"

namespace gounki::mcts {
namespace {

// The child that its side would choose if the search ended now: the quickest win, else what is most
// visited among what does not lose, else the slowest loss. -1 when no child has a visit.
int best_child(const Tree& tree, const Node& node) {
  const auto better = [](const Child& a, const Child& b) {
    if (rank_of(a.proof) != rank_of(b.proof)) return rank_of(a.proof) < rank_of(b.proof);
    return a.visits != b.visits ? a.visits > b.visits : a.visits > 0 && a.q() > b.q();
  };
  const Child* best = nullptr;
  int slot = 0, best_slot = -1;
  for (const Child& child : tree.children(node)) {
    if (child.visits > 0 && (best == nullptr || better(child, *best))) {
      best = &child;
      best_slot = slot;
    }
    ++slot;
  }
  return best_slot;
}

// Ends a line whose end was seen without a node: the side to move wins at once, or whatever it
// does, the other side wins then.
void add_ending(Position position, const Rules& rules, std::vector<Move>& line) {
  MoveList moves = legal_moves(position, rules);
  if (!winning_move(position, moves)) {
    line.push_back(moves[0]);
    position = position.after(moves[0]);
    moves = legal_moves(position, rules);
  }
  if (const auto win = winning_move(position, moves)) line.push_back(*win);
}

// A move's value counts for something from this part of the most visited move's visits on.
constexpr std::int64_t kEnough = 10;

std::string proof_text(Proof proof) {
  if (!proof.known()) return "";
  return (proof.is_win() ? "  win in " : proof.is_draw() ? "  draw in " : "  loss in ") +
         std::to_string(proof.plies());
}

}  // namespace

std::vector<Move> SearchState::line(Move first) const {
  std::vector<Move> out{first};
  Position position = root_position().after(first);
  const Node* node = &root();
  for (;;) {
    const auto edges = tree.edges(*node).first(node->child_count);
    const auto edge = std::find_if(edges.begin(), edges.end(),
                                   [&out](Edge e) { return e.move() == out.back(); });
    if (edge == edges.end()) {
      if (!root_evaluation && entrance.proof.plies() > 2) add_ending(position, rules.rules, out);
      return out;
    }
    const Child& child = tree.children(*node)[static_cast<int>(edge - edges.begin())];
    const std::uint32_t below = child.node;
    if (below >= Child::kNoRoom) {
      if (child.proof.plies() > 1) add_ending(position, rules.rules, out);
      return out;
    }
    node = &tree.node(below);
    const int best = best_child(tree, *node);
    if (best < 0) return out;
    out.push_back(tree.edges(*node)[static_cast<std::size_t>(best)].move());
    position = position.after(out.back());
  }
}

SearchResult SearchState::result(int lines) const {
  const PerMove<RootArm> arms = root_arms();
  const PerMove<double> policy_target = policy(arms);
  const PerMove<double> values = estimates(arms);

  SearchResult out;
  double value = 0.0;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const RootArm& arm = arms[i];
    out.moves.push_back({moves[static_cast<int>(i)], arm.arm.visits,
                         MoverValue{static_cast<float>(values[i])},
                         MoverValue{static_cast<float>(lower_bound_of(arm))},
                         static_cast<float>(arm.arm.prior), static_cast<float>(policy_target[i]),
                         arm.proof.known(), arm.proof.plies()});
    value += policy_target[i] * values[i];
    out.visits += arm.arm.visits;
  }
  const int best = choose(arms);
  out.best = moves[best];
  out.ranking = ranked(arms);
  const auto place = std::find(out.ranking.begin(), out.ranking.end(), best);
  std::rotate(out.ranking.begin(), place, place + 1);
  for (std::size_t i = 0; i < out.ranking.size() && static_cast<int>(i) < std::max(1, lines); ++i)
    out.lines.push_back(line(moves[out.ranking[i]]));

  out.value = {static_cast<float>(value)};
  if (const Proof proof = proven_by(arms); proof.known()) {
    out.value = proof.value();
    out.proven = true;
    out.plies = proof.plies();
  }
  if (root_evaluation) {
    out.raw = root_evaluation->wdl;
    out.plies_left = root_evaluation->plies_left;
  } else if (out.proven) {
    out.raw = WinDrawLoss{out.value.v > 0 ? 1.0f : 0.0f, out.value.v == 0 ? 1.0f : 0.0f,
                          out.value.v < 0 ? 1.0f : 0.0f};
    out.plies_left = static_cast<float>(out.plies);
  }
  out.nodes = tree.node_count();
  out.bytes = tree.bytes_held();
  out.full = tree.full();
  std::int64_t walks = planner.walks(), plies = planner.plies_walked();
  out.seldepth = planner.deepest();
  for (const auto& worker : workers) {
    out.seldepth = std::max(out.seldepth, worker->deepest());
    walks += worker->walks();
    plies += worker->plies_walked();
  }
  if (walks > 0) out.depth = static_cast<int>((plies + walks / 2) / walks);
  return out;
}

SearchProgress SearchState::progress() const {
  SearchProgress out;
  const auto edges = tree.edges(root());
  const auto children = tree.children(root());
  const auto for_each = [&](auto&& see) {
    int slot = 0;
    for (const Child& child : children) see(child, edges[static_cast<std::size_t>(slot++)].move());
  };
  for_each([&](const Child& child, Move move) {
    const std::int64_t visits = child.visits;
    out.visits += visits;
    if (visits > out.best_visits) {
      out.second_visits = out.best_visits;
      out.best_visits = visits;
      out.best_by_visits = move;
    } else {
      out.second_visits = std::max(out.second_visits, visits);
    }
  });
  double best_value = -2.0;
  for_each([&](const Child& child, Move move) {
    if (child.visits == 0 || kEnough * child.visits < out.best_visits) return;
    if (const double q = child.q(); q > best_value) {
      best_value = q;
      out.best_by_value = move;
    }
  });
  return out;
}

std::string SearchState::tree_text() const {
  char head[80];
  const std::uint32_t visits = entrance.visits;
  const double mean = visits == 0 ? 0.0 : -entrance.value_sum / visits;
  std::snprintf(head, sizeof head, "visits %u  value %+.6f", visits, mean);
  std::string out = to_string(root_position()) + "  " + head + proof_text(entrance.proof.one_ply_after()) + "\n";
  add_text(root(), root_position(), 1, out);
  return out;
}

void SearchState::add_text(const Node& node, const Position& position, int depth,
                           std::string& out) const {
  const auto edges = tree.edges(node);
  int slot = 0;
  for (const Child& child : tree.children(node)) {
    const Edge edge = edges[static_cast<std::size_t>(slot++)];
    const Move move = edge.move();
    const std::uint32_t visits = child.visits;
    char numbers[80];
    std::snprintf(numbers, sizeof numbers, "  visits %u  value %+.6f  prior %.6f", visits,
                  visits == 0 ? 0.0 : child.value_sum / visits,
                  static_cast<double>(edge.prior()));
    out += std::string(static_cast<std::size_t>(2 * depth), ' ') + to_string(move, position) +
           numbers + proof_text(child.proof) + "\n";
    if (child.node < Child::kNoRoom)
      add_text(tree.node(child.node), position.after(move), depth + 1, out);
  }
}

}  // namespace gounki::mcts
