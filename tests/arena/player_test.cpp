#include "arena/player.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "arena/match.h"
#include "arena/openings.h"
#include "core/random.h"

namespace gounki::arena {
namespace {

// One of each kind that needs no network, small enough for many games.
const std::vector<std::string> kPlayers{
    "random", "greedy", "alphabeta:depth=1", "alphabeta:depth=2", "rollout:visits=8",
    "handcrafted:visits=16", "handcrafted:algorithm=gumbel,visits=16",
    "handcrafted:visits=8,temperature=1,temperature_end=1,root_noise_weight=0.25",
    "handcrafted:visits=16,batch=4,cache_mb=1,memory_mb=16,choice=lcb"};

std::unique_ptr<Player> player_of(const std::string& text) {
  auto player = make_player(text);
  INFO(text << ": " << (player ? "" : player.error().message));
  REQUIRE(player);
  return std::move(*player);
}

TEST_CASE("players keep the text that makes them") {
  for (const std::string& text : kPlayers) CHECK(player_of(text)->name() == text);
  CHECK(player_of("  alphabeta : depth = 2 ")->name() == "alphabeta : depth = 2");
  CHECK(player_of("alphabeta:movetime=5")->name() == "alphabeta:movetime=5");
}

TEST_CASE("every player chooses legal moves only, to the end of the game") {
  int games = 0;
  for (const std::string& text : kPlayers) {
    const auto player = player_of(text), random = player_of("random");
    MatchConfig config;
    config.pairs = 20;
    config.threads = 2;
    const std::vector<Game> openings = make_openings(config.pairs, 6, {.plies = 4});
    games += play_match(*player, *random, openings, config).total().games();
  }
  CHECK(games == 40 * static_cast<int>(kPlayers.size()));
}

TEST_CASE("players by the clock and with threads choose legal moves only") {
  for (const char* text : {"handcrafted:movetime=1", "handcrafted:movetime=1000,visits=10",
                           "handcrafted:visits=20,threads=2", "rollout:movetime=1,cache_mb=1",
                           "handcrafted:movetime=1,algorithm=gumbel"}) {
    INFO(text);
    const auto player = player_of(text), random = player_of("random");
    MatchConfig config;
    config.pairs = 2;
    config.threads = 2;
    config.group_pairs = 1;
    const std::vector<Game> openings = make_openings(config.pairs, 6, {.plies = 4});
    CHECK(play_match(*player, *random, openings, config).total().games() == 4);
  }
}

TEST_CASE("every player chooses in a batch what it chooses alone") {
  std::vector<Game> games = make_openings(12, 8, {.plies = 8});
  games.push_back(Game());
  std::vector<Turn> turns;
  for (const Game& game : games) turns.push_back({&game, derive_seed({2, turns.size()})});
  for (const std::string& text : kPlayers) {
    INFO(text);
    const auto player = player_of(text), fresh = player_of(text);
    std::vector<Choice> together(turns.size());
    player->choose(turns, together);
    for (std::size_t i = 0; i < turns.size(); ++i) {
      Choice alone;
      fresh->choose({&turns[i], 1}, {&alone, 1});
      CHECK(alone.move == together[i].move);
      CHECK(alone.value.has_value() == together[i].value.has_value());
      if (alone.value) CHECK(alone.value->v == together[i].value->v);
    }
  }
}

TEST_CASE("make_player's errors say what is wrong and what was meant") {
  struct Row {
    std::string text, expected;
  };
  const std::vector<Row> rows{
      {"", "kind is missing"},
      {":depth=3", "kind is missing"},
      {"gredy", "unknown kind \"gredy\", did you mean \"greedy\"?"},
      {"alphabet:depth=3", "did you mean \"alphabeta\"?"},
      {"Random", "did you mean \"random\"?"},
      {"random:seed=3", "\"seed\": this kind has no options"},
      {"greedy:x", "\"x\" has no value, expected greedy"},
      {"alphabeta:", "an empty option, expected key=value"},
      {"alphabeta:depth=3,", "an empty option, expected key=value"},
      {"alphabeta:depth=3,,movetime=1", "an empty option"},
      {"alphabeta:3", "\"3\" has no value, expected alphabeta:key=value"},
      {"alphabeta:depth=3,fast", "\"fast\" has no value, expected key=value"},
      {"alphabeta:dept=3", "unknown key \"dept\", did you mean \"depth\"?"},
      {"alphabeta:depth=3,depth=4", "\"depth\" is given twice"},
      {"alphabeta:depth=0", "depth: "},
      {"alphabeta:depth=61", "60"},
      {"alphabeta:depth=three", "depth: "},
      {"alphabeta:depth=", "depth: "},
      {"alphabeta:movetime=-1", "movetime: "},
      {"rollout:visit=3", "did you mean \"visits\"?"},
      {"rollout:visits=0", "visits: "},
      {"handcrafted:cpuct=x", "cpuct: "},
      {"handcrafted:algorithm=minimax", "algorithm: "},
      {"handcrafted:choice=best", "choice: "},
      {"handcrafted:threads=2000", "threads: "},
      {"handcrafted:batch=0", "batch: "},
      {"rollout:movetime=-1", "movetime: "},
      {"handcrafted:cache_mb=64,memory_mb=64", "cache_mb: a cache of 64 MB leaves nothing"},
      {"net", "FILE is missing, expected net:FILE,key=value"},
      {"net:visits=3", "FILE is missing"},
      {"net:no/such/file.safetensors", "no/such/file.safetensors: no such file or folder"},
      {"net:no/such/file.safetensors,visit=3", "did you mean \"visits\"?"},
      {"net:.", ".: a folder, not a file; for a run's folder write run:"},
      {"run:no/such/folder,visits=3", "no/such/folder: no such file or folder"},
      {"run:" GOUNKI_GOLDEN, "no checkpoint in it"},
      {"run:" GOUNKI_GOLDEN "/perft.txt", "a file, not a run's folder; for a file write net:"},
      {"net:" GOUNKI_GOLDEN "/perft.txt", "perft.txt: "},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto player = make_player(row.text);
    REQUIRE_FALSE(player);
    INFO(player.error().message);
    CHECK(player.error().message.rfind("player \"" + row.text + "\": ", 0) == 0);
    CHECK(player.error().message.find(row.expected, row.text.size() + 9) != std::string::npos);
  }
}

TEST_CASE("a player's text is checked without looking for its files") {
  for (const char* text : {"random", "net:no/such/file,visits=3", "run:no/such/folder"})
    CHECK(check_player_text(text));
  for (const char* text : {"nobody", "net", "net:no/such/file,visit=3", "greedy:depth=1",
                           "alphabeta:depth=0", "rollout:algorithm=best",
                           "net:no/such/file,cache_mb=2,memory_mb=1"})
    CHECK_FALSE(check_player_text(text));
}

TEST_CASE("make_player answers any text with a player or one line") {
  const std::vector<std::string> seeds{
      "alphabeta:depth=3,movetime=5", "handcrafted:visits=40,cpuct=2", "net:a,visits=4",
      "run:b,cpuct=1.5", "random", "greedy", "ugi:no-such-program 'a,b',nodes=4,option.x=1"};
  const std::string letters = ":=,. -09axdepth\n\t\xC3\x00";
  Rng rng(5);
  int made = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = seeds[rng.below(seeds.size())];
    for (std::uint64_t edits = rng.below(4); edits > 0; --edits) {
      const std::size_t at = rng.below(text.size() + 1);
      const char letter = letters[rng.below(letters.size())];
      switch (rng.below(3)) {
        case 0: text.insert(at, 1, letter); break;
        case 1: text.erase(at, 1); break;
        default: if (at < text.size()) text[at] = letter;
      }
    }
    const auto player = make_player(text);
    if (player) {
      CHECK_FALSE((*player)->name().empty());
      ++made;
    } else {
      CHECK_FALSE(player.error().message.empty());
      CHECK(player.error().message.find('\n') == std::string::npos);
    }
  }
  CHECK(made > 100);
}

// A parameter's line in docs/players.md: key, default, range or type, sentence.
std::string row_of(const ParamInfo& param) {
  std::string range = param.type;
  if (std::isfinite(param.range.min)) {
    char text[64];
    std::snprintf(text, sizeof text, "%.16g … %.16g", param.range.min, param.range.max);
    range = text;
  }
  return "| `" + param.name + "` | " + param.value + " | " + range + " | " + param.help + " |";
}

TEST_CASE("docs/players.md has every kind with its form, and every parameter") {
  std::ifstream file(GOUNKI_GOLDEN "/../../docs/players.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  REQUIRE_FALSE(page.empty());
  std::vector<std::string> lines;
  for (const PlayerKind& kind : player_kinds()) {
    lines.push_back("| `" + kind.form + "` | " + kind.help);
    for (const ParamInfo& param : kind.params) lines.push_back(row_of(param));
  }
  for (const ParamInfo& param : describe_params<MatchConfig>()) lines.push_back(row_of(param));
  for (const ParamInfo& param : describe_params<OpeningsConfig>()) lines.push_back(row_of(param));
  for (const std::string& line : lines) {
    INFO("the page lacks this line:\n" << line);
    CHECK(page.find("\n" + line) != std::string::npos);
  }
}

}  // namespace
}  // namespace gounki::arena
