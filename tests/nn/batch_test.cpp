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
  SECTION("policy") { batch.policy.pop_back(); expected = "policy indices"; }
  SECTION("offsets") { batch.policy_offsets.pop_back(); expected = "4 values of where policies begin, not 5"; }
  SECTION("offsets end") { batch.policy_offsets.back() -= 1; expected = "do not fill their array"; }
  SECTION("offsets fall") { batch.policy_offsets[2] = batch.policy_offsets[1]; expected = "no legal move of sample 1"; }
  SECTION("index") { batch.policy_index[0] = 2048; expected = "policy index of sample 0 is past 2047"; }
  SECTION("replies") { batch.reply.pop_back(); expected = "3 values of the replies, not 4"; }
  SECTION("reply") { batch.reply[2] = 2048; expected = "the reply of sample 2 is past 2047"; }
  SECTION("wdl") { batch.wdl.push_back(0); expected = "values of win, draw, loss"; }
  SECTION("plies") { batch.plies_left.pop_back(); expected = "values of the plies left"; }
  SECTION("weight") { batch.weight.pop_back(); expected = "values of the weights"; }
  SECTION("nan plane") { batch.planes[2 * kInputSize] = nan; expected = "a plane of sample 2 is not finite"; }
  SECTION("infinite policy") { batch.policy.back() = infinity; expected = "the policy of sample 3"; }
  SECTION("nan wdl") { batch.wdl[4] = nan; expected = "win, draw, loss of sample 1"; }
  SECTION("nan plies") { batch.plies_left[0] = nan; expected = "plies left of sample 0"; }
  SECTION("nan weight") { batch.weight[3] = nan; expected = "the weight of sample 3"; }
  SECTION("negative weight") { batch.weight[1] = -1; expected = "a weight is negative"; }
  SECTION("no weight") { batch.weight.assign(4, 0.0f); expected = "the weights sum to 0"; }
  CHECK_THROWS_WITH(check_batch(batch), Catch::Contains(expected));
}
