#include <fstream>
#include <map>

#include <catch2/catch.hpp>

#include "arena/pool_play.h"
#include "arena/simple_players.h"
#include "core/files.h"
#include "tests/temporary_folder.h"

namespace gounki::arena {
namespace {

using gounki::testing::TemporaryFolder;
namespace fs = std::filesystem;

constexpr OpeningsConfig kOpenings{.plies = 4, .check_depth = 1};

struct Players {
  RandomPlayer one, two;
  GreedyPlayer greedy;
  std::vector<PoolPlayer> all() { return {{"one", &one}, {"two", &two}, {"greedy", &greedy}}; }
};

PlayedPool make_pool(const fs::path& folder, Players& players, int pairs, std::int64_t seed = 1) {
  PoolConfig config;
  config.pairs = pairs;
  config.block = 4;
  config.seed = seed;
  config.threads = 1;
  config.group_pairs = 1;
  return PlayedPool(folder, players.all(), config, kOpenings, {}, {0, 0.0}, {1, 2});
}

std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& file : fs::directory_iterator(folder))
    if (file.path().extension() == ".jsonl") files[file.path().filename()] = read_file(file.path());
  return files;
}

std::map<std::string, std::string> play(const fs::path& folder, int pairs) {
  Players players;
  const std::atomic<bool> never = false;
  PlayedPool pool = make_pool(folder, players, pairs);
  CHECK(pool.play({}, never));
  CHECK(pool.pairs() == pairs);
  CHECK(pool.ratings().groups().size() == 1);
  return files_of(folder);
}

TEST_CASE("a pool connects its players and plays as many pairs as it was told") {
  const TemporaryFolder folder;
  const auto files = play(folder.path(), 20);
  REQUIRE(files.contains("one__two.jsonl"));
  REQUIRE(files.contains("two__greedy.jsonl"));
  CHECK(read_match_log(folder / "one__two.jsonl").pairs.size() >= 4);
  CHECK(!fs::exists(folder / "pool.lock"));
}

TEST_CASE("a pool that was stopped at any game ends with the same logs") {
  const TemporaryFolder whole;
  const auto files = play(whole.path(), 20);
  for (const int games : {1, 2, 5, 9}) {
    INFO(games);
    const TemporaryFolder stopped;
    for (int time = 0; time < 3; ++time) {
      Players players;
      std::atomic<bool> stop = false;
      int played = 0;
      make_pool(stopped.path(), players, 20)
          .play([&](const PoolProgress&) { stop = ++played >= games; }, stop);
    }
    {
      std::ofstream torn(stopped / "one__two.jsonl", std::ios::app);
      torn << "{\"type\":\"pair\",\"fir";
    }
    CHECK(play(stopped.path(), 20) == files);
  }
}

TEST_CASE("a pool of fewer pairs goes on as one of more") {
  const TemporaryFolder whole, part;
  play(part.path(), 6);
  CHECK(play(part.path(), 16) == play(whole.path(), 16));
}

TEST_CASE("a pool is not taken for another and has one process at a time") {
  const TemporaryFolder folder;
  play(folder.path(), 8);
  Players players;
  CHECK_THROWS_WITH(make_pool(folder.path(), players, 8, 2), Catch::Contains("its seed 1, asked for 2"));
  const PlayedPool pool = make_pool(folder.path(), players, 8);
  CHECK_THROWS_WITH(make_pool(folder.path(), players, 8), Catch::Contains("is being played by process"));
  const TemporaryFolder other;
  CHECK_THROWS_WITH(PlayedPool(other.path(), {{"a", &players.one}, {"a", &players.two}}, {}, {}, {}, {}, {}),
                    Catch::Contains("in the pool twice"));
}

}  // namespace
}  // namespace gounki::arena
