// What the workers of a search share. Only the files of the search itself look inside: search.cpp
// begins and ends searches, walker.cpp walks, choice.cpp and result.cpp say what was found.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mcts/endings.h"
#include "mcts/gumbel_root.h"
#include "mcts/search.h"
#include "mcts/tree.h"

namespace gounki::mcts {

class Walker;

struct SearchState {
  SearchState(const SearchConfig& config, int workers);
  ~SearchState();

  // search.cpp
  void start(const Game& game, std::uint64_t seed, const Task& task);
  std::int64_t resume(const Game& game, std::uint64_t seed, const Task& task);
  bool done() const;
  bool may_walk() const;
  // Of `wanted` walks, how many the limits leave; they count as visits unless given back.
  int reserve(int wanted);
  void give_back(int walks) { started.fetch_sub(walks, std::memory_order_relaxed); }
  void evaluate_root(const Evaluation& evaluation);
  // Plans the next round of a Gumbel search; under `root_mutex`, with no walk under way.
  void plan_round();

  // choice.cpp
  std::vector<RootArm> root_arms() const;
  // What the moves prove of the root, for its side to move.
  Proof proven_by(std::span<const RootArm> arms) const;
  std::vector<double> policy(std::span<const RootArm> arms) const;
  std::vector<double> estimates(std::span<const RootArm> arms) const;
  int choose(std::span<const RootArm> arms) const;
  std::vector<int> ranked(std::span<const RootArm> arms) const;
  double lower_bound_of(const RootArm& arm) const;

  // result.cpp
  SearchResult result(int lines) const;
  SearchProgress progress() const;
  std::vector<Move> line(Move first) const;
  std::string tree_text() const;

  const Node& root() const { return tree.node(entrance.node.load(std::memory_order_relaxed)); }
  Node& root() { return tree.node(entrance.node.load(std::memory_order_relaxed)); }
  Proof root_proof() const { return entrance.proven().one_ply_after(); }
  const Position& root_position() const { return line_to_root.back(); }

  SearchConfig config;
  Rules rules;
  std::uint64_t seed = 0;
  std::int64_t visit_limit = 0, node_limit = 0;

  Tree tree;
  // The root seen as a child, as if a move had led to it: its values are for the side that is not
  // to move. So a walk and a backup treat the root like any other node.
  Child entrance;

  // The root's moves that may be played, and what a look ahead proved of them.
  MoveList moves;
  bool all_moves = true;  // none is excluded
  std::vector<Proof> proofs;
  // What the evaluator said of the root; not to be read before `root_ready`.
  std::optional<Evaluation> root_evaluation;
  std::atomic<bool> root_taken = false, root_ready = false;
  // For who writes the root's edges or plans, and for who looks at the root meanwhile.
  mutable std::mutex root_mutex;
  GumbelRoot gumbel;

  // The positions that may come again, the root the last of them.
  Line line_to_root;

  std::vector<std::unique_ptr<Walker>> walkers;
  std::atomic<std::int64_t> started = 0;  // simulations, backed up or waiting, of earlier searches too
  std::atomic<bool> stopped = false;

 private:
  void set_task(const Game& game, std::uint64_t seed, const Task& task);
  void prove_root_moves();
  bool find_in_tree(const Game& game);
  std::vector<float> exploring_priors(Rng& rng) const;
  std::vector<double> unforced_visits(std::span<const RootArm> arms) const;
  void add_text(const Node& node, const Position& position, int depth, std::string& out) const;
};

}  // namespace gounki::mcts
