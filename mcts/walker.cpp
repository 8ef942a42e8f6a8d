#include "mcts/walker.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "core/random.h"
#include "mcts/select.h"

namespace gounki::mcts {
namespace {

// What lies below the same two moves is one place, however deep its tasks begin from round to round.
constexpr int kPliesOfPlace = 2;

}  // namespace

std::uint32_t WalkTask::place() const {
  std::uint64_t hash = 0;
  for (int ply = 0; ply < std::min(plies, kPliesOfPlace); ++ply) {
    const Move move = path[static_cast<std::size_t>(ply)];
    std::uint64_t state = hash + static_cast<std::uint64_t>(move.index());
    hash = splitmix64(state);
  }
  return static_cast<std::uint32_t>(hash >> 32);
}

void Walker::Step::add(MoverValue value, int times) {
  const double v = value.v;
  visits += times;
  value_sum += v * times;
  square_sum += v * v * times;
}

void Walker::start() {
  line_ = rules_.line;
  steps_.clear();
  groups_.clear();
  begun_.clear();
  waiting_.clear();
  deepest_ = 0;
  walks_ = plies_walked_ = 0;
}

std::uint32_t Walker::add_step(Child& child, std::uint32_t above, int plies, int walks, Move move) {
  steps_.push_back({&child, above, plies, walks, move});
  return static_cast<std::uint32_t>(steps_.size() - 1);
}

// Planning.

void Walker::begin_round(Child& entrance, int grain, std::vector<WalkTask>& tasks,
                         const std::function<void(int)>& ready) {
  tasks_ = &tasks;
  ready_ = &ready;
  grain_ = grain;
  collisions_ = 0;
  steps_.clear();
  add_step(entrance, kNone, 0, 0, Move());
}

void Walker::plan(int walks) {
  steps_[0].child->in_flight = static_cast<std::uint16_t>(steps_[0].child->in_flight + walks);
  steps_[0].walks += walks;
  collisions_ += go_on(0, false);
}

void Walker::plan(Child& child, Move move, bool fresh, int walks) {
  for (Child* passed : {steps_[0].child, &child})
    passed->in_flight = static_cast<std::uint16_t>(passed->in_flight + walks);
  steps_[0].walks += walks;
  collisions_ += follow(add_step(child, 0, 1, walks, move), fresh);
}

// Makes a task of the walks that have come so far.
int Walker::hand_over(std::uint32_t index, bool fresh) {
  const Step& step = steps_[index];
  assert(tasks_->size() < tasks_->capacity());
  WalkTask& task = tasks_->emplace_back();
  task.child = *step.child;
  task.step = index;
  task.walks = step.walks;
  task.fresh = fresh;
  task.plies = step.plies;
  for (std::uint32_t at = index; steps_[at].plies > 0; at = steps_[at].above)
    task.path[static_cast<std::size_t>(steps_[at].plies - 1)] = steps_[at].move;
  if (*ready_) (*ready_)(static_cast<int>(tasks_->size()) - 1);
  return 0;
}

int Walker::finish_round() {
  for (const WalkTask& task : *tasks_) {
    Step& step = steps_[task.step];
    step.visits += task.visits;
    step.value_sum += task.value_sum;
    step.square_sum += task.square_sum;
    step.child->node = task.child.node;
    step.child->proof = task.child.proof;
    collisions_ += task.collisions;
  }
  back_up();
  tasks_ = nullptr;
  return collisions_;
}

// Walking. Each function says how many of the walks collided with what is under way, in other words
// have found nothing. Such walks leave their virtual loss until the round is backed up, so that others
// turn elsewhere, and no other trace.

void Walker::walk(WalkTask& task, std::vector<Leaf>& out) {
  line_.resize(rules_.line.size());
  for (int ply = 0; ply < task.plies; ++ply)
    line_.push_back(line_.back().after(task.path[static_cast<std::size_t>(ply)]));
  leaves_ = &out;
  const std::uint32_t step = add_step(task.child, kNone, task.plies, task.walks, Move());
  begun_.push_back({&task, step});
  task.collisions = task.fresh ? open(step) : descend(step, task.walks);
}

// Sends walks on from the node that a step leads to. It has its evaluation, and when working is the
// last position of the line.
int Walker::descend(std::uint32_t from, int walks) {
  Node& node = tree_.node(steps_[from].child->node);
  const std::size_t first = groups_.size(), plies = line_.size();
  int collisions = walks - choose_groups(from, node, walks);
  // No move is left where the tree is full: such walks take the node's own value once more.
  if (collisions > 0)
    collisions = found(steps_[from], MoverValue{node.value}.flipped(), collisions);
  for (std::size_t i = first; i < groups_.size(); ++i) {
    const Group group = groups_[i];
    const int depth = steps_[from].plies + 1;
    collisions +=
        follow(add_step(*group.child, from, depth, group.walks, group.move), group.fresh);
    line_.resize(plies);
  }
  groups_.resize(first);
  return collisions;
}

// All walks choose before the first goes on. Adds a group for each child that some have chosen; says
// how many have.
int Walker::choose_groups(std::uint32_t from, Node& node, int walks) {
  const SearchConfig& config = rules_.config;
  const Child& entered = *steps_[from].child;
  const double forced = entered.node == rules_.root ? config.forced_playouts : 0.0;
  const auto first = static_cast<std::ptrdiff_t>(groups_.size());
  std::optional<PuctChoice> puct;
  if (!config.is_gumbel()) puct.emplace(tree_, node, entered, walks, forced, config);
  if (puct && walks > 1) puct->begin();
  int chosen = 0;
  while (chosen < walks) {
    const bool may_grow = !tree_.full(worker_);
    const int slot =
        !puct        ? select_gumbel(tree_, node, may_grow, config)
        : walks == 1 ? puct->only(may_grow)
                     : puct->next(may_grow);
    if (slot == kNoMove) break;
    auto group = std::find_if(groups_.begin() + first, groups_.end(),
                              [slot](const Group& g) { return g.slot == slot; });
    if (group == groups_.end()) {
      const bool fresh = slot == node.child_count;
      Child* child = fresh ? tree_.add_child(node, worker_) : &tree_.children(node)[slot];
      if (child == nullptr) continue;  // the tree is full by now
      const Move move = tree_.edges(node)[static_cast<std::size_t>(slot)].move();
      group = groups_.insert(groups_.end(), {child, move, slot, 0, fresh});
    }
    ++group->walks;
    ++group->child->in_flight;
    if (++chosen < walks && puct) puct->changed(slot, *group->child);
  }
  return chosen;
}

// Goes on over a move.
int Walker::follow(std::uint32_t index, bool fresh) {
  Step& step = steps_[index];
  Child& child = *step.child;
  if (fresh) return go_on(index, true);
  // A proven draw is visited, at no cost, as often as its value deserves, but not walked into.
  if (child.proof.known()) return found(step, child.proof.value(), step.walks);
  if (child.node == Child::kNoRoom) {
    // Memory that was freed since may hold it now.
    if (tree_.full(worker_)) return found(step, {static_cast<float>(child.q())}, step.walks);
    child.node = Child::kNoNode;
    return go_on(index, true);
  }
  // Leaves wait within a task only, and the planner is not to touch what workers have in their caches.
  if (!planning() && tree_.node(child.node).waiting) return step.walks;
  return go_on(index, false);
}

// Goes on from the position behind a move.
int Walker::go_on(std::uint32_t index, bool fresh) {
  const Step& step = steps_[index];
  if (planning()) {
    if (fresh || step.walks <= grain_ || step.plies == WalkTask::kMostPlies)
      return hand_over(index, fresh);
  } else {
    line_.push_back(line_.back().after(step.move));
  }
  return fresh ? open(index) : descend(index, step.walks);
}

// Sees what the position behind a new child is: the end of the game, a win with the next move, or a
// leaf. A draw by repetition depends on the way to a position. The tree shares no positions between
// ways, so every node has one history, and what is proven of it is exact for that history.
int Walker::open(std::uint32_t index) {
  Step& step = steps_[index];
  Child& child = *step.child;
  const Position& position = line_.back();
  const auto exact = [&](Proof proof) {
    child.proof = proof;
    return found(step, proof.value(), step.walks);
  };
  if (position.is_lost()) return exact(Proof::win(1));
  if (is_draw(line_, rules_.rules)) return exact(Proof::draw(1));
  Leaf& leaf = leaves_->emplace_back();
  leaf.moves = legal_moves(position, rules_.rules);
  if (rules_.config.prove && winning_move(position, leaf.moves)) {
    leaves_->pop_back();
    return exact(Proof::loss(2));
  }
  leaf.position = position;
  leaf.repetitions = repetitions(line_);
  const std::uint32_t node = tree_.add_node(leaf.moves, worker_);
  child.node = node == Tree::kNone ? Child::kNoRoom : node;
  waiting_.push_back({index, node});
  note_depth(step.plies, 1);
  return step.walks - 1;
}

// Walks end at a step with a value, for the side that made the move. None collides.
int Walker::found(Step& step, MoverValue value, int walks) {
  step.add(value, walks);
  note_depth(step.plies, walks);
  return 0;
}

void Walker::note_depth(int plies, int walks) {
  deepest_ = std::max(deepest_, plies);
  walks_ += walks;
  plies_walked_ += static_cast<std::int64_t>(walks) * plies;
}

void Walker::apply(std::span<const Evaluation> evaluations) {
  assert(evaluations.size() == waiting_.size());
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (waiting_[i].node != Tree::kNone)
      check(evaluations[i], tree_.node(waiting_[i].node).edge_count);
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const MoverValue value = evaluations[i].wdl.value();
    if (waiting_[i].node != Tree::kNone)
      tree_.evaluate(waiting_[i].node, value, evaluations[i].priors);
    steps_[waiting_[i].step].add(value.flipped(), 1);
  }
  back_up();
  for (const Begun& begun : begun_) {
    const Step& step = steps_[begun.step];
    begun.task->visits = step.visits;
    begun.task->value_sum = step.value_sum;
    begun.task->square_sum = step.square_sum;
  }
  steps_.clear();
  begun_.clear();
  waiting_.clear();
}

// Adds what the steps have found to their children, and to the steps above. Where some child of a node
// is proven, the node may be; then all visits of the round have found its exact value. That is seen
// when all its children have been backed up, so that their order, and who walked, makes no difference.
void Walker::back_up() {
  for (std::size_t i = steps_.size(); i-- > 0;) {
    Step& step = steps_[i];
    Child& child = *step.child;
    if (step.proven_below && !child.proof.known()) {
      child.proof = tree_.proof_of(tree_.node(child.node)).one_ply_before();
      if (child.proof.known()) {
        const int visits = std::exchange(step.visits, 0);
        step.value_sum = step.square_sum = 0.0;
        step.add(child.proof.value(), visits);
      }
    }
    child.visits += static_cast<std::uint32_t>(step.visits);
    child.value_sum += step.value_sum;
    child.square_sum += step.square_sum;
    child.in_flight = static_cast<std::uint16_t>(child.in_flight - step.walks);
    if (step.above == kNone || step.visits == 0) continue;

    Step& above = steps_[step.above];
    above.proven_below = above.proven_below || (rules_.config.prove && child.proof.known());
    above.visits += step.visits;
    above.value_sum -= step.value_sum;
    above.square_sum += step.square_sum;
  }
}

}  // namespace gounki::mcts
