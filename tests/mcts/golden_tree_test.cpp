// Golden trees: the whole tree of small searches under the hash evaluator, as text. A change of the
// search shows here as a difference that one can read. If it is wanted, write the files anew with
//
//   GOUNKI_UPDATE_GOLDEN=1 build/bin/tests_mcts "golden trees"
//
// and look at what git says of them.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "core/files.h"
#include "tests/mcts/searches.h"

namespace gounki::mcts {
namespace {

std::string trees_text(const std::string& algorithm) {
  std::string out;
  for (const char* position :
       {"start",
        "x6,r,s/x,r,x2,s,x,s,r/x2,ss,x2,s,x2/x4,r,RR,x2/x3,r,x4/ssr,x2,SSR,x2,R,x/R,S,x5,S/"
        "x,SR,x2,S,x3 w 0 34",
        "x8/s,x,ss,x5/x8/x8/x8/x8/x4,SS,x2,S/x8 w 97 150"}) {
    SearchConfig config = testing::config_of(algorithm, 64);
    config.root_noise_weight = 0.25;
    config.gumbel_noise = 1.0;
    HashEvaluator evaluator;
    out += testing::searched(config, testing::game_of(position), evaluator).tree_text() + "\n";
  }
  return out;
}

TEST_CASE("golden trees") {
  for (const std::string algorithm : {"puct", "gumbel"}) {
    const auto path = std::filesystem::path(GOUNKI_GOLDEN) / ("tree_" + algorithm + ".txt");
    const std::string text = trees_text(algorithm);
    if (std::getenv("GOUNKI_UPDATE_GOLDEN")) write_file_atomically(path, text);
    CHECK(text == read_file(path));
  }
}

}  // namespace
}  // namespace gounki::mcts
