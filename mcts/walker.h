// One worker of a search: it walks down the tree, hands out leaves, and backs their values up.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mcts/endings.h"
#include "mcts/evaluator.h"
#include "mcts/search_state.h"
#include "mcts/tree.h"

namespace gounki::mcts {

class Walker {
 public:
  Walker(SearchState& search, int worker) : search_(search), worker_(worker) {}

  // Begins a search; everything that the last one left is forgotten.
  void start();
  int gather(std::vector<Leaf>& out, int most);
  void apply(std::span<const Evaluation> evaluations);

  // The child of a move of the root; made, with one walk in flight, if there is none. None if the tree
  // is full.
  Child* root_child(int move, bool& made);

  // Of the walks since start; may be asked for by other threads.
  int deepest() const { return deepest_.get(); }
  std::int64_t walks() const { return walks_.get(); }
  std::int64_t plies_walked() const { return plies_walked_.get(); }

 private:
  // A move on the way of some walks that go together. Steps are kept in the order in which they were
  // made, each after the step that leads to it, and are backed up the other way round: first all
  // that lies below a step is added up, then the step's child takes it at once.
  struct Step {
    Child* child;
    std::uint32_t above;       // the step before, kEntrance at the entrance
    int walks;                 // that went this way
    int visits = 0;            // those of them that have found a value
    double value_sum = 0.0;    // of these, for the side that made the move
    double square_sum = 0.0;

    void add(MoverValue value, int times);
  };
  static constexpr std::uint32_t kEntrance = ~std::uint32_t{0};
  // A leaf that waits for its evaluation: the step that led there, and its node if there is one.
  struct Waiting {
    std::uint32_t step, node;
  };

  // Walks that go from a node to the same child.
  struct Group {
    Child* child;
    Move move;
    int slot;
    int walks;
    bool fresh;  // this worker made the child for them
  };

  int gather_puct(std::vector<Leaf>& out, int most);
  int gather_gumbel(std::vector<Leaf>& out, int most);
  void hand_out_root(std::vector<Leaf>& out);
  std::uint32_t enter(int walks);
  std::uint32_t add_step(Child& child, std::uint32_t above, int walks);
  int descend(std::uint32_t from, std::uint32_t node, int walks, std::vector<Leaf>& out);
  int descend_one(std::uint32_t from, std::uint32_t node, std::vector<Leaf>& out);
  int descend_many(std::uint32_t from, std::uint32_t node, int walks, std::vector<Leaf>& out);
  int choose_groups(std::uint32_t from, std::uint32_t node, int walks);
  int follow(std::uint32_t step, Move move, bool fresh, std::vector<Leaf>& out);
  int open(Step& step, std::uint32_t index, std::vector<Leaf>& out);
  int stay(std::uint32_t from, const Node& node, int walks);
  void back_up(std::size_t first);
  void note_depth(int walks, int extra_plies);
  double forced_at(std::uint32_t from) const;

  SearchState& search_;
  const int worker_;
  Line line_;  // the positions from those that may come again to where a walk is now
  std::vector<Step> steps_;
  std::vector<Waiting> waiting_;
  std::vector<Group> groups_;
  // Walks that have chosen a child and are not in its count yet; all 0 but while groups are chosen.
  std::array<std::uint16_t, MoveList::kCapacity> extra_{};
  Counter<int> deepest_;
  Counter<std::int64_t> walks_, plies_walked_;
};

}  // namespace gounki::mcts
