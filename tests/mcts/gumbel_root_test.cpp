#include "mcts/gumbel_root.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numeric>

namespace gounki::mcts {
namespace {

// A bandit whose arms have fixed values and, if set, proofs that their first visit finds.
struct Bandit {
  std::vector<float> priors;
  std::vector<double> values;
  std::vector<Proof> proofs;
  double raw_value = 0.0;
};

struct Played {
  std::vector<RootArm> arms;
  std::vector<int> order;  // of the visits
  int best = -1;           // of the most visited that do not lose, the one with the best score
};

Played play(const Bandit& bandit, const SearchConfig& config, std::uint64_t seed) {
  Played out;
  for (const float prior : bandit.priors) out.arms.push_back({{prior, 0.0, 0}, {}});
  Rng rng(seed);
  GumbelRoot root;
  root.start(config, bandit.priors, config.gumbel_noise, false, rng);
  for (int left = config.visits; left > 0;) {
    const bool lost = std::all_of(out.arms.begin(), out.arms.end(),
                                  [](const RootArm& arm) { return arm.proof.is_loss(); });
    if (lost) break;
    if (root.round_over()) root.plan_round(out.arms, bandit.raw_value, left);
    const auto move = static_cast<std::size_t>(root.upcoming());
    root.next();
    RootArm& arm = out.arms[move];
    if (arm.proof.is_loss()) continue;
    ++arm.arm.visits;
    arm.arm.q = bandit.values[move];
    if (!bandit.proofs.empty()) arm.proof = bandit.proofs[move];
    out.order.push_back(static_cast<int>(move));
    --left;
  }
  const auto score = root.scores(out.arms, bandit.raw_value);
  for (int i = 0; i < static_cast<int>(out.arms.size()); ++i) {
    if (out.arms[i].proof.is_loss()) continue;
    const auto key = [&](int m) { return std::pair(out.arms[m].arm.visits, score[m]); };
    if (out.best < 0 || key(i) > key(out.best)) out.best = i;
  }
  return out;
}

SearchConfig config_of(int moves, int visits, double noise) {
  SearchConfig config;
  config.algorithm = "gumbel";
  config.gumbel_moves = moves;
  config.visits = visits;
  config.gumbel_noise = noise;
  return config;
}

Bandit random_bandit(int arms, Rng& rng) {
  Bandit out;
  double total = 0.0;
  std::vector<double> weights;
  for (int i = 0; i < arms; ++i) {
    weights.push_back(std::exp(1.5 * rng.normal()));
    total += weights.back();
    out.values.push_back(2.0 * rng.uniform() - 1.0);
  }
  for (const double w : weights) out.priors.push_back(static_cast<float>(w / total));
  for (int i = 0; i < arms; ++i) out.raw_value += out.priors[i] * out.values[i];
  return out;
}

TEST_CASE("the visits follow the schedule") {
  Rng rng(1);
  for (const int arms : {1, 2, 3, 5, 16, 36}) {
    for (const int visits : {1, 2, 7, 32, 100}) {
      INFO(arms << " arms, " << visits << " visits");
      const Played played = play(random_bandit(arms, rng), config_of(16, visits, 1.0), 7);
      REQUIRE(static_cast<int>(played.order.size()) == visits);
      std::size_t at = 0;
      std::vector<int> seen(static_cast<std::size_t>(arms), 0);
      std::vector<int> sizes;
      round_sizes(std::min(arms, 16), visits, sizes);
      for (std::size_t round = 0; round < sizes.size(); ++round)
        for (int i = 0; i < sizes[round]; ++i)
          CHECK(seen[static_cast<std::size_t>(played.order[at++])]++ == static_cast<int>(round));
    }
  }
}

TEST_CASE("with every arm a candidate and no noise, the best of equal priors is found") {
  Rng rng(2);
  for (int trial = 0; trial < 300; ++trial) {
    Bandit bandit = random_bandit(16, rng);
    std::fill(bandit.priors.begin(), bandit.priors.end(), 1.0f / 16);
    const Played played = play(bandit, config_of(16, 64, 0.0), 1);
    CHECK(played.best ==
          std::max_element(bandit.values.begin(), bandit.values.end()) - bandit.values.begin());
  }
}

// Policy improvement in expectation over the noise (the paper's section 3): drawing candidates by
// Gumbel noise and taking the best score is never worse than drawing from the priors.
TEST_CASE("choices with noise are worth more than the priors on average") {
  Rng rng(3);
  for (const int visits : {2, 4, 16}) {
    double gain = 0.0;
    for (int trial = 0; trial < 60; ++trial) {
      const Bandit bandit = random_bandit(12, rng);
      for (int seed = 0; seed < 40; ++seed) {
        const Played played =
            play(bandit, config_of(4, visits, 1.0), static_cast<std::uint64_t>(seed));
        gain += bandit.values[static_cast<std::size_t>(played.best)] - bandit.raw_value;
      }
    }
    CHECK(gain / (60 * 40) > 0.1);
  }
}

TEST_CASE("one simulation follows the priors: the noise draws as they say") {
  const Bandit bandit{{0.6f, 0.3f, 0.1f}, {0.0, 0.0, 0.0}, {}, 0.0};
  std::vector<int> counts(3, 0);
  for (int seed = 0; seed < 4000; ++seed)
    ++counts[static_cast<std::size_t>(
        play(bandit, config_of(1, 1, 1.0), static_cast<std::uint64_t>(seed)).best)];
  CHECK(counts[0] / 4000.0 == Approx(0.6).margin(0.03));
  CHECK(counts[1] / 4000.0 == Approx(0.3).margin(0.03));
  CHECK(counts[2] / 4000.0 == Approx(0.1).margin(0.02));
}

TEST_CASE("an arm that is proven lost gets no further visit, and its visits go to others") {
  Rng rng(4);
  for (int trial = 0; trial < 200; ++trial) {
    Bandit bandit = random_bandit(10, rng);
    bandit.proofs.resize(10);
    const int lost = static_cast<int>(1 + rng.below(9));
    for (int i = 0; i < lost; ++i) {
      bandit.proofs[static_cast<std::size_t>(i)] = Proof::loss(2);
      bandit.values[static_cast<std::size_t>(i)] = -1.0;
    }
    const Played played = play(bandit, config_of(4, 40, 1.0), static_cast<std::uint64_t>(trial));
    CHECK(static_cast<int>(played.order.size()) == 40);
    for (int i = 0; i < lost; ++i) CHECK(played.arms[static_cast<std::size_t>(i)].arm.visits <= 1);
    REQUIRE(played.best >= lost);
    CHECK(played.arms[static_cast<std::size_t>(played.best)].arm.visits >= 5);
  }
}

TEST_CASE("when every arm loses, each is visited once") {
  Bandit bandit{std::vector<float>(9, 1.0f / 9), std::vector<double>(9, -1.0),
                std::vector<Proof>(9, Proof::loss(4)), 0.0};
  const Played played = play(bandit, config_of(4, 100, 1.0), 5);
  CHECK(played.order.size() == 9);
  CHECK(played.best == -1);
}

TEST_CASE("a prior of zero is a place in the order, not a trap") {
  const Bandit bandit{{0.0f, 1.0f, 0.0f}, {1.0, -1.0, 0.0}, {}, -1.0};
  const Played played = play(bandit, config_of(3, 30, 1.0), 1);
  for (const double score : GumbelRoot().scores({}, 0.0)) CHECK(std::isfinite(score));
  CHECK(played.order.size() == 30);
}

}  // namespace
}  // namespace gounki::mcts
