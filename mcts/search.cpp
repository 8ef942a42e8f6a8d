#include "mcts/search.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "mcts/endings.h"
#include "mcts/formulas.h"
#include "mcts/search_state.h"
#include "mcts/select.h"

namespace gounki::mcts {
namespace {

// Leaves under way at once; Child counts them in 16 bits, collisions included.
constexpr int kMostLeaves = 16'384;
// In place of a child's number: the rule of the algorithm chooses it.
constexpr int kByRule = -1;

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

void SearchState::start(const Game& game, std::uint64_t seed) {
  assert(!game.is_over());
  rules_ = game.rules();
  seed_ = seed;
  tree_.clear();
  entrance_ = Child();
  root_evaluation_.reset();
  steps_.clear();
  waiting_.clear();
  collided_.clear();
  started_ = 0;
  depth_ = 0;

  // Positions before the last capture or forward step cannot come again.
  const auto& positions = game.positions();
  const auto quiet = static_cast<std::size_t>(game.position().quiet_plies());
  const auto tail = std::min(positions.size(), quiet + 1);
  line_.assign(positions.end() - static_cast<std::ptrdiff_t>(tail), positions.end());
  root_at_ = line_.size() - 1;

  moves_ = game.legal_moves();
  proofs_ = look_ahead(line_, moves_, rules_);
  entrance_.proof =
      proof_from_moves(proofs_, true, [](Proof proof) { return proof; }).one_ply_before();
  entrance_.node = tree_.add_node(moves_);
}

bool SearchState::done() const {
  return waiting_.empty() && (entrance_.proof.known() || started_ >= config_.visits);
}

bool SearchState::may_walk() const {
  return !entrance_.proof.known() && started_ < config_.visits;
}

int SearchState::gather(std::vector<Leaf>& out, int most) {
  if (!waiting_.empty() || most < 1 || done()) return 0;
  steps_.clear();
  if (!root_evaluation_) {
    hand_out_root(out);
    return 1;
  }
  most = std::min(most, kMostLeaves);
  return config_.is_gumbel() ? gather_gumbel(out, most) : gather_puct(out, most);
}

void SearchState::hand_out_root(std::vector<Leaf>& out) {
  line_.resize(root_at_ + 1);
  out.push_back({line_.back(), repetitions(line_), moves_});
  ++entrance_.in_flight;
  waiting_.push_back({0, 0, Tree::kRoot});
}

// Walks that end at a leaf under way keep their virtual loss until the others are chosen, so that
// the next walk turns elsewhere; then they are called off.
int SearchState::gather_puct(std::vector<Leaf>& out, int most) {
  while (static_cast<int>(waiting_.size()) < most && static_cast<int>(collided_.size()) < most &&
         may_walk())
    walk(kByRule, out);
  for (const Walk& collision : collided_) call_off(steps_of(collision));
  collided_.clear();
  return static_cast<int>(waiting_.size());
}

// The visits of a round go to different moves of the root, so that none depends on another: they
// can be under way together.
int SearchState::gather_gumbel(std::vector<Leaf>& out, int most) {
  while (static_cast<int>(waiting_.size()) < most && may_walk()) {
    if (gumbel_.round_over()) {
      if (!waiting_.empty()) break;
      gumbel_.plan_round(root_arms(), tree_.node(Tree::kRoot).value,
                         static_cast<int>(config_.visits - started_));
    }
    const int slot = slot_of_root_move(gumbel_.next());
    const auto children = tree_.children(tree_.node(Tree::kRoot));
    if (slot < static_cast<int>(children.size()) && children[slot].proof.is_loss()) continue;
    walk(slot, out);
  }
  return static_cast<int>(waiting_.size());
}

int SearchState::slot_of_root_move(int move) {
  Node& root = tree_.node(Tree::kRoot);
  for (int slot = 0; slot < root.child_count; ++slot)
    if (tree_.edges(root)[slot].move() == moves_[move]) return slot;
  tree_.bring_forward(root, moves_[move]);
  return root.child_count;
}

// Goes down from the root to a leaf, a result of the rules, or a leaf that is under way already.
// The first step may be given.
void SearchState::walk(int first_slot, std::vector<Leaf>& out) {
  const std::size_t first_step = steps_.size();
  line_.resize(root_at_ + 1);
  ++entrance_.in_flight;
  const Child* entered = &entrance_;
  std::uint32_t at = Tree::kRoot;
  int slot = first_slot;
  WalkEnd end;
  for (;;) {
    Node& node = tree_.node(at);
    if (slot == kByRule)
      slot = config_.is_gumbel() ? select_gumbel(tree_, node, config_)
                                 : select_puct(tree_, node, *entered, config_);
    const Move move = tree_.edges(node)[slot].move();
    const bool untried = slot == node.child_count;
    Child& child = untried ? tree_.add_child(node) : tree_.children(node)[slot];
    ++child.in_flight;
    steps_.push_back({at, static_cast<std::uint32_t>(slot)});
    if (untried) {
      line_.push_back(line_.back().after(move));
      end = open(child, out);
      break;
    }
    // A proven draw is visited, at no cost, as often as its value deserves, but not walked into.
    if (child.proof.known()) {
      end = WalkEnd::Exact;
      break;
    }
    if (tree_.node(child.node).waiting) {
      end = WalkEnd::Collision;
      break;
    }
    line_.push_back(line_.back().after(move));
    entered = &child;
    at = child.node;
    slot = kByRule;
  }

  const Step last = steps_.back();
  const Walk done{first_step, steps_.size() - first_step, child_of(last).node};
  depth_ = std::max(depth_, static_cast<int>(done.step_count));
  if (end == WalkEnd::Collision) {
    collided_.push_back(done);
    return;
  }
  ++started_;
  if (end == WalkEnd::Leaf) {
    waiting_.push_back(done);
  } else {
    back_up(steps_of(done), child_of(last).proof.value());
    steps_.resize(first_step);
  }
}

// Sees what the position behind a new child is: the end of the game, a win with the next move, or a
// leaf. A draw by repetition depends on the way to a position. The tree shares no positions between
// ways, so every node has one history, and what is proven of it is exact for that history.
SearchState::WalkEnd SearchState::open(Child& child, std::vector<Leaf>& out) {
  const Position& position = line_.back();
  if (position.is_lost()) {
    child.proof = Proof::win(1);
    return WalkEnd::Exact;
  }
  if (is_draw(line_, rules_)) {
    child.proof = Proof::draw(1);
    return WalkEnd::Exact;
  }
  Leaf& leaf = out.emplace_back();
  leaf.moves = legal_moves(position, rules_);
  if (winning_move(position, leaf.moves)) {
    out.pop_back();
    child.proof = Proof::loss(2);
    return WalkEnd::Exact;
  }
  leaf.position = position;
  leaf.repetitions = repetitions(line_);
  child.node = tree_.add_node(leaf.moves);
  return WalkEnd::Leaf;
}

std::span<const SearchState::Step> SearchState::steps_of(const Walk& walk) const {
  return std::span(steps_).subspan(walk.first_step, walk.step_count);
}

Child& SearchState::child_of(const Step& step) {
  return tree_.children(tree_.node(step.node))[step.slot];
}

// Adds a value, for the side that made the last step, to all steps of a walk and to the entrance.
// Where a step is proven, its node may be; then the exact value goes on up instead.
void SearchState::back_up(std::span<const Step> steps, MoverValue value) {
  for (std::size_t i = steps.size(); i-- > 0;) {
    Child& child = child_of(steps[i]);
    --child.in_flight;
    ++child.visits;
    child.value_sum += value.v;
    Child& above = i == 0 ? entrance_ : child_of(steps[i - 1]);
    if (child.proof.known() && !above.proof.known()) {
      const Proof proof = tree_.proof_of(tree_.node(steps[i].node));
      above.proof = proof.one_ply_before();
      if (proof.known()) value = proof.value();
    }
    value = value.flipped();
  }
  --entrance_.in_flight;
  ++entrance_.visits;
  entrance_.value_sum += value.v;
}

void SearchState::call_off(std::span<const Step> steps) {
  for (const Step& step : steps) --child_of(step).in_flight;
  --entrance_.in_flight;
}

void SearchState::apply(std::span<const Evaluation> evaluations) {
  assert(evaluations.size() == waiting_.size());
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    check(evaluations[i], tree_.edges(tree_.node(waiting_[i].node)).size());
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const Walk& walk = waiting_[i];
    const MoverValue value = evaluations[i].wdl.value();
    if (walk.node == Tree::kRoot) {
      evaluate_root(evaluations[i]);
    } else {
      tree_.evaluate(walk.node, value, evaluations[i].priors);
    }
    back_up(steps_of(walk), value.flipped());
  }
  waiting_.clear();
}

void SearchState::evaluate_root(const Evaluation& evaluation) {
  root_evaluation_ = evaluation;
  Rng rng(derive_seed({seed_, 0}));
  if (config_.is_gumbel()) gumbel_.start(config_, evaluation.priors, rng);
  tree_.evaluate(Tree::kRoot, evaluation.wdl.value(), exploring_priors(rng));
  Node& root = tree_.node(Tree::kRoot);
  for (int i = 0; i < moves_.size(); ++i) {
    if (!proofs_[static_cast<std::size_t>(i)].known()) continue;
    tree_.bring_forward(root, moves_[i]);
    tree_.add_child(root).proof = proofs_[static_cast<std::size_t>(i)];
  }
}

// The root's priors as the search uses them: flattened, and with noise.
std::vector<float> SearchState::exploring_priors(Rng& rng) const {
  std::vector<float> priors = root_evaluation_->priors;
  if (config_.is_gumbel()) return priors;
  apply_temperature(priors, config_.root_policy_temperature);
  if (config_.root_noise_weight > 0.0) {
    const int n = static_cast<int>(priors.size());
    const auto noise = dirichlet(n, noise_alpha(config_.root_noise_total, n), rng);
    for (std::size_t i = 0; i < priors.size(); ++i)
      priors[i] =
          static_cast<float>(with_noise(priors[i], noise[i], config_.root_noise_weight));
  }
  return priors;
}

Search::Search(const SearchConfig& config) {
  if (const auto checked = config.check(); !checked) throw UsageError(checked.error().message);
  state_ = std::make_unique<SearchState>(config);
}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

void Search::start(const Game& game, std::uint64_t seed) { state_->start(game, seed); }
int Search::gather(std::vector<Leaf>& out, int most) { return state_->gather(out, most); }
void Search::apply(std::span<const Evaluation> evaluations) { state_->apply(evaluations); }
bool Search::done() const { return state_->done(); }
SearchResult Search::result() const { return state_->result(); }
std::string Search::tree_text() const { return state_->tree_text(); }
std::size_t Search::bytes_held() const { return state_->bytes_held(); }

void run_in_lock_step(std::span<Search* const> searches, Evaluator& evaluator, int leaves_each) {
  std::vector<Leaf> leaves;
  std::vector<const Leaf*> pointers;
  std::vector<Evaluation> evaluations;
  std::vector<int> counts(searches.size());
  for (;;) {
    leaves.clear();
    for (std::size_t i = 0; i < searches.size(); ++i)
      counts[i] = searches[i]->gather(leaves, leaves_each);
    if (leaves.empty()) return;
    pointers.clear();
    for (const Leaf& leaf : leaves) pointers.push_back(&leaf);
    if (evaluations.size() < leaves.size()) evaluations.resize(leaves.size());
    std::span<const Evaluation> left = std::span(evaluations).first(leaves.size());
    evaluator.evaluate(pointers, std::span(evaluations).first(leaves.size()));
    for (std::size_t i = 0; i < searches.size(); ++i) {
      const auto n = static_cast<std::size_t>(counts[i]);
      searches[i]->apply(left.first(n));
      left = left.subspan(n);
    }
  }
}

}  // namespace gounki::mcts
