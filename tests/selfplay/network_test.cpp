// Runs with the real network and learner; the other tests of this folder use a fake.
#include "selfplay/network.h"

#include <catch2/catch.hpp>

#include "selfplay/learn.h"
#include "selfplay/play_games.h"
#include "selfplay/train.h"
#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;

namespace {

const std::atomic<int> kNoStop{0};

RunConfig small_config() {
  RunConfig config = support::tiny_config();
  config.network.blocks = 2;
  config.network.channels = 16;
  config.selfplay.games_per_group = 8;
  config.selfplay.games_at_once = 8;
  config.selfplay.max_plies = 60;
  config.search.visits = 8;
  config.learner.batch = 32;
  config.replay.reuse = 2.0;
  config.run.iterations = 2;
  return config;
}

}  // namespace

TEST_CASE("one thread and two play the same games with a network", "[slow]") {
  const support::TemporaryFolder folder;
  play_games(folder / "one", small_config(), {4, 1}, nn::backend(), {}, kNoStop);
  play_games(folder / "two", small_config(), {4, 2}, nn::backend(), {}, kNoStop);
  CHECK(support::differences(folder / "one", folder / "two") == "");
}

TEST_CASE("twenty learner steps are ten and ten, to the bit", "[slow]") {
  const support::TemporaryFolder folder;
  for (const char* name : {"whole", "parts"})
    play_games(folder / name, small_config(), {3, 1}, nn::backend(), {}, kNoStop);
  learn(folder / "whole", {}, {20, 1, false}, nn::backend(), {}, kNoStop);
  learn(folder / "parts", {}, {10, 1, false}, nn::backend(), {}, kNoStop);
  learn(folder / "parts", {}, {10, 1, false}, nn::backend(), {}, kNoStop);
  CHECK(read_file(folder / "whole/learner.safetensors") ==
        read_file(folder / "parts/learner.safetensors"));
  CHECK(read_file(nn::checkpoint_path(folder / "whole", 20)) ==
        read_file(nn::checkpoint_path(folder / "parts", 20)));
}

TEST_CASE("a run with a network goes on to the same bytes", "[slow]") {
  const support::TemporaryFolder folder;
  RunConfig config = small_config();
  train(folder / "whole", config, nn::backend(), {}, kNoStop);
  config.run.iterations = 1;
  train(folder / "parts", config, nn::backend(), {}, kNoStop);
  config.run.iterations = 2;
  train(folder / "parts", config, nn::backend(), {}, kNoStop);
  CHECK(support::differences(folder / "whole", folder / "parts") == "");
}
