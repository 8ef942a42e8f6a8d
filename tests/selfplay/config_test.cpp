#include "selfplay/config.h"

#include <catch2/catch.hpp>

#include <set>

#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;
using Catch::Matchers::Contains;

TEST_CASE("a config that says nothing has the defaults") {
  const RunConfig standard;
  CHECK(to_toml(parse_config("", "x.toml")) == to_toml(standard));
  CHECK_FALSE(find_mistake(standard));
}

TEST_CASE("a config is what it says") {
  const RunConfig config = parse_config(
      "[run]\nseed = 12\nminutes = 3\n[network]\nblocks = 6\n[search]\nvisits = 99\ncpuct = 2\n"
      "[evaluate]\nat_start = false\nopponents = \" random;;greedy ; alphabeta:depth=2\"\n",
      "x.toml");
  CHECK(config.run.seed == 12);
  CHECK(config.run.minutes == 3.0);
  CHECK(config.network.blocks == 6);
  CHECK(config.search.visits == 99);
  CHECK(config.search.cpuct == 2.0);
  CHECK_FALSE(config.evaluate.at_start);
  CHECK(config.evaluate.opponent_list() ==
        std::vector<std::string>{"random", "greedy", "alphabeta:depth=2"});
}

TEST_CASE("what is wrong with a config is named with its line and the nearest name") {
  struct Row {
    std::string toml, message;
  };
  const Row rows[] = {
      {"[search]\nvisitss = 3",
       "x.toml:2: [search] unknown key \"visitss\", did you mean \"visits\"?"},
      {"\n[serch]\nvisits = 3", "x.toml:2: unknown section [serch], did you mean [search]?"},
      {"visits = 3", "x.toml:1: key \"visits\" stands outside of a section"},
      {"search = 3", "x.toml:1: [search] is a section, found an integer"},
      {"[search]\nvisits = \"3\"", "x.toml:2: [search] visits: expected integer, found text"},
      {"[search]\nvisits = 3.5", "x.toml:2: [search] visits: expected integer, found a number"},
      {"[search]\ncpuct = true", "x.toml:2: [search] cpuct: expected number, found true or false"},
      {"[search]\ncpuct = nan", "x.toml:2: [search] cpuct: expected a number"},
      {"[rules]\nnull_moves = 1",
       "x.toml:2: [rules] null_moves: expected true or false, found an integer"},
      {"[evaluate]\nopponents = [\"random\"]",
       "x.toml:2: [evaluate] opponents: expected text, found an array"},
      {"[search]\n\nvisits = 0", "x.toml:3: [search] visits: 0 is out of range"},
      {"[network]\nblocks = 9999999999999",
       "x.toml:2: [network] blocks: 9999999999999 is out of range"},
      {"[search]\nvisits = ", "x.toml:2: "},
      {"[search]\nvisits = 1\nvisits = 2", "x.toml:3: "},
      {"[search]\nb = 1\na = 1", "x.toml:2: [search] unknown key \"b\""},
      {"[search]\nb = 1\na = 1", "(and 1 more)"},
      {"[search]\nalgorithm = \"pact\"",
       "x.toml:2: [search] algorithm: expected \"puct\" or \"gumbel\""},
      {"[evaluate]\nplayer = \"visit=3\"",
       "x.toml:2: [evaluate] player: unknown key \"visit\", did you mean \"visits\"?"},
      {"[evaluate]\nplayer = \"fast\"",
       "x.toml:2: [evaluate] player: expected key=value, found \"fast\""},
      {"[replay]\nwindow_max = 5",
       "x.toml:2: [replay] window_max: expected at least window_min (20000)"},
      {"[selfplay]\nrandom_plies = 9\nmax_plies = 9",
       "x.toml:2: [selfplay] random_plies: expected less than max_plies (9)"},
      {"[selfplay]\nrandom_plies = 5\nprior_plies = 5\nmax_plies = 9",
       "x.toml:3: [selfplay] prior_plies: expected less than max_plies (9) together with random_plies (5)"},
  };
  for (const Row& row : rows) {
    INFO(row.toml);
    CHECK_THROWS_AS(parse_config(row.toml, "x.toml"), UsageError);
    CHECK_THROWS_WITH(parse_config(row.toml, "x.toml"), Contains(row.message));
  }
  CHECK_THROWS_WITH(load_config("/no/such/file.toml"), Contains("/no/such/file.toml"));
  CHECK_THROWS_AS(load_config("/no/such/file.toml"), UsageError);
}

TEST_CASE("the recipes that ship can be read") {
  std::set<std::string> names;
  for (const auto& file : support::fs::directory_iterator(GOUNKI_GOLDEN "/../../configs"))
    if (file.path().extension() == ".toml") {
      INFO(file.path());
      CHECK_NOTHROW(load_config(file.path()));
      names.insert(file.path().stem().string());
    }
  CHECK(names == std::set<std::string>{"ci", "gpu", "laptop", "quick", "reference"});
}

TEST_CASE("a config written and read back is the same") {
  RunConfig config = support::tiny_config();
  config.run.minutes = 0.1;
  config.search.cpuct = 1.0 / 3.0;
  config.evaluate.opponents = "ugi:\"a\\b\" c;\trandom";
  const std::string text = to_toml(config);
  CHECK(to_toml(parse_config(text, "x.toml")) == text);
  CHECK_FALSE(first_difference(config, parse_config(text, "x.toml")));
}

TEST_CASE("limits, threads and the cache may change in a run and nothing else") {
  const RunConfig stored = support::tiny_config();
  RunConfig given = stored;
  given.run.threads = 5;
  given.run.minutes = given.run.games = given.run.steps = given.run.iterations = 9;
  given.selfplay.cache_mb = 5;
  CHECK_FALSE(first_difference(stored, given));
  CHECK(essence_to_toml(stored) == essence_to_toml(given));

  given.search.visits = 5;
  CHECK(first_difference(stored, given) == "[search] visits is 4, not 5");
  CHECK(essence_to_toml(stored) != essence_to_toml(given));
  given.search.visits = 4;
  given.run.seed = 8;
  CHECK(first_difference(stored, given) == "[run] seed is 7, not 8");
}

TEST_CASE("a config reader survives any text") {
  Rng rng(1);
  const RunConfig standard;
  const std::string valid = to_toml(standard);
  for (int i = 0; i < 500; ++i) {
    std::string text = valid.substr(0, rng.below(valid.size()));
    for (int k = 0; k < 3 && !text.empty(); ++k)
      text[rng.below(text.size())] = static_cast<char>(rng.below(256));
    try {
      parse_config(text, "x.toml");
    } catch (const UsageError& error) {
      CHECK_THAT(error.what(), Catch::Matchers::StartsWith("x.toml:"));
    }
  }
}
