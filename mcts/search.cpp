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

// Walks of a round; Child counts them in 16 bits.
constexpr int kMostWalks = 16'384;
// So many visits of the root are worth a walk more in each round.
constexpr std::uint32_t kVisitsForEachWalk = 8;
// Tasks that a worker is to have in each round, so that all can be busy to its end.
constexpr int kTasksEach = 4;

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

SearchState::SearchState(const SearchConfig& config, int worker_count)
    : rules{config, {}, {}}, tree(worker_count), planner(tree, rules, 0) {
  tree.set_memory_limit(static_cast<std::size_t>(config.memory_mb) << 20);
  for (int i = 0; i < worker_count; ++i)
    workers.push_back(std::make_unique<Walker>(tree, rules, i));
}

void SearchState::start(const Game& game, std::uint64_t new_seed, const Task& task) {
  const MoveList allowed_moves = allowed(game.legal_moves(), task.moves);
  tree.clear();
  entrance = Child();
  moves = allowed_moves;
  all_moves = task.moves.empty();
  entrance.node = tree.add_node(moves);
  set_task(game, new_seed, task);
}

std::int64_t SearchState::resume(const Game& game, std::uint64_t new_seed, const Task& task) {
  if (config().is_gumbel() || !task.moves.empty() || !find_in_tree(game)) {
    start(game, new_seed, task);
    return 0;
  }
  moves = game.legal_moves();
  set_task(game, new_seed, task);
  return visits;
}

void SearchState::set_task(const Game& game, std::uint64_t new_seed, const Task& task) {
  assert(!game.is_over());
  seed = new_seed;
  visit_limit = task.visits > 0 ? task.visits : config().visits;
  node_limit = task.nodes > 0 ? task.nodes : config().nodes;
  noise = task.noise;
  rules.rules = game.rules();
  rules.line = line_of(game);
  rules.root = entrance.node;
  root_evaluation.reset();
  visits = entrance.visits > 0 ? entrance.visits - 1 : 0;
  stopped = false;
  in_round = false;
  planner.start();
  for (const auto& worker : workers) worker->start();
  prove_root_moves();
}

void SearchState::prove_root_moves() {
  proofs.assign(static_cast<std::size_t>(moves.size()), Proof());
  if (!config().prove) return;
  proofs = look_ahead(rules.line, moves, rules.rules);
  // Together with what a tree that was kept has proven of other moves.
  if (!entrance.proof.known()) entrance.proof = proven_by(root_arms()).one_ply_before();
}

// Makes the node of the game's position the root, if the tree has it.
bool SearchState::find_in_tree(const Game& game) {
  if (entrance.visits == 0 || in_round || !all_moves || rules.rules != game.rules()) return false;
  std::size_t plies = 0;
  while (plies <= 2 && !came_by(rules.line, game, plies)) ++plies;
  if (plies > 2) return false;

  const Child* found = &entrance;
  for (std::size_t i = game.moves().size() - plies; i < game.moves().size(); ++i) {
    const Node& node = tree.node(found->node);
    const auto edges = tree.edges(node).first(node.child_count);
    const auto edge = std::find_if(edges.begin(), edges.end(),
                                   [&](Edge e) { return e.move() == game.moves()[i]; });
    if (edge == edges.end()) return false;
    found = &tree.children(node)[static_cast<int>(edge - edges.begin())];
    if (found->node >= Child::kNoRoom) return false;
  }
  if (plies == 0) return true;
  entrance = *found;
  tree.keep_only(rules.root, entrance.node);
  return true;
}

bool SearchState::may_walk() const {
  if (entrance.proof.known() || stopped.load(std::memory_order_relaxed)) return false;
  if (!root_evaluation) return true;
  return visits < visit_limit && (node_limit == 0 || tree.node_count() < node_limit);
}

// Of some walks, how many the visits allow.
int SearchState::reserve(int walks) {
  walks = static_cast<int>(std::clamp<std::int64_t>(visit_limit - visits, 0, walks));
  visits += walks;
  return walks;
}

int SearchState::plan_round(int walks, const std::function<void(int)>& ready) {
  if (in_round || walks < 1 || !may_walk()) return 0;
  in_round = true;
  tasks.clear();
  if (!root_evaluation) {
    tasks.emplace_back();  // the root's evaluation is no simulation, but the first visit of the entrance
    if (ready) ready(0);
    return 1;
  }
  // Walks that choose together see nothing of each other's values, so they are to be few beside those
  // that have gone before.
  walks = std::min(walks, kMostWalks);
  if (!config().is_gumbel())
    walks = std::min(walks, 1 + static_cast<int>(entrance.visits / kVisitsForEachWalk));
  // A walk makes one node at most.
  if (node_limit > 0)
    walks = static_cast<int>(std::min<std::int64_t>(walks, node_limit - tree.node_count()));
  const int worker_count = static_cast<int>(workers.size());
  const int grain = worker_count == 1 ? walks : std::max(1, walks / (kTasksEach * worker_count));
  tasks.reserve(static_cast<std::size_t>(walks));
  planner.begin_round(entrance, grain, tasks, ready);
  if (config().is_gumbel()) plan_gumbel(walks);
  else planner.plan(reserve(walks));
  return static_cast<int>(tasks.size());
}

void SearchState::walk_task(int task, std::vector<Leaf>& out, int worker) {
  if (root_evaluation)
    workers[static_cast<std::size_t>(worker)]->walk(tasks[static_cast<std::size_t>(task)], out);
  else
    out.push_back({root_position(), repetitions(rules.line), moves});
}

void SearchState::apply_tasks(std::span<const Evaluation> evaluations, int worker) {
  if (root_evaluation) workers[static_cast<std::size_t>(worker)]->apply(evaluations);
  else evaluate_root(evaluations[0]);
}

void SearchState::finish_round() {
  if (!in_round) return;  // none was begun: the search has ended
  in_round = false;
  if (tasks.empty() || tasks[0].walks > 0) visits -= planner.finish_round();
}

// The visits of a round of the halving go to different moves of the root, so that none depends on
// another: they can be under way together.
void SearchState::plan_gumbel(int walks) {
  if (gumbel.round_over()) {
    // A search without an end halves as one of so many visits does, and then compares the last two.
    constexpr std::int64_t kLongest = 100'000;
    gumbel.plan_round(root_arms(), root().value,
                      static_cast<int>(std::min(visit_limit - visits, kLongest)));
  }
  struct Visit {
    int move;
    Child* child;
    bool made;
    int walks;
  };
  PerMove<Visit> planned;
  while (walks > 0 && !gumbel.round_over() && reserve(1) == 1) {
    const int move = gumbel.upcoming();
    auto visit = std::find_if(planned.begin(), planned.end(),
                              [move](const Visit& v) { return v.move == move; });
    if (visit == planned.end()) {
      bool made = false;
      Child* child = root_child(move, made);
      // In a full tree the visit is spent without a trace.
      if (child != nullptr && !child->proof.is_loss()) {
        planned.push_back({move, child, made, 1});
        --walks;
      } else if (child != nullptr) {
        --visits;
      }
    } else if (visit->child->visits > 0) {
      ++visit->walks;
      --walks;
    } else {
      --visits;
      break;  // a move without an evaluation is visited once at a time
    }
    gumbel.next();
  }
  for (const Visit& visit : planned)
    planner.plan(*visit.child, moves[visit.move], visit.made, visit.walks);
}

// The child of a move of the root, made if need be. None if the tree is full.
Child* SearchState::root_child(int move, bool& made) {
  int slot = 0;
  for (Child& child : tree.children(root()))
    if (tree.edges(root())[static_cast<std::size_t>(slot++)].move() == moves[move]) return &child;
  tree.bring_forward(root(), moves[move]);
  made = true;
  return tree.add_child(root());
}

void SearchState::evaluate_root(const Evaluation& evaluation) {
  check(evaluation, static_cast<std::size_t>(moves.size()));
  root_evaluation = evaluation;
  Rng rng(derive_seed({seed, 0}));
  if (config().is_gumbel()) {
    const double scale = noise ? config().gumbel_noise : 0.0;
    gumbel.start(config(), evaluation.priors, scale, workers.size() > 1, rng);
  }
  const MoverValue value = evaluation.wdl.value();
  if (root().waiting) {
    tree.evaluate(rules.root, value, exploring_priors(rng));
    entrance.visits = 1;
    entrance.value_sum = value.flipped().v;
    entrance.square_sum = entrance.value_sum * entrance.value_sum;
  } else {
    tree.set_priors(root(), moves, exploring_priors(rng));
  }
  for (int i = 0; i < moves.size(); ++i) {
    const Proof proof = proofs[static_cast<std::size_t>(i)];
    bool made = false;
    if (Child* child = proof.known() ? root_child(i, made) : nullptr; child != nullptr)
      child->proof = proof;
  }
}

// The root's priors as the search uses them: flattened, and with noise.
std::vector<float> SearchState::exploring_priors(Rng& rng) const {
  std::vector<float> priors = root_evaluation->priors;
  if (config().is_gumbel()) return priors;
  apply_temperature(priors, config().root_policy_temperature);
  if (noise && config().root_noise_weight > 0.0) {
    const int n = static_cast<int>(priors.size());
    const auto drawn = dirichlet(n, noise_alpha(config().root_noise_total, n), rng);
    for (std::size_t i = 0; i < priors.size(); ++i)
      priors[i] = static_cast<float>(with_noise(priors[i], drawn[i], config().root_noise_weight));
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
// All tasks of a round go to one worker.
int Search::gather(std::vector<Leaf>& out, int most) {
  const std::size_t before = out.size();
  while (!state_->in_round && state_->may_walk()) {
    const int tasks = state_->plan_round(most, {});
    for (int task = 0; task < tasks; ++task) state_->walk_task(task, out, 0);
    if (out.size() > before) break;
    // All walks have ended with a result of the rules.
    if (state_->in_round) apply({});
    if (most < 1) break;
  }
  return static_cast<int>(out.size() - before);
}
void Search::apply(std::span<const Evaluation> evaluations) {
  if (!state_->in_round) return;
  state_->apply_tasks(evaluations, 0);
  state_->finish_round();
}
int Search::plan_round(int walks, const std::function<void(int)>& ready) {
  return state_->plan_round(walks, ready);
}
void Search::walk_task(int task, std::vector<Leaf>& out, int worker) {
  state_->walk_task(task, out, worker);
}
void Search::apply_tasks(std::span<const Evaluation> evaluations, int worker) {
  state_->apply_tasks(evaluations, worker);
}
void Search::finish_round() { state_->finish_round(); }
int Search::task_walks(int task) const {
  return state_->tasks[static_cast<std::size_t>(task)].walks;
}
std::uint32_t Search::task_place(int task) const {
  return state_->tasks[static_cast<std::size_t>(task)].place();
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
  std::vector<int> waiting(searches.size());
  for (;;) {
    // Each search takes its answers and gives its next leaves while its memory is in the caches.
    std::span<const Evaluation> left = std::span(evaluations).first(leaves.size());
    leaves.clear();
    for (std::size_t i = 0; i < searches.size(); ++i) {
      const auto answers = left.first(static_cast<std::size_t>(waiting[i]));
      left = left.subspan(answers.size());
      searches[i]->apply(answers);
      waiting[i] = searches[i]->gather(leaves, leaves_each);
    }
    if (leaves.empty()) return;
    pointers.clear();
    for (const Leaf& leaf : leaves) pointers.push_back(&leaf);
    if (evaluations.size() < leaves.size()) evaluations.resize(leaves.size());
    evaluator.evaluate(pointers, std::span(evaluations).first(leaves.size()));
  }
}

}  // namespace gounki::mcts
