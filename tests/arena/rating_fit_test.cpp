#include "arena/rating_fit.h"

#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

namespace gounki::arena {
namespace {

const Vector kFirstLessSecond{1.0, -1.0};

double logit(double p) { return std::log(p / (1.0 - p)); }

TEST_CASE("an encounter knows its pairs and score and scatter") {
  const Encounter e{0, 1, {1, 4, 10, 15, 10}};
  CHECK(e.pairs() == 40.0);
  CHECK(e.score() == Approx(0.68125));
  CHECK(e.scatter(0.5) == Approx((11 * 0.25) + (19 * 0.0625)));
}

TEST_CASE("two players are fitted by the score and a sum of zero") {
  const RatingFit fit(2, {{0, 1, {100, 400, 1000, 1500, 1000}}});
  CHECK(fit.strengths()[0] + fit.strengths()[1] == Approx(0.0).margin(1e-9));
  CHECK(fit.strengths()[0] - fit.strengths()[1] == Approx(logit(0.68125)).epsilon(1e-4));
}

// Two games of a pair that are independent leave the binomial variance: the interval is Wilson's.
TEST_CASE("independent games between two give the interval of Wilson") {
  // Of 400 pairs as many of each kind as 800 games won with 0.6 would make.
  const RatingFit fit(2, {{0, 1, {64, 0, 192, 0, 144}}});
  const double n = 800, p = 0.6, z = 1.959963984540054;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  const RatingFit::Interval interval = fit.interval(kFirstLessSecond);
  CHECK(interval.low == Approx(logit(middle - half)).epsilon(0.01));
  CHECK(interval.high == Approx(logit(middle + half)).epsilon(0.01));
  CHECK(fit.statistic(kFirstLessSecond, interval.low) == Approx(z).margin(1e-6));
  CHECK(fit.statistic(kFirstLessSecond, interval.high) == Approx(-z).margin(1e-6));
}

TEST_CASE("pairs that split narrow the bounds and pairs of one winner widen them") {
  const auto width = [](const PairCounts& counts) {
    const RatingFit::Interval i = RatingFit(2, {{0, 1, counts}}).interval(kFirstLessSecond);
    return i.high - i.low;
  };
  const double independent = width({100, 0, 200, 0, 100});
  CHECK(width({20, 0, 360, 0, 20}) == Approx(independent * std::sqrt(0.2)).epsilon(0.05));
  CHECK(width({200, 0, 0, 0, 200}) == Approx(independent * std::sqrt(2.0)).epsilon(0.05));
}

TEST_CASE("a player who won all games has a lower bound alone") {
  const RatingFit fit(2, {{0, 1, {0, 0, 0, 0, 10}}});
  const RatingFit::Interval interval = fit.interval(kFirstLessSecond);
  CHECK(std::isinf(interval.high));
  CHECK(std::isfinite(fit.strengths()[0]));
  // Wilson's bound for 10 of 10 with the pair as one observation: 10 / (10 + 1.96²).
  CHECK(interval.low == Approx(logit(10.0 / (10.0 + 3.8414588))).epsilon(1e-3));
}

TEST_CASE("the covariance is singular along the sum and has the inverse information for two") {
  const RatingFit fit(2, {{0, 1, {100, 0, 200, 0, 100}}});
  const Matrix& c = fit.covariance();
  CHECK(c(0, 0) + c(0, 1) == Approx(0.0).margin(1e-12));
  // Of the difference: 1 / (800 games · ¼).
  CHECK(c(0, 0) + c(1, 1) - 2 * c(0, 1) == Approx(1.0 / 200.0).epsilon(0.02));
  CHECK(fit.pair_information(0, 1) == Approx(0.5).epsilon(0.02));
}

TEST_CASE("extreme results of many games still converge") {
  const std::int64_t many = 1'000'000;
  const RatingFit fit(4, {{0, 1, {0, 0, 0, 0, many}},
                          {1, 2, {0, 1, 0, 0, many}},
                          {2, 3, {1, 0, many, 0, 0}}});
  for (const double s : fit.strengths()) CHECK(std::isfinite(s));
  CHECK(fit.strengths()[0] > fit.strengths()[1] + 8.0);
  const RatingFit::Interval interval = fit.interval({0.0, 0.0, 1.0, -1.0});
  CHECK(interval.low < 0.0);
  CHECK(interval.high - interval.low < 0.01);
}

}  // namespace
}  // namespace gounki::arena
