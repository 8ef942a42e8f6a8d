#include "nn/network_evaluator.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

#include <catch2/catch.hpp>

#include "core/files.h"
#include "nn_test_helpers.h"

using namespace gounki;
using namespace gounki::nn;

namespace {

// Answers the same to every position, without LibTorch.
class FixedNetwork : public ServedNetwork {
 public:
  void forward(const float*, int n, float* policy, float* wdl, float* plies_left) const override {
    for (int i = 0; i < n; ++i) {
      for (int m = 0; m < Move::kIndices; ++m) policy[i * Move::kIndices + m] = logit(m);
      wdl[i * 3] = 90.0f + std::log(6.0f);
      wdl[i * 3 + 1] = 90.0f + std::log(3.0f);
      wdl[i * 3 + 2] = 90.0f;
      plies_left[i] = plies;
    }
  }
  // Large enough that exp of it alone would overflow.
  float logit(int index) const { return 100.0f + static_cast<float>(index % 7) + spoiler; }

  float plies = 17.0f, spoiler = 0.0f;
};

std::vector<mcts::Leaf> leaves_of(const std::vector<Game>& games) {
  std::vector<mcts::Leaf> leaves;
  for (const Game& game : games)
    leaves.push_back({game.position(), game.repetitions(), game.legal_moves()});
  return leaves;
}

std::vector<mcts::Evaluation> evaluate(mcts::Evaluator& evaluator, const std::vector<mcts::Leaf>& leaves) {
  std::vector<const mcts::Leaf*> pointers;
  for (const mcts::Leaf& leaf : leaves) pointers.push_back(&leaf);
  std::vector<mcts::Evaluation> out(leaves.size());
  evaluator.evaluate(pointers, out);
  return out;
}

}  // namespace

TEST_CASE("priors are the softmax of the legal moves' logits, in their order") {
  const FixedNetwork network;
  NetworkEvaluator evaluator(std::make_unique<FixedNetwork>(network), "fixed");
  CHECK(evaluator.name() == "fixed");
  const auto leaves = leaves_of(test::random_games(20, 31));
  const auto evaluations = evaluate(evaluator, leaves);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const MoveList& moves = leaves[i].moves;
    const std::vector<float>& priors = evaluations[i].priors;
    REQUIRE(priors.size() == static_cast<std::size_t>(moves.size()));
    CHECK(std::accumulate(priors.begin(), priors.end(), 0.0) == Approx(1.0));
    for (int m = 0; m < moves.size(); ++m)
      CHECK(priors[m] / priors[0] ==
            Approx(std::exp(network.logit(moves[m].index()) - network.logit(moves[0].index()))));
    CHECK(evaluations[i].wdl.win == Approx(0.6f));
    CHECK(evaluations[i].wdl.draw == Approx(0.3f));
    CHECK(evaluations[i].wdl.loss == Approx(0.1f));
    CHECK(evaluations[i].plies_left == 17.0f);
  }
  CHECK(evaluate(evaluator, {}).empty());
}

TEST_CASE("an output that is not finite ends the work") {
  const auto leaves = leaves_of(test::random_games(1, 32));
  FixedNetwork network;
  SECTION("policy nan") { network.spoiler = std::numeric_limits<float>::quiet_NaN(); }
  SECTION("policy infinite") { network.spoiler = std::numeric_limits<float>::infinity(); }
  SECTION("plies") { network.plies = std::numeric_limits<float>::infinity(); }
  NetworkEvaluator evaluator(std::make_unique<FixedNetwork>(network), "network x");
  CHECK_THROWS_WITH(evaluate(evaluator, leaves), Catch::Contains("network x") && Catch::Contains("not finite"));
}

TEST_CASE("an evaluator agrees with its network asked directly") {
  const Checkpoint checkpoint = test::tiny_checkpoint();
  NetworkEvaluator evaluator(serve(checkpoint), "tiny");
  const auto leaves = leaves_of(test::random_games(9, 33));
  const auto evaluations = evaluate(evaluator, leaves);

  std::vector<float> planes(leaves.size() * kInputSize), policy(leaves.size() * Move::kIndices),
      wdl(leaves.size() * 3), plies(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i)
    encode(leaves[i].position, leaves[i].repetitions,
           std::span<float, kInputSize>(&planes[i * kInputSize], kInputSize));
  serve(checkpoint)->forward(planes.data(), static_cast<int>(leaves.size()), policy.data(),
                                       wdl.data(), plies.data());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    double mass = 0.0, chances = 0.0;
    for (const Move move : leaves[i].moves) mass += std::exp(policy[i * Move::kIndices + move.index()]);
    for (int k = 0; k < 3; ++k) chances += std::exp(wdl[i * 3 + k]);
    for (int m = 0; m < leaves[i].moves.size(); ++m)
      CHECK(evaluations[i].priors[m] ==
            Approx(std::exp(policy[i * Move::kIndices + leaves[i].moves[m].index()]) / mass).margin(1e-6));
    CHECK(evaluations[i].wdl.loss == Approx(std::exp(wdl[i * 3 + 2]) / chances).margin(1e-6));
    CHECK(evaluations[i].plies_left == plies[i]);
  }
}

TEST_CASE("a network is loaded from a file or from a run's newest checkpoint") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "checkpoints");
  CHECK_THAT(load_network(folder.path()).error().message, Catch::Contains("no checkpoint"));
  CHECK_THAT(load_network(folder.path() / "no.safetensors").error().message,
             Catch::Contains("no.safetensors"));
  save_checkpoint(test::tiny_checkpoint(), checkpoint_path(folder.path(), 5));
  const auto loaded = load_network(folder.path());
  REQUIRE(loaded);
  CHECK((*loaded)->name() == "network step-00000005 (2x8)");
  CHECK(load_network(checkpoint_path(folder.path(), 5)));
  std::ofstream(checkpoint_path(folder.path(), 6)) << "damaged";
  CHECK_THAT(load_network(folder.path()).error().message, Catch::Contains("step-00000006"));
}
