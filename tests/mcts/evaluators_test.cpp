#include "mcts/evaluators.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "core/notation.h"
#include "mcts/endings.h"
#include "mcts/handcrafted.h"
#include "tests/mcts/positions.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

using testing::evaluate;

Leaf leaf_of(const Position& position, int repetitions = 0) {
  return {position, repetitions, legal_moves(position)};
}

bool same(const Evaluation& a, const Evaluation& b) {
  return a.wdl.win == b.wdl.win && a.wdl.draw == b.wdl.draw && a.wdl.loss == b.wdl.loss &&
         a.plies_left == b.plies_left && a.priors == b.priors;
}

std::vector<std::shared_ptr<Evaluator>> all_evaluators() {
  return {std::make_shared<UniformEvaluator>(), std::make_shared<HashEvaluator>(3),
          std::make_shared<RolloutEvaluator>(4, 3), std::make_shared<HandcraftedEvaluator>()};
}

TEST_CASE("every evaluator returns distributions, and the same in any batch") {
  std::vector<Leaf> leaves;
  for (const Position& position : testing::random_positions(100, 4))
    leaves.push_back(leaf_of(position));
  for (const auto& evaluator : all_evaluators()) {
    INFO(evaluator->name());
    const std::vector<Evaluation> batch = evaluate(*evaluator, leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Evaluation& e = batch[i];
      CHECK(same(e, evaluate(*evaluator, leaves[i])));
      CHECK(e.wdl.win + e.wdl.draw + e.wdl.loss == Approx(1.0));
      CHECK(std::min({e.wdl.win, e.wdl.draw, e.wdl.loss}) >= 0.0f);
      REQUIRE(static_cast<int>(e.priors.size()) == leaves[i].moves.size());
      CHECK(std::accumulate(e.priors.begin(), e.priors.end(), 0.0) == Approx(1.0).margin(1e-5));
      CHECK(*std::min_element(e.priors.begin(), e.priors.end()) >= 0.0f);
    }
  }
}

TEST_CASE("the hash evaluator depends on the position, its repetitions and the seed") {
  HashEvaluator evaluator(1), other_seed(2);
  const Leaf start = leaf_of(Position::start());
  const Evaluation e = evaluate(evaluator, start);
  CHECK_FALSE(same(e, evaluate(other_seed, start)));
  CHECK_FALSE(same(e, evaluate(evaluator, leaf_of(Position::start(), 1))));
  // Pinned: signatures and golden trees rest on these numbers.
  CHECK(e.priors.size() == 36);
  CHECK(e.plies_left == 3.0f);
}

TEST_CASE("rollouts take the win that is there and see a lost race") {
  RolloutEvaluator evaluator(7, 200);
  // White can leave the board now, which two of its three moves do not do.
  const Leaf exit = leaf_of(parse_position("x2,S,x5/x8/x8/x8/x8/x8/x8/s,x7 w").value());
  CHECK(evaluate(evaluator, exit).wdl.win == 1.0f);
  const Leaf ahead = leaf_of(parse_position("x8/x8/x2,R,x5/x8/r,x7/x8/x8/x8 w").value());
  CHECK(evaluate(evaluator, ahead).wdl.value().v > 0.5f);
  const Leaf behind = leaf_of(parse_position("x8/x8/x8/x8/x2,R,x5/x,rr,x6/x8/x8 b").value());
  CHECK(evaluate(evaluator, behind).wdl.value().v > 0.5f);
}

TEST_CASE("rollouts depend on the leaf and the seed alone") {
  RolloutEvaluator a(1, 5), b(2, 5);
  int differ = 0;
  for (const Position& position : testing::random_positions(30, 5)) {
    const Leaf leaf = leaf_of(position);
    CHECK(same(evaluate(a, leaf), evaluate(a, leaf)));
    differ += !same(evaluate(a, leaf), evaluate(b, leaf));
  }
  CHECK(differ > 10);
}

TEST_CASE("handcrafted priors favour a win over all else, and captures over sideways steps") {
  HandcraftedEvaluator evaluator;
  int wins = 0;
  for (const Position& position : testing::random_positions(500, 6)) {
    const Leaf leaf = leaf_of(position);
    const auto win = winning_move(position, leaf.moves);
    if (!win) continue;
    ++wins;
    const Evaluation e = evaluate(evaluator, leaf);
    const auto best = std::max_element(e.priors.begin(), e.priors.end()) - e.priors.begin();
    CHECK(wins_at_once(position, leaf.moves[static_cast<int>(best)]));
  }
  CHECK(wins > 5);
  const Position position = parse_position("x8/x8/x8/x8/x2,ssr,x5/x,R,x6/x8/x4,S,x3 w").value();
  const Leaf leaf = leaf_of(position);
  const Evaluation e = evaluate(evaluator, leaf);
  const auto best = std::max_element(e.priors.begin(), e.priors.end()) - e.priors.begin();
  CHECK(to_string(leaf.moves[static_cast<int>(best)], position) == "b3xc4");
}

TEST_CASE("the counter counts calls and positions and changes nothing") {
  const auto inner = std::make_shared<HashEvaluator>(9);
  CountingEvaluator counter(inner);
  std::vector<Leaf> leaves;
  for (const Position& position : testing::random_positions(5, 7))
    leaves.push_back(leaf_of(position));
  const std::vector<Evaluation> counted = evaluate(counter, leaves);
  evaluate(counter, leaves[0]);
  CHECK(counter.calls() == 2);
  CHECK(counter.positions() == 6);
  CHECK(counter.name() == inner->name());
  for (std::size_t i = 0; i < leaves.size(); ++i)
    CHECK(same(counted[i], evaluate(*inner, leaves[i])));
}

}  // namespace
}  // namespace gounki::mcts
