// What a search keeps between its calls. Only mcts/search.cpp and mcts/result.cpp look inside.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mcts/endings.h"
#include "mcts/gumbel_root.h"
#include "mcts/search.h"
#include "mcts/tree.h"

namespace gounki::mcts {

class SearchState {
 public:
  explicit SearchState(const SearchConfig& config) : config_(config) {}

  void start(const Game& game, std::uint64_t seed);
  int gather(std::vector<Leaf>& out, int most);
  void apply(std::span<const Evaluation> evaluations);
  bool done() const;
  SearchResult result() const;
  std::string tree_text() const;
  std::size_t bytes_held() const { return tree_.bytes_held(); }

 private:
  // A step of a walk: the child of this number of a node. A child's address would not do, since a
  // node that grows moves its children.
  struct Step {
    std::uint32_t node;
    std::uint32_t slot;
  };
  // A walk that waits: its steps, steps_[first_step] and so on, and the node that it has reached.
  struct Walk {
    std::size_t first_step;
    std::size_t step_count;
    std::uint32_t node;
  };
  enum class WalkEnd { Leaf, Exact, Collision };

  // search.cpp
  void hand_out_root(std::vector<Leaf>& out);
  void walk(int first_slot, std::vector<Leaf>& out);
  WalkEnd open(Child& child, std::vector<Leaf>& out);
  std::span<const Step> steps_of(const Walk& walk) const;
  Child& child_of(const Step& step);
  void back_up(std::span<const Step> steps, MoverValue value);
  void call_off(std::span<const Step> steps);
  bool may_walk() const;
  int gather_puct(std::vector<Leaf>& out, int most);
  int gather_gumbel(std::vector<Leaf>& out, int most);
  int slot_of_root_move(int move);
  void evaluate_root(const Evaluation& evaluation);
  std::vector<float> exploring_priors(Rng& rng) const;

  // result.cpp
  std::vector<RootArm> root_arms() const;
  std::vector<double> policy(std::span<const RootArm> arms) const;
  int choose(std::span<const RootArm> arms) const;
  std::vector<double> estimates(std::span<const RootArm> arms) const;
  std::vector<Move> line(Move first) const;
  void add_text(const Node& node, const Position& position, int depth, std::string& out) const;

  SearchConfig config_;
  Rules rules_;
  std::uint64_t seed_ = 0;

  Tree tree_;
  // The root seen as a child, as if a move had led to it: its values are for the side that is not
  // to move. So a walk and a backup treat the root like any other node.
  Child entrance_;

  // The root's legal moves, what a look ahead proved of them, and what the evaluator said.
  MoveList moves_;
  std::vector<Proof> proofs_;
  std::optional<Evaluation> root_evaluation_;
  GumbelRoot gumbel_;

  // The positions that may come again, the root the last of them; walks go on from there.
  Line line_;
  std::size_t root_at_ = 0;

  std::vector<Step> steps_;
  std::vector<Walk> waiting_;
  std::vector<Walk> collided_;
  std::int64_t started_ = 0;  // simulations, backed up or waiting
  int depth_ = 0;
};

}  // namespace gounki::mcts
