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
    for (int i = 0; i < n; ++i) {
      Child& child = tree.add_child(tree.node(index));
      CHECK(child.visits == 0);
      child.visits = static_cast<std::uint32_t>(i + 1);
    }
    // Growing has kept what the children knew.
    const auto children = tree.children(tree.node(index));
    REQUIRE(static_cast<int>(children.size()) == n);
    for (int i = 0; i < n; ++i) {
      CHECK(tree.edges(tree.node(index))[i] == expected[i]);
      CHECK(children[i].prior == expected[i].prior());
      CHECK(children[i].visits == static_cast<std::uint32_t>(i + 1));
    }
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
    tree.bring_forward(tree.node(index), moves[wanted]);
    tree.add_child(tree.node(index));
    const Node& node = tree.node(index);
    CHECK(tree.edges(node)[node.child_count - 1].move() == moves[wanted]);
  }
  // The rest is still complete, with the best of it first.
  const Node& node = tree.node(index);
  std::set<int> seen;
  for (const Edge edge : tree.edges(node)) seen.insert(edge.move().index());
  CHECK(seen.size() == 20);
  const auto rest = tree.edges(node).subspan(node.child_count);
  CHECK(rest[0] == *std::max_element(rest.begin(), rest.end()));
}

TEST_CASE("memory is kept when the tree is cleared, and outgrown blocks are used again") {
  Rng rng(3);
  Tree tree;
  std::size_t held = 0;
  for (int round = 0; round < 5; ++round) {
    Rng same(4);
    tree.clear();
    CHECK(tree.node_count() == 0);
    for (int i = 0; i < 500; ++i) {
      const MoveList moves = moves_of(40, same);
      const std::uint32_t index = tree.add_node(moves);
      tree.evaluate(index, {}, priors_of(40, same));
      for (int child = 0; child < 40; ++child) tree.add_child(tree.node(index));
    }
    CHECK(tree.node_count() == 500);
    if (round == 0) held = tree.bytes_held();
    CHECK(tree.bytes_held() == held);
  }
  // 500 nodes with 64 places for children each; what they grew out of was used by later ones.
  CHECK(held < 500u * (sizeof(Node) + 40 * sizeof(Edge) + 70 * sizeof(Child)) + 3 * 32768);
}

TEST_CASE("a pool's elements lie side by side and never move") {
  Pool<int> pool;
  Rng rng(5);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks;
  std::vector<int*> addresses;
  for (int i = 0; i < 3000; ++i) {
    const auto n = static_cast<std::uint32_t>(1 + rng.below(160));
    const std::uint32_t first = pool.allocate(n);
    for (std::uint32_t k = 0; k < n; ++k) *pool.at(first + k) = i;
    CHECK(pool.at(first + n - 1) - pool.at(first) == static_cast<std::ptrdiff_t>(n - 1));
    blocks.emplace_back(first, n);
    addresses.push_back(pool.at(first));
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    CHECK(pool.at(blocks[i].first) == addresses[i]);
    for (std::uint32_t k = 0; k < blocks[i].second; ++k)
      REQUIRE(*pool.at(blocks[i].first + k) == static_cast<int>(i));
  }
}

}  // namespace
}  // namespace gounki::mcts
