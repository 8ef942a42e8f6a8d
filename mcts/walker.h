// Walks down the tree: how the walks of a round are split into tasks, how a task finds its leaves, and
// how values come back up.
//
// A round goes in three parts. The planner, a walker without leaves of its own, sends all walks of the
// round down from the root, node by node, and where few enough go on together makes a task of them.
// Workers take tasks, each below a node of its own, so that they share nothing: they walk on, hand
// out leaves, and back the values up to where the task begins. Then the planner backs up what the
// tasks have found. So the tree depends on how many walks a round has, and not on who did which
// task, or when.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mcts/config.h"
#include "mcts/endings.h"
#include "mcts/evaluator.h"
#include "mcts/tree.h"

namespace gounki::mcts {

// Some walks that go on together from one place of the tree, and what they have found.
struct alignas(64) WalkTask {
  static constexpr int kMostPlies = 15;

  Child child;              // a copy of the one that leads to that place, which the task keeps up to date
  std::uint32_t step = 0;   // of the planner, that led here
  int walks = 0;
  bool fresh = false;       // the child has no node yet
  int plies = 0;            // from the root
  std::array<Move, kMostPlies> path;

  int collisions = 0;       // walks that have found nothing
  int visits = 0;           // the others
  double value_sum = 0.0, square_sum = 0.0;  // of the visits, for the side that moved last

  // A number for the place in the tree, as good as random.
  std::uint32_t place() const;
};

// What all walks of a search go by.
struct WalkRules {
  SearchConfig config;
  Rules rules;
  Line line;               // the positions that may come again, the root the last of them
  std::uint32_t root = 0;  // its node
};

// On cache lines of its own, since all workers write into theirs all the time.
class alignas(128) Walker {
 public:
  Walker(Tree& tree, const WalkRules& rules, int worker)
      : tree_(tree), rules_(rules), worker_(worker) {}

  // Forgets all walks, also of a search that was given up.
  void start();

  // Planning. A round begins; its tasks, which are to have at most `grain` walks as far as walks can
  // be told apart, will be added to `tasks`, which has room for as many as there are walks. `ready`
  // is told the number of each task as soon as it may be walked.
  void begin_round(Child& entrance, int grain, std::vector<WalkTask>& tasks,
                   const std::function<void(int)>& ready);
  // Sends walks down from the root by the rule of PUCT.
  void plan(int walks);
  // Sends walks to a child of the root. Not to the same child twice in a round.
  void plan(Child& child, Move move, bool fresh, int walks);
  // Backs up what the tasks have found. Says how many walks have found nothing.
  int finish_round();

  // Working. Walks for a task and appends its leaves. The task stays where it is until `apply`.
  void walk(WalkTask& task, std::vector<Leaf>& out);
  // Backs up the leaves of all tasks since the last call, in the order in which they were handed out.
  void apply(std::span<const Evaluation> evaluations);

  // Of the walks since start.
  int deepest() const { return deepest_; }
  std::int64_t walks() const { return walks_; }
  std::int64_t plies_walked() const { return plies_walked_; }

 private:
  // A move on the way of some walks that go together. Steps are kept in the order in which they were
  // made, each after the step that leads to it, and are backed up the other way round: first all
  // that lies below a step is added up, then the step's child takes it at once.
  struct Step {
    Child* child;
    std::uint32_t above;       // the step before, kNone where there is none
    int plies;                 // from the root, this one included
    int walks;                 // that went this way
    Move move;
    int visits = 0;            // those of them that have found a value
    double value_sum = 0.0;    // of these, for the side that made the move
    double square_sum = 0.0;
    bool proven_below = false;  // a move from the position behind has a proof

    void add(MoverValue value, int times);
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
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
    bool fresh;  // the child was made for them
  };
  // A task under way, whose steps begin here.
  struct Begun {
    WalkTask* task;
    std::uint32_t step;
  };

  bool planning() const { return tasks_ != nullptr; }
  std::uint32_t add_step(Child& child, std::uint32_t above, int plies, int walks, Move move);
  int descend(std::uint32_t from, int walks);
  int choose_groups(std::uint32_t from, Node& node, int walks);
  int follow(std::uint32_t step, bool fresh);
  int go_on(std::uint32_t step, bool fresh);
  int open(std::uint32_t step);
  int hand_over(std::uint32_t step, bool fresh);
  int found(Step& step, MoverValue value, int walks);
  void back_up();
  void note_depth(int plies, int walks);

  Tree& tree_;
  const WalkRules& rules_;
  const int worker_;

  Line line_;  // the positions from those that may come again to where a walk is now
  std::vector<Step> steps_;
  std::vector<Group> groups_;

  std::vector<WalkTask>* tasks_ = nullptr;  // of the round that is being planned
  const std::function<void(int)>* ready_ = nullptr;
  int grain_ = 0;
  int collisions_ = 0;

  std::vector<Leaf>* leaves_ = nullptr;     // of the walk that is under way
  std::vector<Begun> begun_;
  std::vector<Waiting> waiting_;

  int deepest_ = 0;
  std::int64_t walks_ = 0, plies_walked_ = 0;
};

}  // namespace gounki::mcts
