// What a search says at its end: the statistics of the root's moves, the policy target, the choice
// of the move and the best line.
#include <algorithm>
#include <cstdio>

#include "core/notation.h"
#include "mcts/endings.h"
#include "mcts/formulas.h"
#include "mcts/search_state.h"

namespace gounki::mcts {
namespace {

// The child that its side would choose if the search ended now: the quickest win, else what is most
// visited among what does not lose, else the slowest loss. -1 when no child has a visit.
int best_child(const Tree& tree, const Node& node) {
  const auto children = tree.children(node);
  const auto better = [](const Child& a, const Child& b) {
    const auto rank = [](Proof proof) { return proof.is_win() ? 2 : proof.is_loss() ? 0 : 1; };
    const Proof p = a.proof, q = b.proof;
    if (rank(p) != rank(q)) return rank(p) > rank(q);
    if (p.is_win() && p.plies() != q.plies()) return p.plies() < q.plies();
    if (p.is_loss() && p.plies() != q.plies()) return p.plies() > q.plies();
    return a.visits != b.visits ? a.visits > b.visits : a.visits > 0 && a.q() > b.q();
  };
  const auto best = std::min_element(children.begin(), children.end(), better);
  if (best == children.end() || best->visits == 0) return -1;
  return static_cast<int>(best - children.begin());
}

// The index of the greatest of some moves by `better`, the first of equals.
template <class Better>
int first_best(int count, Better&& better) {
  int best = 0;
  for (int i = 1; i < count; ++i)
    if (better(i, best)) best = i;
  return best;
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

std::string proof_text(Proof proof) {
  if (!proof.known()) return "";
  return (proof.is_win() ? "  win in " : proof.is_draw() ? "  draw in " : "  loss in ") +
         std::to_string(proof.plies());
}

}  // namespace

std::vector<RootArm> SearchState::root_arms() const {
  std::vector<RootArm> arms(static_cast<std::size_t>(moves_.size()));
  for (std::size_t i = 0; i < arms.size(); ++i) {
    arms[i].arm.prior = root_evaluation_ ? root_evaluation_->priors[i] : 1.0 / moves_.size();
    arms[i].proof = proofs_[i];
  }

  const Node& root = tree_.node(Tree::kRoot);
  const auto children = tree_.children(root);
  for (std::size_t slot = 0; slot < children.size(); ++slot) {
    const Child& child = children[slot];
    if (child.visits == 0) continue;
    const auto* move = std::find(moves_.begin(), moves_.end(), tree_.edges(root)[slot].move());
    RootArm& arm = arms[static_cast<std::size_t>(move - moves_.begin())];
    arm.arm.visits = static_cast<int>(child.visits);
    arm.arm.q = child.q();
    arm.proof = child.proof;
  }
  return arms;
}

// PUCT: the share of the visits. Gumbel: the improved policy. Proofs go before both: all mass is on
// the quickest wins, and none on losses unless every move loses.
std::vector<double> SearchState::policy(std::span<const RootArm> arms) const {
  std::vector<double> out(arms.size(), 0.0);
  if (entrance_.proof.is_loss()) {
    for (std::size_t i = 0; i < arms.size(); ++i)
      out[i] = arms[i].proof == entrance_.proof.one_ply_after() ? 1.0 : 0.0;
  } else {
    std::vector<Arm> plain;
    for (const RootArm& arm : arms) plain.push_back(arm.arm);
    if (config_.is_gumbel()) {
      out = improved_policy(plain, tree_.node(Tree::kRoot).value, config_.gumbel_c_visit,
                            config_.gumbel_c_scale);
    } else {
      for (std::size_t i = 0; i < arms.size(); ++i) out[i] = plain[i].visits;
    }
    const bool all_lose = entrance_.proof.is_win();
    const auto allowed = [&](std::size_t i) { return all_lose || !arms[i].proof.is_loss(); };
    double sum = 0.0;
    for (std::size_t i = 0; i < out.size(); ++i) sum += out[i] = allowed(i) ? out[i] : 0.0;
    // No visit went to a move that is left: nothing is known but the priors.
    if (sum <= 0.0)
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = allowed(i) ? std::max(plain[i].prior, 1e-9) : 0.0;
  }
  double sum = 0.0;
  for (const double p : out) sum += p;
  for (double& p : out) p /= sum;
  return out;
}

// Each move's value for the root's side: its mean, what is proven, or what stands in for it.
std::vector<double> SearchState::estimates(std::span<const RootArm> arms) const {
  std::vector<Arm> plain;
  for (const RootArm& arm : arms) plain.push_back(arm.arm);
  std::vector<double> out = completed_q(plain, tree_.node(Tree::kRoot).value);
  for (std::size_t i = 0; i < arms.size(); ++i)
    if (arms[i].proof.known()) out[i] = arms[i].proof.value().v;
  return out;
}

int SearchState::choose(std::span<const RootArm> arms) const {
  const int n = static_cast<int>(arms.size());
  const auto visits = [arms](int i) { return arms[i].arm.visits; };
  const auto plies = [arms](int i) { return arms[i].proof.plies(); };
  if (entrance_.proof.is_loss())
    return first_best(n, [&](int a, int b) {
      if (arms[a].proof.is_win() != arms[b].proof.is_win()) return arms[a].proof.is_win();
      return arms[a].proof.is_win() && plies(a) < plies(b);
    });
  if (entrance_.proof.is_win())
    return first_best(n, [&](int a, int b) {
      return plies(a) != plies(b) ? plies(a) > plies(b) : visits(a) > visits(b);
    });

  const auto loses = [arms](int i) { return arms[i].proof.is_loss(); };
  int most_visits = 0;
  for (int i = 0; i < n; ++i)
    if (!loses(i)) most_visits = std::max(most_visits, visits(i));

  const double temperature = temperature_at(config_.temperature, config_.temperature_end,
                                            config_.temperature_halflife, line_[root_at_].ply());
  // Below this every move but the most visited one is out of reach.
  constexpr double kColdest = 1e-2;
  if (temperature > kColdest && most_visits > 0) {
    std::vector<double> weights;
    for (int i = 0; i < n; ++i)
      weights.push_back(loses(i) ? 0.0 : visit_weight(visits(i), most_visits, temperature));
    Rng rng(derive_seed({seed_, 1}));
    return rng.pick(weights);
  }

  // By the score that led the halving, or by value: what decides between equal visits.
  std::vector<double> score;
  if (config_.is_gumbel() && root_evaluation_) {
    score = gumbel_.scores(arms, tree_.node(Tree::kRoot).value);
  } else {
    score = estimates(arms);
  }
  return first_best(n, [&](int a, int b) {
    if (loses(a) != loses(b)) return loses(b);
    if (visits(a) != visits(b)) return visits(a) > visits(b);
    return score[a] != score[b] ? score[a] > score[b] : arms[a].arm.prior > arms[b].arm.prior;
  });
}

std::vector<Move> SearchState::line(Move first) const {
  std::vector<Move> out{first};
  Position position = line_[root_at_].after(first);
  const Node* node = &tree_.node(Tree::kRoot);
  for (;;) {
    const auto edges = tree_.edges(*node).first(node->child_count);
    const auto edge = std::find_if(edges.begin(), edges.end(),
                                   [&out](Edge e) { return e.move() == out.back(); });
    if (edge == edges.end()) {
      if (!root_evaluation_ && entrance_.proof.plies() > 2) add_ending(position, rules_, out);
      return out;
    }
    const Child& child = tree_.children(*node)[static_cast<std::size_t>(edge - edges.begin())];
    if (child.node == Child::kNoNode) {
      if (child.proof.plies() > 1) add_ending(position, rules_, out);
      return out;
    }
    node = &tree_.node(child.node);
    const int best = best_child(tree_, *node);
    if (best < 0) return out;
    out.push_back(tree_.edges(*node)[static_cast<std::size_t>(best)].move());
    position = position.after(out.back());
  }
}

SearchResult SearchState::result() const {
  const std::vector<RootArm> arms = root_arms();
  const std::vector<double> policy_target = policy(arms);
  const std::vector<double> values = estimates(arms);

  SearchResult out;
  double value = 0.0;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const RootArm& arm = arms[i];
    out.moves.push_back({moves_[static_cast<int>(i)], arm.arm.visits,
                         MoverValue{static_cast<float>(values[i])},
                         static_cast<float>(arm.arm.prior), static_cast<float>(policy_target[i]),
                         arm.proof.known(), arm.proof.plies()});
    value += policy_target[i] * values[i];
    out.visits += arm.arm.visits;
  }
  out.best = moves_[choose(arms)];
  out.value = {static_cast<float>(value)};
  if (const Proof proof = entrance_.proof.one_ply_after(); proof.known()) {
    out.value = proof.value();
    out.proven = true;
    out.plies = proof.plies();
  }
  if (root_evaluation_) {
    out.raw = root_evaluation_->wdl;
    out.plies_left = root_evaluation_->plies_left;
  } else if (out.proven) {
    out.raw = WinDrawLoss{out.value.v > 0 ? 1.0f : 0.0f, out.value.v == 0 ? 1.0f : 0.0f,
                          out.value.v < 0 ? 1.0f : 0.0f};
    out.plies_left = static_cast<float>(out.plies);
  }
  out.line = line(out.best);
  out.nodes = tree_.node_count();
  out.depth = depth_;
  return out;
}

std::string SearchState::tree_text() const {
  char head[80];
  const double mean = entrance_.visits == 0 ? 0.0 : -entrance_.value_sum / entrance_.visits;
  std::snprintf(head, sizeof head, "visits %u  value %+.6f", entrance_.visits, mean);
  std::string out = to_string(line_[root_at_]) + "  " + head +
                    proof_text(entrance_.proof.one_ply_after()) + "\n";
  add_text(tree_.node(Tree::kRoot), line_[root_at_], 1, out);
  return out;
}

void SearchState::add_text(const Node& node, const Position& position, int depth,
                           std::string& out) const {
  const auto children = tree_.children(node);
  for (std::size_t slot = 0; slot < children.size(); ++slot) {
    const Child& child = children[slot];
    const Move move = tree_.edges(node)[slot].move();
    char numbers[80];
    std::snprintf(numbers, sizeof numbers, "  visits %u  value %+.6f  prior %.6f", child.visits,
                  child.visits == 0 ? 0.0 : child.value_sum / child.visits,
                  static_cast<double>(child.prior));
    out += std::string(static_cast<std::size_t>(2 * depth), ' ') + to_string(move, position) +
           numbers + proof_text(child.proof) + "\n";
    if (child.node != Child::kNoNode)
      add_text(tree_.node(child.node), position.after(move), depth + 1, out);
  }
}

}  // namespace gounki::mcts
