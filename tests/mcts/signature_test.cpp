#include "mcts/signature.h"

#include <catch2/catch.hpp>
#include <map>

namespace gounki::mcts {
namespace {

TEST_CASE("the signature is the sum of its parts and the same every time") {
  std::int64_t sum = 0;
  std::map<std::string, int> searches;
  const std::int64_t signature = search_signature([&](const SignaturePart& part) {
    sum += part.count;
    ++searches[part.algorithm];
    CHECK(part.count > 0);
    // A position whose result is found at once would tell nothing of the search.
    CHECK(part.result.visits > 100);
  });
  CHECK(signature == sum);
  CHECK(searches == std::map<std::string, int>{{"puct", 16}, {"gumbel", 16}});
  CHECK(search_signature() == signature);
}

}  // namespace
}  // namespace gounki::mcts
