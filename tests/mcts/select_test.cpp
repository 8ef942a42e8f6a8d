#include "mcts/select.h"

#include <catch2/catch.hpp>
#include <array>
#include <cmath>
#include <memory>

#include "core/random.h"
#include "mcts/formulas.h"
#include "mcts/gumbel.h"

namespace gounki::mcts {
namespace {

// A node with some children, and the child that leads to it.
struct Scene {
  Tree tree;
  Child entered;
  const Node& node() const { return tree.node(0); }
};

void set_values(Child& child, double mean, double square) {
  child.value_sum = child.visits * mean;
  child.square_sum = child.visits * square;
}

std::unique_ptr<Scene> random_scene(Rng& rng, bool in_flight) {
  auto scene = std::make_unique<Scene>();
  const int n = static_cast<int>(1 + rng.below(30));
  MoveList moves;
  std::vector<float> priors;
  float total = 0.0f;
  for (int i = 0; i < n; ++i) {
    moves.add(Move::from_index(i));
    priors.push_back(static_cast<float>(std::exp(1.5 * rng.normal())));
    total += priors.back();
  }
  for (float& prior : priors) prior /= total;
  scene->tree.add_node(moves);
  const float value = static_cast<float>(2.0 * rng.uniform() - 1.0);
  scene->tree.evaluate(0, {value}, priors);
  Child& entered = scene->entered;
  entered.visits = entered.in_flight = 1;
  entered.value_sum = -value;
  entered.square_sum = value * value;
  const int children = static_cast<int>(rng.below(static_cast<std::uint64_t>(n + 1)));
  for (int i = 0; i < children; ++i) {
    Child& child = *scene->tree.add_child(scene->tree.node(0));
    child.visits = static_cast<std::uint32_t>(1 + rng.below(20));
    set_values(child, 2.0 * rng.uniform() - 1.0, 1.0);
    // The first child is never lost, so a move is left.
    if (i > 0 && rng.below(5) == 0) child.proof = Proof::loss(2);
    if (rng.below(8) == 0) child.proof = Proof::draw(1);
    if (in_flight && !child.proof.known())
      child.in_flight = static_cast<std::uint16_t>(rng.below(3));
    entered.visits += child.visits;
    entered.in_flight = static_cast<std::uint16_t>(entered.in_flight + child.in_flight);
    entered.value_sum -= child.value_sum;
    entered.square_sum += child.square_sum;
  }
  return scene;
}

int select_puct(const Scene& scene, const SearchConfig& config, double forced = 0.0,
                bool may_grow = true) {
  return PuctChoice(scene.tree, scene.node(), scene.entered, 1, forced, config)
      .only(may_grow);
}

// The rule written out over all moves, without the order that the tree keeps.
int puct_by_definition(const Scene& scene, const SearchConfig& config, double forced = 0.0,
                       bool may_grow = true) {
  const Node& node = scene.node();
  const auto children = scene.tree.children(node);
  const auto edges = scene.tree.edges(node);
  const int tried = children.size();
  double visits = 0.0, mass = 0.0;
  for (int i = 0; i < tried; ++i) {
    visits += children[i].visits + children[i].in_flight;
    mass += edges[static_cast<std::size_t>(i)].prior();
  }
  const Child& entered = scene.entered;
  const double stdev = std::sqrt(value_variance(
      entered.value_sum, entered.square_sum, entered.visits,
      config.cpuct_stdev_prior * config.cpuct_stdev_prior, config.cpuct_stdev_weight));
  const double cpuct =
      cpuct_at(config.cpuct, config.cpuct_growth, config.cpuct_growth_base, visits) *
      exploration_factor(stdev, config.cpuct_stdev_prior, config.cpuct_stdev_scale);
  const double parent = -entered.value_sum / entered.visits;
  int best = kNoMove;
  double best_score = -1e9;
  for (int i = 0; i < (may_grow ? node.edge_count : tried); ++i) {
    if (i < tried && children[i].proof.is_loss()) continue;
    const double prior = edges[static_cast<std::size_t>(i)].prior();
    double q = first_play_value(parent, config.fpu_reduction, mass), n = 0.0;
    bool owed = false;
    if (i < tried) {
      const Child& child = children[i];
      n = child.visits + child.in_flight;
      const double lost = config.virtual_loss * child.in_flight;
      q = child.proof.is_draw() ? 0.0 : (child.value_sum - lost) / (child.visits + lost);
      owed = n < std::sqrt(forced * prior * visits);
    }
    const double score = q + cpuct * std::sqrt(visits) * prior / (1.0 + n) + (owed ? 1000.0 : 0.0);
    if (score > best_score + 1e-12) {
      best_score = score;
      best = i;
    }
  }
  return best;
}

TEST_CASE("PUCT takes the move that its formula says") {
  Rng rng(1);
  SearchConfig config;
  config.virtual_loss = 1.5;
  for (int trial = 0; trial < 3000; ++trial) {
    const auto scene = random_scene(rng, trial % 2 == 1);
    config.cpuct_stdev_scale = trial % 3 == 0 ? 0.0 : 0.85;
    CHECK(select_puct(*scene, config) == puct_by_definition(*scene, config));
    CHECK(select_puct(*scene, config, 2.0) == puct_by_definition(*scene, config, 2.0));
    CHECK(select_puct(*scene, config, 0.0, false) ==
          puct_by_definition(*scene, config, 0.0, false));
  }
}

TEST_CASE("walks that choose together choose as each alone would with their exploration") {
  Rng rng(5);
  SearchConfig config;
  for (int trial = 0; trial < 500; ++trial) {
    config.cpuct_stdev_scale = trial % 2 == 0 ? 0.0 : 0.85;
    const double forced = trial % 5 == 0 ? 2.0 : 0.0;
    const auto scene = random_scene(rng, trial % 2 == 1);
    Tree& tree = scene->tree;
    Node& node = tree.node(0);
    const int walks = static_cast<int>(3 + 2 * rng.below(6));
    scene->entered.in_flight = static_cast<std::uint16_t>(scene->entered.in_flight + walks - 1);
    PuctChoice together(tree, node, scene->entered, walks, forced, config);
    together.begin();
    for (int i = 0; i < walks; ++i) {
      const int slot = together.next(true);
      REQUIRE(slot == PuctChoice(tree, node, scene->entered, walks, forced, config).only(true));
      if (slot == kNoMove) break;
      if (slot == node.child_count) tree.add_child(node);
      Child& child = tree.children(node)[slot];
      ++child.in_flight;
      together.changed(slot, child);
    }
  }
}

TEST_CASE("below a Gumbel root visits go where the improved policy lacks them most") {
  Rng rng(2);
  SearchConfig config;
  for (int trial = 0; trial < 3000; ++trial) {
    const auto made = random_scene(rng, false);
    const Scene& scene = *made;
    const Node& node = scene.node();
    const int tried = node.child_count;
    std::vector<Arm> arms;
    int visits = 0;
    for (int i = 0; i < node.edge_count; ++i) {
      Arm arm{scene.tree.edges(node)[i].prior(), 0.0, 0};
      if (i < tried) {
        const Child& child = scene.tree.children(node)[i];
        arm.q = child.q();
        arm.visits = static_cast<int>(child.visits);
        visits += arm.visits;
      }
      arms.push_back(arm);
    }
    const auto policy =
        improved_policy(arms, node.value, config.value_weight());
    const int chosen = select_gumbel(scene.tree, node, true, config);
    const auto lack = [&](int i) { return policy[i] - arms[i].visits / (1.0 + visits); };
    double most = -1e9;
    for (int i = 0; i < node.edge_count; ++i)
      if (i >= tried || !scene.tree.children(node)[i].proof.is_loss())
        most = std::max(most, lack(i));
    REQUIRE(chosen < node.edge_count);
    // Packed priors sum to 1 only to three digits, which the two ways of summing see differently.
    CHECK(lack(chosen) == Approx(most).margin(2e-3));
    if (chosen < tried) CHECK_FALSE(scene.tree.children(node)[chosen].proof.is_loss());
  }
}

TEST_CASE("a node without children starts with its best prior") {
  Tree tree;
  MoveList moves;
  for (int i = 0; i < 3; ++i) moves.add(Move::from_index(i));
  tree.add_node(moves);
  tree.evaluate(0, {0.5f}, std::vector<float>{0.2f, 0.5f, 0.3f});
  Child entered;
  entered.visits = entered.in_flight = 1;
  entered.value_sum = -0.5;
  entered.square_sum = 0.25;
  const SearchConfig config;
  CHECK(PuctChoice(tree, tree.node(0), entered, 1, 0.0, config).only(true) == 0);
  CHECK(PuctChoice(tree, tree.node(0), entered, 1, 0.0, config).only(false) == kNoMove);
  CHECK(select_gumbel(tree, tree.node(0), true, config) == 0);
  CHECK(select_gumbel(tree, tree.node(0), false, config) == kNoMove);
  CHECK(tree.edges(tree.node(0))[0].move() == Move::from_index(1));
}

}  // namespace
}  // namespace gounki::mcts
