#include "mcts/tree.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "core/random.h"

namespace gounki::mcts {
namespace {

MoveList moves_of(int n, Rng& rng) {
  std::set<int> indices;
  while (static_cast<int>(indices.size()) < n)
    indices.insert(static_cast<int>(rng.below(Move::kIndices)));
  MoveList out;
  for (const int index : indices) out.add(Move::from_index(index));
  return out;
}

std::vector<float> priors_of(int n, Rng& rng) {
  std::vector<float> out;
  float total = 0.0f;
  for (int i = 0; i < n; ++i) {
    // A quarter share their prior with others.
    out.push_back(rng.below(4) == 0 ? 1.0f : static_cast<float>(std::exp(2.0 * rng.normal())));
    total += out.back();
  }
  for (float& prior : out) prior /= total;
  return out;
}

TEST_CASE("an edge keeps its move and three digits of its prior") {
  for (int index = 0; index < Move::kIndices; ++index)
    CHECK(Edge(Move::from_index(index), 0.1f).move().index() == index);
  for (float prior = 1.0f; prior > 1e-9f; prior *= 0.97f)
    CHECK(Edge(Move(), prior).prior() == Approx(prior).epsilon(2.5e-4));
  CHECK(Edge(Move(), 1.0f).prior() == 1.0f);
  CHECK(Edge(Move(), 1.5f).prior() == 1.0f);
  CHECK(Edge(Move(), 0.0f).prior() == 0.0f);
  CHECK(Edge(Move(), 1e-12f).prior() == 0.0f);
  CHECK(Edge(Move(), -1.0f).prior() == 0.0f);
}

TEST_CASE("children come in the order of their priors, equal priors by policy index") {
  Rng rng(1);
  Tree tree;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = static_cast<int>(1 + rng.below(MoveList::kCapacity - 1));
    const MoveList moves = moves_of(n, rng);
    const std::vector<float> priors = priors_of(n, rng);
    const std::uint32_t index = tree.add_node(moves);
    CHECK(tree.node(index).waiting);
    tree.evaluate(index, {0.25f}, priors);
    CHECK_FALSE(tree.node(index).waiting);
    CHECK(tree.node(index).value == 0.25f);

    std::vector<Edge> expected;
    for (int i = 0; i < n; ++i) expected.push_back(Edge(moves[i], priors[i]));
    std::sort(expected.begin(), expected.end(), std::greater<>());
    std::vector<const Child*> addresses;
    for (int i = 0; i < n; ++i) {
      Child* child = tree.add_child(tree.node(index));
      REQUIRE(child != nullptr);
      CHECK(child->visits == 0);
      child->visits = static_cast<std::uint32_t>(i + 1);
      addresses.push_back(child);
    }
    // Children never move.
    const auto children = tree.children(tree.node(index));
    REQUIRE(children.size() == n);
    int i = 0;
    for (const Child& child : children) {
      const auto at = static_cast<std::size_t>(i);
      CHECK(tree.edges(tree.node(index))[at] == expected[at]);
      CHECK(&child == addresses[at]);
      CHECK(&children[i] == addresses[at]);
      CHECK(child.visits == static_cast<std::uint32_t>(++i));
    }
    CHECK(i == n);
    if (trial % 50 == 49) tree.clear();
  }
}

TEST_CASE("a move brought forward becomes the next child") {
  Rng rng(2);
  Tree tree;
  const MoveList moves = moves_of(20, rng);
  const std::uint32_t index = tree.add_node(moves);
  tree.evaluate(index, {}, priors_of(20, rng));
  for (const int wanted : {13, 2, 19, 0}) {
    Node& node = tree.node(index);
    tree.bring_forward(node, moves[wanted]);
    REQUIRE(tree.add_child(node) != nullptr);
    CHECK(tree.edges(node)[static_cast<std::size_t>(node.child_count) - 1].move() == moves[wanted]);
  }
  // The rest is still complete, with the best of it first.
  const Node& node = tree.node(index);
  std::set<int> seen;
  for (const Edge edge : tree.edges(node)) seen.insert(edge.move().index());
  CHECK(seen.size() == 20);
  const auto rest = tree.edges(node).subspan(node.child_count);
  CHECK(rest[0] == *std::max_element(rest.begin(), rest.end()));
}

// Adds `nodes` nodes with `edges` moves and `children` children each; the nodes' numbers.
std::vector<std::uint32_t> grow(Tree& tree, int nodes, int edges, int children, Rng& rng) {
  std::vector<std::uint32_t> out;
  for (int i = 0; i < nodes && !tree.full(); ++i) {
    const MoveList moves = moves_of(edges, rng);
    const std::uint32_t index = tree.add_node(moves);
    if (index == Tree::kNone) break;
    out.push_back(index);
    tree.evaluate(index, {}, priors_of(edges, rng));
    for (int slot = 0; slot < children; ++slot)
      if (tree.add_child(tree.node(index)) == nullptr) break;
  }
  return out;
}

TEST_CASE("memory is kept when the tree is cleared") {
  Tree tree;
  std::size_t held = 0;
  for (int round = 0; round < 5; ++round) {
    Rng rng(4);
    tree.clear();
    CHECK(tree.node_count() == 0);
    grow(tree, 500, 40, 40, rng);
    CHECK(tree.node_count() == 500);
    if (round == 0) held = tree.bytes_held();
    CHECK(tree.bytes_held() == held);
  }
  CHECK(held < 500u * (sizeof(Node) + 40 * sizeof(Edge) + 42 * sizeof(Child)) + 3 * 32768);
}

TEST_CASE("a tree with a memory limit stays within it and says that it is full") {
  Rng rng(6);
  Tree tree;
  tree.set_memory_limit(1 << 20);
  const auto nodes = grow(tree, 100'000, 40, 5, rng);
  CHECK(tree.full());
  CHECK(tree.bytes_held() <= 1 << 20);
  CHECK(nodes.size() > 2000);
  tree.clear();
  CHECK_FALSE(tree.full());
  CHECK(grow(tree, 10, 40, 5, rng).size() == 10);
}

TEST_CASE("what is pruned from a tree makes room for what grows again") {
  Rng rng(7);
  Tree tree;
  std::uint32_t root = grow(tree, 1, 30, 20, rng)[0];
  std::size_t held = 0;
  for (int round = 0; round < 30; ++round) {
    // Twenty nodes below the root, each with some below it; then the third child becomes the root.
    int total = 1;
    std::vector<Child*> children;
    for (Child& child : tree.children(tree.node(root))) children.push_back(&child);
    for (Child* child : children) {
      const int edges = static_cast<int>(20 + rng.below(30));
      const std::uint32_t index = grow(tree, 1, edges, 20, rng)[0];
      child->node = index;
      for (Child& below : tree.children(tree.node(index))) {
        if (rng.below(2) == 0) continue;
        below.node = grow(tree, 1, static_cast<int>(20 + rng.below(30)), 2, rng)[0];
        total += 1;
      }
      total += 1;
    }
    CHECK(tree.node_count() == total);
    const std::uint32_t kept = children[2]->node;
    const std::vector<Edge> edges(tree.edges(tree.node(kept)).begin(),
                                  tree.edges(tree.node(kept)).end());
    int kept_nodes = 1;
    for (const Child& below : tree.children(tree.node(kept)))
      kept_nodes += below.node != Child::kNoNode;
    tree.keep_only(root, kept);
    CHECK(tree.node_count() == kept_nodes);
    const auto after = tree.edges(tree.node(kept));
    CHECK(std::equal(edges.begin(), edges.end(), after.begin(), after.end()));
    // Nodes a level further down start afresh.
    for (Child& below : tree.children(tree.node(kept))) {
      if (below.node != Child::kNoNode) tree.keep_only(below.node, Tree::kNone);
      below.node = Child::kNoNode;
    }
    root = kept;
    if (round == 5) held = tree.bytes_held();
    if (round > 5) CHECK(tree.bytes_held() <= held + 2 * 32768);
  }
}

TEST_CASE("new priors reorder the moves that were not tried") {
  Rng rng(8);
  Tree tree;
  const MoveList moves = moves_of(25, rng);
  Node& node = tree.node(tree.add_node(moves));
  tree.evaluate(0, {}, priors_of(25, rng));
  for (int slot = 0; slot < 6; ++slot) tree.add_child(node);
  const std::vector<Edge> before(tree.edges(node).begin(), tree.edges(node).end());
  const std::vector<float> priors = priors_of(25, rng);
  tree.set_priors(node, moves, priors);
  const auto edges = tree.edges(node);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto* move = std::find(moves.begin(), moves.end(), edges[i].move());
    CHECK(edges[i] == Edge(*move, priors[static_cast<std::size_t>(move - moves.begin())]));
    if (i < 6) CHECK(edges[i].move() == before[i].move());
    if (i > 6) CHECK(edges[i] < edges[6]);
  }
}

}  // namespace
}  // namespace gounki::mcts
