#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "nn/network.h"
#include "nn_test_helpers.h"

using namespace gounki;
using namespace gounki::nn;

TEST_CASE("a batch that cannot be learned from says why") {
  const Batch good = test::random_batch(4, 11);
  CHECK_NOTHROW(check_batch(good));
  Batch batch = good;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  std::string expected;

  SECTION("empty") { batch.size = 0; expected = "no samples"; }
  SECTION("planes") { batch.planes.pop_back(); expected = "3839 values of the planes, not 3840"; }
  SECTION("policy") { batch.policy.resize(3 * 2048); expected = "values of the policy"; }
  SECTION("legal") { batch.legal.clear(); expected = "values of the legal moves"; }
  SECTION("wdl") { batch.wdl.push_back(0); expected = "values of win, draw, loss"; }
  SECTION("plies") { batch.plies_left.pop_back(); expected = "values of the plies left"; }
  SECTION("weight") { batch.weight.pop_back(); expected = "values of the weights"; }
  SECTION("nan plane") { batch.planes[2 * kInputSize] = nan; expected = "a plane of sample 2 is not finite"; }
  SECTION("infinite policy") { batch.policy.back() = infinity; expected = "the policy of sample 3"; }
  SECTION("nan wdl") { batch.wdl[4] = nan; expected = "win, draw, loss of sample 1"; }
  SECTION("nan plies") { batch.plies_left[0] = nan; expected = "plies left of sample 0"; }
  SECTION("nan weight") { batch.weight[3] = nan; expected = "the weight of sample 3"; }
  SECTION("illegal") { batch.legal.assign(batch.legal.size(), 0); expected = "at the illegal index"; }
  SECTION("negative weight") { batch.weight[1] = -1; expected = "a weight is negative"; }
  SECTION("no weight") { batch.weight.assign(4, 0.0f); expected = "the weights sum to 0"; }
  CHECK_THROWS_WITH(check_batch(batch), Catch::Contains(expected));
}
