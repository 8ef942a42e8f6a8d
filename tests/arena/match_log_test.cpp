#include "arena/match_log.h"

#include <catch2/catch.hpp>

#include "arena/match.h"
#include "arena/openings.h"
#include "arena/simple_players.h"
#include "core/error.h"
#include "core/files.h"
#include "core/random.h"
#include "tests/temporary_folder.h"

namespace gounki::arena {
namespace {

using testing::TemporaryFolder;

MatchSettings settings() {
  MatchSettings out;
  out.players = {"random", "greedy, with \"quotes\""};
  out.clocks = {std::nullopt, TimeControl{60.0, 0.5}};
  out.seed = 7;
  out.table.end_proven = true;
  out.rules.null_moves = false;
  out.openings = "random";
  out.sprt = SprtConfig{};
  return out;
}

// Games of every kind that a log can hold.
std::vector<PlayedPair> played_pairs() {
  RandomPlayer random;
  GreedyPlayer greedy;
  const std::vector<Game> openings = make_openings(6, 3, {}, settings().rules);
  MatchConfig config;
  config.pairs = 6;
  config.ply_cap = 12;
  std::vector<PlayedPair> pairs;
  MatchCallbacks callbacks;
  callbacks.pair = [&](const PlayedPair& pair) {
    pairs.push_back(pair);
    return true;
  };
  play_match(random, greedy, openings, config, callbacks);
  PlayedGame& game = pairs[1].games[0];
  game.ending = Ending::Fault;
  game.fault = Fault::Crash;
  game.fault_text = "signal 11, \"core\"\nover";
  game.values[7] = mcts::WhiteValue{0.125f};
  game.seconds.assign(game.moves.size(), 0.25);
  return pairs;
}

TEST_CASE("a match log reads back as it was written") {
  const TemporaryFolder folder;
  const std::vector<PlayedPair> pairs = played_pairs();
  {
    MatchLog log(folder / "log", settings());
    for (const PlayedPair& pair : pairs) log.append(pair);
  }
  const MatchHistory history = read_match_log(folder / "log");
  CHECK(history.pairs == pairs);
  CHECK(history.settings.players == settings().players);
  CHECK(history.settings.clocks == settings().clocks);
  CHECK(history.settings.table == settings().table);
  CHECK(history.settings.rules == settings().rules);
  CHECK(history.settings.sprt.has_value());
}

TEST_CASE("a log cut off anywhere is gone on with and ends as if it had not been") {
  const TemporaryFolder folder;
  const std::vector<PlayedPair> pairs = played_pairs();
  {
    MatchLog log(folder / "log", settings());
    for (const PlayedPair& pair : pairs) log.append(pair);
  }
  const std::string whole = read_file(folder / "log");
  for (std::size_t size = 0; size <= whole.size(); size += 1 + size / 40) {
    INFO(size);
    write_file_atomically(folder / "log", whole.substr(0, size));
    MatchLog log(folder / "log", settings());
    const std::size_t there = log.pairs().size();
    REQUIRE(there <= pairs.size());
    for (std::size_t i = there; i < pairs.size(); ++i) log.append(pairs[i]);
    CHECK(read_file(folder / "log") == whole);
  }
}

TEST_CASE("a log is played by one process and by the same match") {
  const TemporaryFolder folder;
  {
    const MatchLog log(folder / "log", settings());
    CHECK_THROWS_WITH(MatchLog(folder / "log", settings()), Catch::Contains("is being written by another process"));
  }
  MatchSettings other = settings();
  other.seed = 8;
  CHECK_THROWS_WITH(MatchLog(folder / "log", other),
                    Catch::Contains("another match: its seed 7, asked for 8"));
  other = settings();
  other.players[0] = "greedy";
  CHECK_THROWS_WITH(MatchLog(folder / "log", other), Catch::Contains("its players"));
}

TEST_CASE("a file that is no match log is left as it is") {
  const TemporaryFolder folder;
  for (const std::string text : {"my diary", "my diary\nwithout an end", "{\"type\":\"other\"}\n", "{"}) {
    write_file_atomically(folder / "log", text);
    if (text == "{") {  // may be the beginning of a log
      CHECK_NOTHROW(MatchLog(folder / "log", settings()));
      continue;
    }
    CHECK_THROWS_AS(MatchLog(folder / "log", settings()), Failure);
    CHECK(read_file(folder / "log") == text);
  }
}

TEST_CASE("damage in a log is named with its line") {
  const TemporaryFolder folder;
  {
    MatchLog log(folder / "log", settings());
    for (const PlayedPair& pair : played_pairs()) log.append(pair);
  }
  const std::string whole = read_file(folder / "log");
  const auto error_with = [&](const std::string& from, const std::string& to) -> std::string {
    std::string text = whole;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    write_file_atomically(folder / "log", text.replace(at, from.size(), to));
    try {
      read_match_log(folder / "log");
      return "";
    } catch (const Failure& failure) {
      return failure.what();
    }
  };
  CHECK_THAT(error_with("\"opening\":2", "\"opening\":1"),
             Catch::Contains("line 4: this pair was there before"));
  CHECK_THAT(error_with("\"opening\":1", "\"opening\":-1"), Catch::Contains("line 3: opening: expected an integer from 0"));
  CHECK_THAT(error_with("\"second\":1", "\"second\":2"), Catch::Contains("line 2: second: expected an integer from 0 to 1, found 2"));
  CHECK_THAT(error_with("\"moves\":\"", "\"moves\":\"a1-a1 "), Catch::Contains("line 2: ply 1"));
  CHECK_THAT(error_with("\"ending\":\"", "\"ending\":\"un"), Catch::Contains("line 2: "));
  CHECK_THAT(error_with("\"opening\":2", "\"opening\":2.7"), Catch::Contains("line 4: opening: "));
  CHECK_THAT(error_with("\"opening\":2", "\"opening\":99999999999"), Catch::Contains("line 4: "));
  CHECK_THAT(error_with("\"opening_plies\":6", "\"opening_plies\":-6"), Catch::Contains("line 2: "));
  CHECK_THAT(error_with("\"fault\":\"crash\"", "\"fault\":\"\""), Catch::Contains("line 3: "));
  CHECK_THAT(error_with("0.125", "1.125"), Catch::Contains("line 3: a value is from -1 to 1"));
  CHECK_THAT(error_with("\"ending\":\"ply cap\"", "\"ending\":\"rules\""), Catch::Contains("line 2: the moves end"));
  CHECK_THAT(error_with("\"ply_cap\":400", "\"ply_cap\":4e99"), Catch::Contains("line 1: "));
  CHECK_THAT(error_with("\"60+0.5\"", "\"x\""), Catch::Contains("\"x\" is no clock"));
  CHECK_THAT(error_with("}]}\n", "},{}]}\n"), Catch::Contains("line 2: a pair has two games"));
  CHECK_THAT(error_with("{\"type\":\"pair\"", "\"type\":\"pair\""), Catch::Contains("line 2: no JSON object"));
  CHECK_THAT(error_with("\"format\":1", "\"format\":9"), Catch::Contains("line 1: format 9"));
  CHECK_THAT(error_with("\"0-1\"", "\"0-2\""), Catch::Contains("is no result"));
}

TEST_CASE("a hostile log is an error or a log and never worse") {
  const TemporaryFolder folder;
  {
    MatchLog log(folder / "log", settings());
    for (const PlayedPair& pair : played_pairs()) log.append(pair);
  }
  const std::string whole = read_file(folder / "log");
  Rng rng(3);
  for (int round = 0; round < 400; ++round) {
    std::string text = whole;
    for (std::uint64_t i = 0; i <= rng.below(3); ++i)
      text[rng.below(text.size())] = static_cast<char>(rng.below(256));
    write_file_atomically(folder / "log", text);
    try {
      const std::size_t pairs = read_match_log(folder / "log").pairs.size();
      CHECK(pairs <= 7);
    } catch (const Failure& failure) {
      CHECK_THAT(failure.what(), Catch::Contains("log"));
    }
  }
}

}  // namespace
}  // namespace gounki::arena
