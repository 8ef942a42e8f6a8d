// What a search keeps between its calls. Only the files of the search itself look inside: search.cpp
// begins and ends searches and plans their rounds, choice.cpp and result.cpp say what was found.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mcts/endings.h"
#include "mcts/gumbel_root.h"
#include "mcts/search.h"
#include "mcts/tree.h"
#include "mcts/walker.h"

namespace gounki::mcts {

struct SearchState {
  SearchState(const SearchConfig& config, int workers);

  // search.cpp
  void start(const Game& game, std::uint64_t seed, const Task& task);
  std::int64_t resume(const Game& game, std::uint64_t seed, const Task& task);
  bool may_walk() const;
  bool done() const { return !in_round && !may_walk(); }

  int plan_round(int walks, const std::function<void(int)>& ready);
  void walk_task(int task, std::vector<Leaf>& out, int worker);
  void apply_tasks(std::span<const Evaluation> evaluations, int worker);
  void finish_round();

  // choice.cpp
  PerMove<RootArm> root_arms() const;
  // What the moves prove of the root, for its side to move.
  Proof proven_by(std::span<const RootArm> arms) const;
  PerMove<double> policy(std::span<const RootArm> arms) const;
  PerMove<double> estimates(std::span<const RootArm> arms) const;
  int choose(std::span<const RootArm> arms) const;
  PerMove<double> draw_weights(std::span<const RootArm> arms, double temperature) const;
  std::vector<int> ranked(std::span<const RootArm> arms) const;
  double lower_bound_of(const RootArm& arm) const;

  // result.cpp
  SearchResult result(int lines) const;
  SearchProgress progress() const;
  std::vector<Move> line(Move first) const;
  std::string tree_text() const;

  const SearchConfig& config() const { return rules.config; }
  const Node& root() const { return tree.node(rules.root); }
  Node& root() { return tree.node(rules.root); }
  const Position& root_position() const { return rules.line.back(); }

  WalkRules rules;
  std::uint64_t seed = 0;
  std::int64_t visit_limit = 0, node_limit = 0;
  bool noise = true;

  Tree tree;
  // The root seen as a child, as if a move had led to it: its values are for the side that is not
  // to move. So a walk and a backup treat the root like any other node.
  Child entrance;

  // The root's moves that may be played, and what a look ahead proved of them.
  MoveList moves;
  bool all_moves = true;  // none is excluded
  std::vector<Proof> proofs;
  std::optional<Evaluation> root_evaluation;
  GumbelRoot gumbel;

  std::int64_t visits = 0;  // given to walks, those of a tree that was kept included
  std::atomic<bool> stopped = false;

  // The round under way.
  bool in_round = false;
  std::vector<WalkTask> tasks;
  Walker planner;
  std::vector<std::unique_ptr<Walker>> workers;

 private:
  void set_task(const Game& game, std::uint64_t seed, const Task& task);
  void prove_root_moves();
  bool find_in_tree(const Game& game);
  int reserve(int walks);
  void plan_gumbel(int walks);
  Child* root_child(int move, bool& made);
  void evaluate_root(const Evaluation& evaluation);
  std::vector<float> exploring_priors(Rng& rng) const;
  PerMove<double> unforced_visits(std::span<const RootArm> arms) const;
  void add_text(const Node& node, const Position& position, int depth, std::string& out) const;
};

}  // namespace gounki::mcts
