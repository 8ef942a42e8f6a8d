#include "mcts/select.h"

#include <catch2/catch.hpp>
#include <cmath>

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

Scene random_scene(Rng& rng, bool in_flight) {
  Scene scene;
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
  scene.tree.add_node(moves);
  const float value = static_cast<float>(2.0 * rng.uniform() - 1.0);
  scene.tree.evaluate(0, {value}, priors);
  scene.entered.visits = 1;
  scene.entered.in_flight = 1;
  scene.entered.value_sum = -value;
  const int children = static_cast<int>(rng.below(static_cast<std::uint64_t>(n + 1)));
  for (int i = 0; i < children; ++i) {
    Child& child = scene.tree.add_child(scene.tree.node(0));
    child.visits = static_cast<std::uint32_t>(1 + rng.below(20));
    child.value_sum = child.visits * (2.0 * rng.uniform() - 1.0);
    // The first child is never lost, so a move is left.
    if (i > 0 && rng.below(5) == 0) child.proof = Proof::loss(2);
    if (rng.below(8) == 0) child.proof = Proof::draw(1);
    if (in_flight && !child.proof.known())
      child.in_flight = static_cast<std::uint16_t>(rng.below(3));
    scene.entered.visits += child.visits;
    scene.entered.in_flight = static_cast<std::uint16_t>(scene.entered.in_flight + child.in_flight);
    scene.entered.value_sum -= child.value_sum;
  }
  return scene;
}

// The rule written out over all moves, without the order that the tree keeps.
int puct_by_definition(const Scene& scene, const SearchConfig& config) {
  const Node& node = scene.node();
  const auto children = scene.tree.children(node);
  double visits = 0.0, mass = 0.0;
  for (const Child& child : children) {
    visits += child.visits + child.in_flight;
    mass += child.prior;
  }
  const double cpuct =
      cpuct_at(config.cpuct, config.cpuct_growth, config.cpuct_growth_base, visits);
  const double parent = -scene.entered.value_sum / scene.entered.visits;
  int best = -1;
  double best_score = -1e9;
  for (int i = 0; i < node.edge_count; ++i) {
    const bool tried = i < node.child_count;
    if (tried && children[i].proof.is_loss()) continue;
    double q = first_play_value(parent, config.fpu_reduction, mass), n = 0.0;
    if (tried) {
      const Child& child = children[i];
      n = child.visits + child.in_flight;
      const double lost = config.virtual_loss * child.in_flight;
      q = child.proof.is_draw() ? 0.0 : (child.value_sum - lost) / (child.visits + lost);
    }
    const double score =
        q + cpuct * std::sqrt(visits) * scene.tree.edges(node)[i].prior() / (1.0 + n);
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
    const Scene scene = random_scene(rng, trial % 2 == 1);
    CHECK(select_puct(scene.tree, scene.node(), scene.entered, config) ==
          puct_by_definition(scene, config));
  }
}

TEST_CASE("below a Gumbel root visits go where the improved policy lacks them most") {
  Rng rng(2);
  SearchConfig config;
  for (int trial = 0; trial < 3000; ++trial) {
    const Scene scene = random_scene(rng, false);
    const Node& node = scene.node();
    std::vector<Arm> arms;
    int visits = 0;
    for (int i = 0; i < node.edge_count; ++i) {
      Arm arm{scene.tree.edges(node)[i].prior(), 0.0, 0};
      if (i < node.child_count) {
        const Child& child = scene.tree.children(node)[i];
        arm.q = child.q();
        arm.visits = static_cast<int>(child.visits);
        visits += arm.visits;
      }
      arms.push_back(arm);
    }
    const std::vector<double> policy =
        improved_policy(arms, node.value, config.gumbel_c_visit, config.gumbel_c_scale);
    const int chosen = select_gumbel(scene.tree, node, config);
    const auto lack = [&](int i) { return policy[i] - arms[i].visits / (1.0 + visits); };
    double most = -1e9;
    for (int i = 0; i < node.edge_count; ++i)
      if (i >= node.child_count || !scene.tree.children(node)[i].proof.is_loss())
        most = std::max(most, lack(i));
    REQUIRE(chosen < node.edge_count);
    // Packed priors sum to 1 only to three digits, which the two ways of summing see differently.
    CHECK(lack(chosen) == Approx(most).margin(2e-3));
    if (chosen < node.child_count) CHECK_FALSE(scene.tree.children(node)[chosen].proof.is_loss());
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
  CHECK(select_puct(tree, tree.node(0), entered, {}) == 0);
  CHECK(select_gumbel(tree, tree.node(0), {}) == 0);
  CHECK(tree.edges(tree.node(0))[0].move() == Move::from_index(1));
}

}  // namespace
}  // namespace gounki::mcts
