// Trees that several workers grow, and what must be true of every tree when they are done.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/notation.h"
#include "mcts/search_state.h"
#include "mcts/walker.h"

namespace gounki::mcts::testing {

// One worker's part of a round: takes tasks as they come, and has the leaves of three evaluated together.
inline void take_tasks(SearchState& search, Evaluator& evaluator, int tasks, std::atomic<int>& next,
                       int worker) {
  std::vector<Leaf> leaves;
  std::vector<const Leaf*> pointers;
  std::vector<Evaluation> evaluations;
  for (bool more = true; more;) {
    int walked = 0;
    leaves.clear();
    while (walked < 3 && more) {
      const int task = next++;
      more = task < tasks;
      if (!more) break;
      search.walk_task(task, leaves, worker);
      ++walked;
    }
    if (walked == 0) return;
    pointers.clear();
    for (const Leaf& leaf : leaves) pointers.push_back(&leaf);
    evaluations.resize(leaves.size());
    if (!leaves.empty()) evaluator.evaluate(pointers, evaluations);
    search.apply_tasks(evaluations, worker);
  }
}

// Runs a search that was started to its end, `batch` walks for each worker in a round and a thread for
// each worker. Throws when the search could go on for ever without getting further.
inline void grow(SearchState& search, Evaluator& evaluator, int batch = 1) {
  const int workers = static_cast<int>(search.workers.size());
  std::atomic<int> next = 0;
  int tasks = 0;
  bool over = false;
  std::barrier<> round(workers);
  std::vector<std::thread> helpers;
  for (int worker = 1; worker < workers; ++worker)
    helpers.emplace_back([&, worker] {
      for (round.arrive_and_wait(); !over; round.arrive_and_wait()) {
        take_tasks(search, evaluator, tasks, next, worker);
        round.arrive_and_wait();
      }
    });
  for (int idle = 0; !search.done() && idle < 1000;) {
    const std::int64_t visits = search.visits;
    const bool evaluated = search.root_evaluation.has_value();
    tasks = search.plan_round(batch * workers, {});
    next = 0;
    round.arrive_and_wait();
    take_tasks(search, evaluator, tasks, next, 0);
    round.arrive_and_wait();
    search.finish_round();
    idle = search.visits > visits || !evaluated ? 0 : idle + 1;
  }
  over = true;
  round.arrive_and_wait();
  for (std::thread& helper : helpers) helper.join();
  if (!search.done()) throw std::runtime_error("rounds without a visit");
}

// Says what is wrong with a tree after the search of `game` with `evaluator`; nothing if it is right.
// A tree that is `full`, or was before it was kept, has visits of a node that no child has.
class TreeCheck {
 public:
  TreeCheck(const SearchState& search, const Game& game, Evaluator& evaluator, bool full = false)
      : search_(search), game_(game), evaluator_(evaluator), full_(full) {}

  std::string problem() {
    if (search_.entrance.visits > 0) check_node(search_.entrance, 0);
    else nodes_ = 1;
    if (nodes_ != search_.tree.node_count()) add("the tree counts other nodes than it has");
    return problem_;
  }

 private:
  void add(const std::string& what) {
    if (problem_.empty()) problem_ = what + ": " + to_string(game_.position());
  }

  void check_sums(const Child& child) {
    const double visits = child.visits;
    if (child.in_flight != 0) add("walks are left in flight");
    if (std::abs(child.value_sum) > visits + 1e-6) add("values out of range");
    if (child.square_sum > visits + 1e-6 || child.square_sum < -1e-6) add("squares out of range");
    if (std::abs(child.q()) > 1.0 + 1e-9) add("a mean out of range");
  }

  // A node behind `entered` is the game's position, `depth` plies below the root.
  void check_node(const Child& entered, int depth) {
    ++nodes_;
    check_sums(entered);
    const Node& node = search_.tree.node(entered.node);
    if (node.waiting) return add("a node was never evaluated");
    const MoveList moves = depth == 0 ? search_.moves : game_.legal_moves();
    check_edges(node, moves, depth);

    // What every visit of an unproven node has brought: its evaluation first, then children's values.
    double visits = 1.0, values = node.value;
    int slot = 0;
    for (const Child& child : search_.tree.children(node)) {
      visits += child.visits;
      values += child.value_sum;
      check_child(child, search_.tree.edges(node)[static_cast<std::size_t>(slot++)].move(), depth);
    }
    check_proof(entered, node, depth);
    // A proof takes the place of values; a proven draw is visited without being walked into.
    const bool exact = !entered.proof.known() && !full_;
    if (exact && visits != entered.visits) add("visits that no child has");
    if (visits > entered.visits) add("children with more visits than their node");
    if (exact && std::abs(values + entered.value_sum) > 1e-4) add("values that no child has");
  }

  void check_edges(const Node& node, const MoveList& moves, int depth) {
    const Leaf leaf{game_.position(), game_.repetitions(), moves};
    const Leaf* pointer = &leaf;
    std::vector<Evaluation> evaluations(1);
    evaluator_.evaluate({&pointer, 1}, evaluations);
    if (node.value != evaluations[0].wdl.value().v) add("not the evaluator's value");

    const auto edges = search_.tree.edges(node);
    if (static_cast<int>(edges.size()) != moves.size()) return add("not the legal moves");
    for (int i = 0; i < moves.size(); ++i) {
      const auto edge = std::find_if(edges.begin(), edges.end(),
                                     [&](Edge e) { return e.move() == moves[i]; });
      if (edge == edges.end()) return add("a legal move is missing");
      // Noise and look ahead change priors and order at the root.
      const Edge given(moves[i], evaluations[0].priors[static_cast<std::size_t>(i)]);
      if (depth > 0 && *edge != given) add("not the evaluator's prior");
    }
    const auto tried = static_cast<std::size_t>(node.child_count);
    for (std::size_t i = 0; depth > 0 && i < edges.size(); ++i)
      if (i <= tried ? i > 0 && edges[i] > edges[i - 1] : edges[i] > edges[tried])
        add("moves out of order");
  }

  void check_child(const Child& child, Move move, int depth) {
    game_.play(move);
    if (child.node < Child::kNoRoom) {
      check_node(child, depth + 1);
    } else {
      check_sums(child);
      check_end(child, depth);
    }
    game_.undo();
  }

  // A move without a node leads to an end that the rules know, is proven by the look ahead, or there
  // was no memory for a node.
  void check_end(const Child& child, int depth) {
    const Proof proof = child.proof;
    const Outcome outcome = game_.outcome();
    if (!proof.known()) {
      if (child.node != Child::kNoRoom) add("a child that is nothing");
      if (!full_) add("no room, though the tree is not full");
    } else if (outcome == Outcome::Draw) {
      if (proof != Proof::draw(1)) add("not the draw that it is");
    } else if (outcome != Outcome::Ongoing) {
      if (proof != Proof::win(1)) add("not the win that it is");
    } else if (depth > 0 && proof != Proof::loss(2)) {
      add("a proof from nowhere");
    }
  }

  // Only the root's own look ahead proves what no child proves.
  void check_proof(const Child& entered, const Node& node, int depth) {
    if (!search_.config().prove) return;
    const Proof proof = entered.proof.one_ply_after();
    const Proof found =
        proof_from_moves(search_.tree.children(node), node.child_count == node.edge_count,
                         [](const Child& child) { return child.proof; });
    if (!proof.known() && found.known()) add("a proof that was not noticed");
    if (proof.known() && found.known() && proof.value().v != found.value().v) add("a wrong proof");
    if (depth > 1 && proof.known() && !found.known()) add("a proof without proofs below");
  }

  const SearchState& search_;
  Game game_;
  Evaluator& evaluator_;
  bool full_;
  std::int64_t nodes_ = 0;
  std::string problem_;
};

}  // namespace gounki::mcts::testing
