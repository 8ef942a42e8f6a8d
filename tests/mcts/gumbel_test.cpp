#include "mcts/gumbel.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "core/random.h"

namespace gounki::mcts {
namespace {

// Written from the description alone, and in another way than round_sizes: how many visits the move
// that comes next has before, for each simulation.
std::vector<int> levels_by_definition(int m, int n) {
  std::vector<int> visits(static_cast<std::size_t>(m), 0), levels;
  if (m == 1) {
    for (int i = 0; i < n; ++i) levels.push_back(i);
    return levels;
  }
  const double halvings = std::ceil(std::log2(m));
  int considered = m;
  for (;;) {
    const int extra = std::max(1, static_cast<int>(std::floor(n / (halvings * considered))));
    for (int e = 0; e < extra; ++e) {
      for (int i = 0; i < considered; ++i) {
        if (static_cast<int>(levels.size()) == n) return levels;
        levels.push_back(visits[static_cast<std::size_t>(i)]++);
      }
    }
    considered = std::max(2, considered / 2);
  }
}

TEST_CASE("the schedule is that of sequential halving") {
  std::vector<int> sizes;
  for (int m = 1; m <= 32; ++m) {
    for (int n = 1; n <= 200; ++n) {
      INFO(m << " moves, " << n << " simulations");
      std::vector<int> levels;
      round_sizes(m, n, sizes);
      for (std::size_t round = 0; round < sizes.size(); ++round)
        for (int i = 0; i < sizes[round]; ++i) levels.push_back(static_cast<int>(round));
      REQUIRE(levels == levels_by_definition(m, n));
    }
  }
}

TEST_CASE("the usual number of candidates") {
  struct Row { int simulations, candidates; };
  for (const Row& row : {Row{1, 2}, Row{8, 3}, Row{16, 6}, Row{32, 12}, Row{43, 16}, Row{64, 16},
                         Row{256, 16}, Row{800, 50}, Row{4000, 250}})
    CHECK(usual_candidates(row.simulations) == row.candidates);
}

TEST_CASE("schedules by hand") {
  struct Row { int moves, simulations; std::vector<int> sizes; };
  for (const Row& row :
       {Row{1, 3, {1, 1, 1}}, Row{2, 5, {2, 2, 1}}, Row{4, 16, {4, 4, 2, 2, 2, 2}},
        Row{16, 32, {16, 8, 4, 4}}, Row{16, 8, {8}}, Row{8, 32, {8, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2}},
        Row{3, 6, {3, 2, 1}}}) {
    std::vector<int> sizes;
    round_sizes(row.moves, row.simulations, sizes);
    CHECK(sizes == row.sizes);
  }
}

TEST_CASE("the mixed value lies between the evaluator's and the visited moves'") {
  CHECK(mixed_value(0.3, 0, 0.0, 0.0) == 0.3);
  // Visited: priors 0.2 and 0.3 with values 1 and 0; their mean is 0.4.
  CHECK(mixed_value(0.1, 4, 0.5, 0.2) == Approx((0.1 + 4 * 0.4) / 5));
  // Visited moves without a prior say nothing.
  CHECK(mixed_value(0.1, 4, 0.0, 0.0) == 0.1);
}

TEST_CASE("completed values, sigma and the improved policy by hand") {
  const std::vector<Arm> arms{{0.5, 0.2, 2}, {0.3, 0.0, 0}, {0.2, -0.6, 1}};
  // Mixed: (0.1 + 3 * (0.5 * 0.2 - 0.2 * 0.6) / 0.7) / 4
  const double mixed = (0.1 + 3 * (-0.02 / 0.7)) / 4;
  const auto q = completed_q(arms, 0.1);
  CHECK(q[0] == 0.2);
  CHECK(q[1] == Approx(mixed));
  CHECK(q[2] == -0.6);
  const auto sigma = sigma_of_completed_q(arms, 0.1, {50, 0.1});
  CHECK(sigma[0] == Approx(5.2));
  CHECK(sigma[1] == Approx(5.2 * (mixed + 0.6) / 0.8));
  CHECK(sigma[2] == Approx(0.0).margin(1e-12));
  const auto policy = improved_policy(arms, 0.1, {50, 0.1});
  const double total = 0.5 * std::exp(sigma[0]) + 0.3 * std::exp(sigma[1]) + 0.2;
  CHECK(policy[0] == Approx(0.5 * std::exp(sigma[0]) / total));
  CHECK(policy[1] == Approx(0.3 * std::exp(sigma[1]) / total));
  CHECK(policy[2] == Approx(0.2 / total));
}

TEST_CASE("values that span little are not spread further than the least span says") {
  const std::vector<Arm> arms{{0.5, 0.2, 2}, {0.3, 0.1, 1}, {0.2, -0.2, 1}};  // they span 0.4
  const auto sigma_of = [&arms](double least_span) {
    return sigma_of_completed_q(arms, 0.0, {50, 0.1, least_span});
  };
  for (const double least_span : {0.0, 0.1, 0.4}) {
    const auto sigma = sigma_of(least_span);
    CHECK(sigma[0] == Approx(5.2));
    CHECK(sigma[1] == Approx(5.2 * 0.3 / 0.4));
    CHECK(sigma[2] == Approx(0.0).margin(1e-12));
  }
  for (const double least_span : {0.8, 2.0}) {
    const auto sigma = sigma_of(least_span);
    CHECK(sigma[0] == Approx(5.2 * 0.4 / least_span));
    CHECK(sigma[1] == Approx(5.2 * 0.3 / least_span));
    CHECK(sigma[2] == Approx(0.0).margin(1e-12));
  }
}

TEST_CASE("without visits the improved policy is the prior") {
  const std::vector<Arm> arms{{0.5, 0, 0}, {0.3, 0, 0}, {0.2, 0, 0}};
  const auto policy = improved_policy(arms, -0.4, {50, 0.1});
  for (std::size_t i = 0; i < arms.size(); ++i) CHECK(policy[i] == Approx(arms[i].prior));
}

TEST_CASE("extreme arms give distributions") {
  const std::vector<std::vector<Arm>> cases{
      {{1.0, 0.5, 1}},
      {{0.0, 1.0, 100}, {1.0, -1.0, 1}},
      {{0.0, 1.0, 1'000'000'000}, {0.0, -1.0, 1}, {1.0, -1.0, 1}},
      {{0.5, 0.25, 3}, {0.5, 0.25, 3}}};
  for (const auto& arms : cases) {
    const auto policy = improved_policy(arms, 0.0, {50, 1.0});
    double sum = 0.0;
    for (const double p : policy) {
      CHECK(p >= 0.0);
      sum += p;
    }
    CHECK(sum == Approx(1.0));
  }
}

// The theorem that gives the paper its name: whatever was visited, the improved policy is worth as
// much as the priors at least, by the completed values.
TEST_CASE("the improved policy is never worth less than the priors") {
  Rng rng(1);
  for (int bandit = 0; bandit < 5000; ++bandit) {
    std::vector<Arm> arms(1 + rng.below(40));
    double total = 0.0;
    for (Arm& arm : arms) {
      arm.prior = std::exp(3.0 * rng.normal());
      total += arm.prior;
      arm.visits = rng.below(3) == 0 ? static_cast<int>(rng.below(100)) : 0;
      arm.q = arm.visits == 0 ? 0.0 : 2.0 * rng.uniform() - 1.0;
    }
    for (Arm& arm : arms) arm.prior /= total;
    const double raw = 2.0 * rng.uniform() - 1.0;
    const double c_visit = 100.0 * rng.uniform(), c_scale = rng.uniform();
    const auto q = completed_q(arms, raw);
    const auto policy = improved_policy(arms, raw, {c_visit, c_scale});
    double before = 0.0, after = 0.0, sum = 0.0;
    for (std::size_t i = 0; i < arms.size(); ++i) {
      before += arms[i].prior * q[i];
      after += policy[i] * q[i];
      sum += policy[i];
    }
    REQUIRE(sum == Approx(1.0));
    REQUIRE(after >= before - 1e-9);
  }
}

}  // namespace
}  // namespace gounki::mcts
