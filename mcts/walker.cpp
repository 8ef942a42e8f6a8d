#include "mcts/walker.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/error.h"
#include "mcts/select.h"

namespace gounki::mcts {
namespace {

// Leaves of a worker under way at once; Child counts walks in 16 bits, collisions included.
constexpr int kMostLeaves = 1024;

void check(const Evaluation& evaluation, std::size_t moves) {
  double sum = 0.0;
  for (const float prior : evaluation.priors) sum += prior < 0.0f ? std::nan("") : prior;
  const WinDrawLoss& wdl = evaluation.wdl;
  const double chances = static_cast<double>(wdl.win) + wdl.draw + wdl.loss;
  if (evaluation.priors.size() == moves && std::abs(sum - 1.0) < 1e-2 &&
      std::abs(chances - 1.0) < 1e-2)
    return;
  throw Failure("the evaluator's answer is no distribution: " +
                std::to_string(evaluation.priors.size()) + " priors for " + std::to_string(moves) +
                " moves sum to " + std::to_string(sum) + ", win, draw and loss to " +
                std::to_string(chances));
}

}  // namespace

void Walker::Step::add(MoverValue value, int times) {
  const double v = value.v;
  visits += times;
  value_sum += v * times;
  square_sum += v * v * times;
}

void Walker::start() {
  line_ = search_.line_to_root;
  steps_.clear();
  waiting_.clear();
  deepest_.set(0);
  walks_.set(0);
  plies_walked_.set(0);
}

int Walker::gather(std::vector<Leaf>& out, int most) {
  if (!waiting_.empty() || most < 1 || !search_.may_walk()) return 0;
  steps_.clear();
  if (!search_.root_ready.load(std::memory_order_acquire)) {
    if (search_.root_taken.exchange(true)) return 0;
    hand_out_root(out);
    return 1;
  }
  most = std::min(most, kMostLeaves);
  return search_.config.is_gumbel() ? gather_gumbel(out, most) : gather_puct(out, most);
}

// The root's evaluation is no simulation, but the first visit of the entrance.
void Walker::hand_out_root(std::vector<Leaf>& out) {
  line_.resize(search_.line_to_root.size());
  out.push_back({line_.back(), repetitions(line_), search_.moves});
  const std::uint32_t step = enter(1);
  waiting_.push_back({step, search_.entrance.node.load(std::memory_order_relaxed)});
}

std::uint32_t Walker::enter(int walks) {
  search_.entrance.in_flight.add(static_cast<std::uint16_t>(walks), search_.tree.shared());
  return add_step(search_.entrance, kEntrance, walks);
}

std::uint32_t Walker::add_step(Child& child, std::uint32_t above, int walks) {
  steps_.push_back({&child, above, walks});
  return static_cast<std::uint32_t>(steps_.size() - 1);
}

// Walks that end at a leaf under way keep their virtual loss until this worker's leaves are backed
// up, so that others turn elsewhere; they leave no other trace.
int Walker::gather_puct(std::vector<Leaf>& out, int most) {
  int collisions = 0;
  while (static_cast<int>(waiting_.size()) < most && collisions < most && search_.may_walk()) {
    const int walks = search_.reserve(most - static_cast<int>(waiting_.size()));
    if (walks == 0) break;
    const std::size_t waiting_before = waiting_.size(), first = steps_.size();
    line_.resize(search_.line_to_root.size());
    const std::uint32_t entered = enter(walks);
    const int collided = descend(entered, search_.entrance.node, walks, out);
    search_.give_back(collided);
    collisions += collided;
    if (waiting_.size() > waiting_before) continue;
    back_up(first);
    steps_.resize(first);
  }
  return static_cast<int>(waiting_.size());
}

// The visits of a round go to different moves of the root, so that none depends on another: they
// can be under way together.
int Walker::gather_gumbel(std::vector<Leaf>& out, int most) {
  int collisions = 0;
  while (static_cast<int>(waiting_.size()) < most && collisions < most && search_.may_walk()) {
    const std::size_t waiting_before = waiting_.size(), first = steps_.size();
    std::unique_lock lock(search_.root_mutex, std::defer_lock);
    if (search_.tree.shared()) lock.lock();
    if (search_.gumbel.round_over()) {
      if (search_.entrance.in_flight > 0) break;
      search_.plan_round();
    }
    if (search_.reserve(1) == 0) break;
    const int move = search_.gumbel.next();
    bool fresh = false;
    Child* child = root_child(move, fresh);
    if (child == nullptr) continue;  // the tree is full: the visit is spent without a trace
    if (child->proven().is_loss()) {
      search_.give_back(1);
      continue;
    }
    line_.resize(search_.line_to_root.size());
    const std::uint32_t entered = enter(1);
    if (!fresh) child->in_flight.add(1, search_.tree.shared());
    if (lock.owns_lock()) lock.unlock();

    const int collided = follow(add_step(*child, entered, 1), search_.moves[move], fresh, out);
    search_.give_back(collided);
    collisions += collided;
    if (waiting_.size() > waiting_before) continue;
    back_up(first);
    steps_.resize(first);
  }
  return static_cast<int>(waiting_.size());
}

Child* Walker::root_child(int move, bool& made) {
  Node& root = search_.root();
  const int tried = root.tried();
  const auto edges = search_.tree.edges(root);
  for (int slot = 0; slot < tried; ++slot)
    if (edges[static_cast<std::size_t>(slot)].move() == search_.moves[move])
      return &search_.tree.children(root)[slot];
  search_.tree.bring_forward(root, search_.moves[move]);
  made = true;
  return search_.tree.add_child(root, tried, worker_);
}

// Sends walks on from a node, which has its evaluation and is the last position of the line. Says how
// many of them collided with what is under way.
int Walker::descend(std::uint32_t from, std::uint32_t node, int walks, std::vector<Leaf>& out) {
  return walks == 1 ? descend_one(from, node, out) : descend_many(from, node, walks, out);
}

double Walker::forced_at(std::uint32_t from) const {
  return steps_[from].above == kEntrance ? search_.config.forced_playouts : 0.0;
}

int Walker::descend_one(std::uint32_t from, std::uint32_t index, std::vector<Leaf>& out) {
  Tree& tree = search_.tree;
  Node& node = tree.node(index);
  for (;;) {
    const bool may_grow = !tree.full();
    const int slot =
        search_.config.is_gumbel()
            ? select_gumbel(tree, node, {}, may_grow, search_.config)
            : PuctChoice(tree, node, *steps_[from].child, 1, forced_at(from), search_.config)
                  .next({}, may_grow);
    if (slot == kNoMove) return stay(from, node, 1);
    const int tried = node.tried();
    const Move move = tree.edges(node)[static_cast<std::size_t>(slot)].move();
    Child* child = slot < tried ? &tree.children(node)[slot] : tree.add_child(node, slot, worker_);
    if (child == nullptr) continue;  // another worker was here first, or memory ran out
    if (slot < tried) child->in_flight.add(1, tree.shared());
    return follow(add_step(*child, from, 1), move, slot == tried, out);
  }
}

// All walks choose before the first goes on; a node's children are thus written to once.
int Walker::descend_many(std::uint32_t from, std::uint32_t index, int walks,
                         std::vector<Leaf>& out) {
  const Node& node = search_.tree.node(index);
  const std::size_t first = groups_.size(), depth = line_.size();
  const int chosen = choose_groups(from, index, walks);
  int collisions = chosen < walks ? stay(from, node, walks - chosen) : 0;
  for (std::size_t i = first; i < groups_.size(); ++i) {
    const Group group = groups_[i];
    collisions +=
        follow(add_step(*group.child, from, group.walks), group.move, group.fresh, out);
    line_.resize(depth);
  }
  groups_.resize(first);
  return collisions;
}

// Adds a group for each child that some of the walks choose. Says how many walks have chosen.
int Walker::choose_groups(std::uint32_t from, std::uint32_t index, int walks) {
  Tree& tree = search_.tree;
  Node& node = tree.node(index);
  const std::size_t first = groups_.size();
  PuctChoice puct(tree, node, *steps_[from].child, walks, forced_at(from), search_.config);
  int chosen = 0;
  while (chosen < walks) {
    const bool may_grow = !tree.full();
    const int slot = search_.config.is_gumbel()
                         ? select_gumbel(tree, node, extra_, may_grow, search_.config)
                         : puct.next(extra_, may_grow);
    if (slot == kNoMove) break;
    const int tried = node.tried();
    auto group = std::find_if(groups_.begin() + static_cast<std::ptrdiff_t>(first), groups_.end(),
                              [slot](const Group& g) { return g.slot == slot; });
    if (group == groups_.end()) {
      const bool fresh = slot == tried;
      Child* child = fresh ? tree.add_child(node, slot, worker_) : &tree.children(node)[slot];
      if (child == nullptr) continue;  // another worker was here first, or memory ran out
      const Move move = tree.edges(node)[static_cast<std::size_t>(slot)].move();
      group = groups_.insert(groups_.end(), {child, move, slot, 0, fresh});
    }
    ++group->walks;
    // The walk that makes a child is in its count of walks from the beginning.
    extra_[static_cast<std::size_t>(slot)] =
        static_cast<std::uint16_t>(group->walks - (group->fresh ? 1 : 0));
    ++chosen;
  }
  for (std::size_t i = first; i < groups_.size(); ++i) {
    std::uint16_t& extra = extra_[static_cast<std::size_t>(groups_[i].slot)];
    if (extra > 0) groups_[i].child->in_flight.add(extra, tree.shared());
    extra = 0;
  }
  return chosen;
}

// Walks that find no move to take. In a full tree they take the node's own value once more; else
// others are proving the node lost, and they collide.
int Walker::stay(std::uint32_t from, const Node& node, int walks) {
  if (!search_.tree.full()) return walks;
  steps_[from].add(MoverValue{node.value}.flipped(), walks);
  note_depth(walks, 0);
  return 0;
}

// Goes on over a child. Says how many of the step's walks collided.
int Walker::follow(std::uint32_t index, Move move, bool fresh, std::vector<Leaf>& out) {
  Step& step = steps_[index];
  Child& child = *step.child;
  if (fresh) {
    line_.push_back(line_.back().after(move));
    return open(step, index, out);
  }
  // A proven draw is visited, at no cost, as often as its value deserves, but not walked into.
  if (const Proof proof = child.proven(); proof.known()) {
    step.add(proof.value(), step.walks);
    note_depth(step.walks, 1);
    return 0;
  }
  std::uint32_t node = child.node.load(std::memory_order_acquire);
  if (node == Child::kNoRoom) {
    // Memory that was freed since may hold it now.
    if (!search_.tree.full() && child.node.compare_exchange_strong(node, Child::kNoNode)) {
      line_.push_back(line_.back().after(move));
      return open(step, index, out);
    }
    step.add({static_cast<float>(child.q())}, step.walks);
    note_depth(step.walks, 1);
    return 0;
  }
  if (node == Child::kNoNode || search_.tree.node(node).is_waiting()) return step.walks;
  line_.push_back(line_.back().after(move));
  return descend(index, node, step.walks, out);
}

// Sees what the position behind a new child is: the end of the game, a win with the next move, or a
// leaf. A draw by repetition depends on the way to a position. The tree shares no positions between
// ways, so every node has one history, and what is proven of it is exact for that history.
int Walker::open(Step& step, std::uint32_t index, std::vector<Leaf>& out) {
  Child& child = *step.child;
  const Position& position = line_.back();
  const auto exact = [&](Proof proof) {
    child.proof.store(proof, std::memory_order_release);
    step.add(proof.value(), step.walks);
    note_depth(step.walks, 0);
    return 0;
  };
  if (position.is_lost()) return exact(Proof::win(1));
  if (is_draw(line_, search_.rules)) return exact(Proof::draw(1));
  Leaf& leaf = out.emplace_back();
  leaf.moves = legal_moves(position, search_.rules);
  if (search_.config.prove && winning_move(position, leaf.moves)) {
    out.pop_back();
    return exact(Proof::loss(2));
  }
  leaf.position = position;
  leaf.repetitions = repetitions(line_);
  const std::uint32_t node = search_.tree.add_node(leaf.moves, worker_);
  child.node.store(node == Tree::kNone ? Child::kNoRoom : node, std::memory_order_release);
  waiting_.push_back({index, node});
  note_depth(1, 0);
  return step.walks - 1;
}

void Walker::note_depth(int walks, int extra_plies) {
  const int depth = static_cast<int>(line_.size() - search_.line_to_root.size()) + extra_plies;
  if (depth > deepest_) deepest_.set(depth);
  walks_.add(walks, false);
  plies_walked_.add(static_cast<std::int64_t>(walks) * depth, false);
}

void Walker::apply(std::span<const Evaluation> evaluations) {
  assert(evaluations.size() == waiting_.size());
  if (waiting_.empty()) return;
  Tree& tree = search_.tree;
  const std::uint32_t root = search_.entrance.node.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (waiting_[i].node != Tree::kNone)
      check(evaluations[i], tree.edges(tree.node(waiting_[i].node)).size());
  const bool root_waits = waiting_[0].node == root;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const MoverValue value = evaluations[i].wdl.value();
    if (root_waits) {
      search_.evaluate_root(evaluations[i]);
      if (search_.entrance.visits > 0) continue;  // a root from an earlier search has its visit
    } else if (waiting_[i].node != Tree::kNone) {
      tree.evaluate(waiting_[i].node, value, evaluations[i].priors);
    }
    steps_[waiting_[i].step].add(value.flipped(), 1);
  }
  back_up(0);
  waiting_.clear();
  if (root_waits) search_.root_ready.store(true, std::memory_order_release);
}

// Adds what the steps from the first on have found to their children, and to the steps above. Where
// a child is proven, the node above it may be; then the exact value goes on up instead.
void Walker::back_up(std::size_t first) {
  Tree& tree = search_.tree;
  const bool shared = tree.shared();
  for (std::size_t i = steps_.size(); i-- > first;) {
    const Step& step = steps_[i];
    Child& child = *step.child;
    if (step.visits > 0) {
      child.value_sum.add(step.value_sum, shared);
      child.square_sum.add(step.square_sum, shared);
      child.visits.add(static_cast<std::uint32_t>(step.visits), shared);
    }
    child.in_flight.add(static_cast<std::uint16_t>(-step.walks), shared);
    if (step.above == kEntrance || step.visits == 0) continue;

    Step& above = steps_[step.above];
    if (search_.config.prove && child.proven().known() && !above.child->proven().known()) {
      const Proof proof = tree.proof_of(tree.node(above.child->node.load(std::memory_order_relaxed)));
      if (proof.known()) {
        above.child->proof.store(proof.one_ply_before(), std::memory_order_release);
        above.add(proof.value().flipped(), step.visits);
        continue;
      }
    }
    above.visits += step.visits;
    above.value_sum -= step.value_sum;
    above.square_sum += step.square_sum;
  }
}

}  // namespace gounki::mcts
