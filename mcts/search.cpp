#include "mcts/search.h"

#include <algorithm>
#include <cassert>

#include "mcts/formulas.h"
#include "mcts/search_state.h"
#include "mcts/walker.h"

namespace gounki::mcts {
namespace {

// The game's last positions that may come again: those since its last capture or forward step.
Line line_of(const Game& game) {
  const auto& positions = game.positions();
  const auto quiet = static_cast<std::size_t>(game.position().quiet_plies());
  const auto tail = std::min(positions.size(), quiet + 1);
  return Line(positions.end() - static_cast<std::ptrdiff_t>(tail), positions.end());
}

// Whether the line is what led to the game's position `plies_ago`.
bool came_by(const Line& line, const Game& game, std::size_t plies_ago) {
  const auto& positions = game.positions();
  if (positions.size() < plies_ago + line.size()) return false;
  return std::equal(line.rbegin(), line.rend(),
                    positions.rbegin() + static_cast<std::ptrdiff_t>(plies_ago));
}

MoveList allowed(const MoveList& legal, const std::vector<Move>& wanted) {
  for (const Move move : wanted)
    if (std::find(legal.begin(), legal.end(), move) == legal.end())
      throw UsageError("a move to search is not legal here");
  if (wanted.empty()) return legal;
  MoveList out;
  for (const Move move : legal)
    if (std::find(wanted.begin(), wanted.end(), move) != wanted.end()) out.add(move);
  return out;
}

}  // namespace

SearchState::SearchState(const SearchConfig& config, int workers)
    : config(config), tree(workers) {
  tree.set_memory_limit(static_cast<std::size_t>(config.memory_mb) << 20);
  for (int i = 0; i < workers; ++i) walkers.push_back(std::make_unique<Walker>(*this, i));
}
SearchState::~SearchState() = default;

void SearchState::start(const Game& game, std::uint64_t new_seed, const Task& task) {
  const MoveList allowed_moves = allowed(game.legal_moves(), task.moves);
  tree.clear();
  entrance.reset();
  set_task(game, new_seed, task);
  moves = allowed_moves;
  all_moves = task.moves.empty();
  entrance.node = tree.add_node(moves);
  prove_root_moves();
}

std::int64_t SearchState::resume(const Game& game, std::uint64_t new_seed, const Task& task) {
  if (config.is_gumbel() || !task.moves.empty() || !find_in_tree(game)) {
    start(game, new_seed, task);
    return 0;
  }
  set_task(game, new_seed, task);
  moves = game.legal_moves();
  all_moves = true;
  started = entrance.visits - 1;
  prove_root_moves();
  return started;
}

void SearchState::set_task(const Game& game, std::uint64_t new_seed, const Task& task) {
  assert(!game.is_over());
  rules = game.rules();
  seed = new_seed;
  visit_limit = task.visits > 0 ? task.visits : config.visits;
  node_limit = task.nodes > 0 ? task.nodes : config.nodes;
  line_to_root = line_of(game);
  root_evaluation.reset();
  root_taken = root_ready = false;
  started = 0;
  stopped = false;
  for (const auto& walker : walkers) walker->start();
}

void SearchState::prove_root_moves() {
  proofs.assign(static_cast<std::size_t>(moves.size()), Proof());
  if (!config.prove) return;
  proofs = look_ahead(line_to_root, moves, rules);
  // Together with what a tree that was kept has proven of other moves.
  if (!entrance.proven().known()) entrance.proof = proven_by(root_arms()).one_ply_before();
}

// Makes the node of the game's position the root, if the tree has it.
bool SearchState::find_in_tree(const Game& game) {
  const bool searched = entrance.visits > 0 && all_moves && rules == game.rules();
  if (!searched || entrance.in_flight > 0) return false;
  std::size_t plies = 0;
  while (plies <= 2 && !came_by(line_to_root, game, plies)) ++plies;
  if (plies > 2) return false;

  const std::uint32_t root_index = entrance.node;
  const Child* found = &entrance;
  for (std::size_t i = game.moves().size() - plies; i < game.moves().size(); ++i) {
    const Node& node = tree.node(found->node);
    const auto edges = tree.edges(node).first(static_cast<std::size_t>(node.tried()));
    const auto edge = std::find_if(edges.begin(), edges.end(),
                                   [&](Edge e) { return e.move() == game.moves()[i]; });
    if (edge == edges.end()) return false;
    found = &tree.children(node)[static_cast<int>(edge - edges.begin())];
    if (found->node >= Child::kNoRoom) return false;
  }
  if (plies == 0) return true;
  entrance.copy_from(*found);
  tree.keep_only(root_index, entrance.node);
  return true;
}

bool SearchState::may_walk() const {
  if (entrance.proven().known() || stopped.load(std::memory_order_relaxed)) return false;
  if (!root_ready.load(std::memory_order_acquire)) return true;
  return started.load(std::memory_order_relaxed) < visit_limit &&
         (node_limit == 0 || tree.node_count() < node_limit);
}

bool SearchState::done() const { return entrance.in_flight == 0 && !may_walk(); }

int SearchState::reserve(int wanted) {
  if (node_limit > 0)
    wanted = static_cast<int>(std::clamp<std::int64_t>(node_limit - tree.node_count(), 0, wanted));
  const std::int64_t before = started.fetch_add(wanted, std::memory_order_relaxed);
  const auto granted =
      static_cast<int>(std::clamp<std::int64_t>(visit_limit - before, 0, wanted));
  give_back(wanted - granted);
  return granted;
}

void SearchState::evaluate_root(const Evaluation& evaluation) {
  const std::lock_guard lock(root_mutex);
  root_evaluation = evaluation;
  Rng rng(derive_seed({seed, 0}));
  if (config.is_gumbel()) gumbel.start(config, evaluation.priors, tree.shared(), rng);
  if (root().is_waiting())
    tree.evaluate(entrance.node, evaluation.wdl.value(), exploring_priors(rng));
  else
    tree.set_priors(root(), moves, exploring_priors(rng));
  for (int i = 0; i < moves.size(); ++i) {
    const Proof proof = proofs[static_cast<std::size_t>(i)];
    if (!proof.known()) continue;
    bool made = false;
    Child* child = walkers[0]->root_child(i, made);
    if (child == nullptr) return;
    if (made) child->in_flight.set(0);
    child->proof = proof;
  }
}

void SearchState::plan_round() {
  // A search without an end halves as one of so many visits does, and then compares the last two.
  constexpr std::int64_t kLongest = 100'000;
  gumbel.plan_round(root_arms(), root().value,
                    static_cast<int>(std::min(visit_limit - started, kLongest)));
}

// The root's priors as the search uses them: flattened, and with noise.
std::vector<float> SearchState::exploring_priors(Rng& rng) const {
  std::vector<float> priors = root_evaluation->priors;
  if (config.is_gumbel()) return priors;
  apply_temperature(priors, config.root_policy_temperature);
  if (config.root_noise_weight > 0.0) {
    const int n = static_cast<int>(priors.size());
    const auto noise = dirichlet(n, noise_alpha(config.root_noise_total, n), rng);
    for (std::size_t i = 0; i < priors.size(); ++i)
      priors[i] = static_cast<float>(with_noise(priors[i], noise[i], config.root_noise_weight));
  }
  return priors;
}

Search::Search(const SearchConfig& config, int workers) {
  if (const auto checked = config.check(); !checked) throw UsageError(checked.error().message);
  state_ = std::make_unique<SearchState>(config, workers);
}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

void Search::start(const Game& game, std::uint64_t seed, const Task& task) {
  state_->start(game, seed, task);
}
std::int64_t Search::resume(const Game& game, std::uint64_t seed, const Task& task) {
  return state_->resume(game, seed, task);
}
int Search::gather(std::vector<Leaf>& out, int most, int worker) {
  return state_->walkers[static_cast<std::size_t>(worker)]->gather(out, most);
}
void Search::apply(std::span<const Evaluation> evaluations, int worker) {
  state_->walkers[static_cast<std::size_t>(worker)]->apply(evaluations);
}
bool Search::done() const { return state_->done(); }
void Search::stop() { state_->stopped = true; }
SearchResult Search::result(int lines) const { return state_->result(lines); }
SearchProgress Search::progress() const { return state_->progress(); }
std::string Search::tree_text() const { return state_->tree_text(); }
std::size_t Search::bytes_held() const { return state_->tree.bytes_held(); }

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
