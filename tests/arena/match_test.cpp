#include "arena/match.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "arena/alphabeta_player.h"
#include "arena/openings.h"
#include "arena/simple_players.h"
#include "core/error.h"
#include "core/random.h"

namespace gounki::arena {
namespace {

struct Played {
  MatchResult result;
  std::vector<PlayedPair> pairs;
  std::string records;
};

MatchConfig config_of(int pairs, int threads = 0, int group_pairs = 10) {
  MatchConfig config;
  config.pairs = pairs;
  config.threads = threads;
  config.group_pairs = group_pairs;
  return config;
}

std::string records_of(const PlayedPair& pair, const std::vector<std::string>& players) {
  return to_string(record_of(pair, 0, players)) + "\n" + to_string(record_of(pair, 1, players)) + "\n";
}

Played play(Player& first, Player& second, const MatchConfig& config) {
  Played out;
  const std::vector<Game> openings = make_openings(config.pairs, 9);
  const MatchCallbacks callbacks{.pair = [&](const PlayedPair& pair) {
    out.pairs.push_back(pair);
    out.records += records_of(pair, {first.name(), second.name()});
    return true;
  }};
  out.result = play_match(first, second, openings, config, callbacks);
  return out;
}

TEST_CASE("greedy beats random, and two plies beat greedy") {
  RandomPlayer random;
  GreedyPlayer greedy;
  AlphaBetaPlayer two_plies({.depth = 2}, "alphabeta:depth=2");
  const MatchConfig config = config_of(20);
  CHECK(play(greedy, random, config).result.score() > 0.9);
  CHECK(play(two_plies, greedy, config).result.score() > 0.9);
}

TEST_CASE("a match has the same games with any number of threads") {
  RandomPlayer random;
  GreedyPlayer greedy;
  AlphaBetaPlayer two_plies({.depth = 2}, "alphabeta:depth=2");
  for (Player* first : {static_cast<Player*>(&random), static_cast<Player*>(&two_plies)}) {
    MatchConfig config = config_of(13, 1, 2);
    config.seed = 4;
    const Played one = play(*first, greedy, config);
    config.threads = 2;
    const Played two = play(*first, greedy, config);
    config.threads = 5;
    const Played five = play(*first, greedy, config);
    CHECK(one.records == two.records);
    CHECK(one.records == five.records);
    CHECK(one.result.pairs == five.result.pairs);
    CHECK(one.result.total() == five.result.total());
    CHECK(one.result.plies == five.result.plies);
    config.seed = 5;
    CHECK(play(*first, greedy, config).records != one.records);
  }
}

TEST_CASE("the games of a match do not depend on how they are grouped") {
  RandomPlayer random;
  GreedyPlayer greedy;
  MatchConfig config = config_of(7, 0, 1);
  const std::string records = play(random, greedy, config).records;
  config.group_pairs = 100;
  CHECK(play(random, greedy, config).records == records);
}

TEST_CASE("a match's counts are those of its games") {
  RandomPlayer random;
  GreedyPlayer greedy;
  MatchConfig config = config_of(25, 2, 4);
  const Played match = play(random, greedy, config);
  const MatchResult& result = match.result;
  REQUIRE(match.pairs.size() == 25);
  CHECK_FALSE(result.stopped);
  CHECK(result.total().games() == 50);

  MatchResult expected;
  for (std::size_t i = 0; i < match.pairs.size(); ++i) {
    CHECK(match.pairs[i].pairing == Pairing{0, 1, static_cast<int>(i)});
    for (const int number : {0, 1}) {
      const PlayedGame& game = match.pairs[i].games[static_cast<std::size_t>(number)];
      Game replayed(game.start, game.rules);
      for (const Move move : game.moves) replayed.play(move);
      CHECK(replayed.outcome() == game.result);
      CHECK(game.ending == Ending::Rules);
      const Outcome win = number == 0 ? Outcome::WhiteWins : Outcome::BlackWins;
      Tally& side = number == 0 ? expected.as_white : expected.as_black;
      ++(game.result == win             ? side.wins
         : game.result == Outcome::Draw ? side.draws
                                        : side.losses);
      expected.plies += static_cast<int>(game.moves.size()) - 6;
    }
  }
  CHECK(result.as_white == expected.as_white);
  CHECK(result.as_black == expected.as_black);
  CHECK(result.plies == expected.plies);
  std::int64_t pairs = 0;
  double points = 0.0;
  for (int i = 0; i < 5; ++i) {
    pairs += result.pairs[i];
    points += result.pairs[i] * (i / 2.0);
  }
  CHECK(pairs == 25);
  CHECK(points == result.total().points());
}

TEST_CASE("the records of a match say who played what, and read back as the same games") {
  GreedyPlayer greedy;
  AlphaBetaPlayer one_ply({.depth = 1}, "alphabeta:depth=1");
  const MatchConfig config = config_of(2);
  const Played match = play(one_ply, greedy, config);
  std::vector<std::string> rounds;
  for (int i = 0; i < 4; ++i) {
    const bool first_is_white = i % 2 == 0;
    const GameRecord record = record_of(match.pairs[static_cast<std::size_t>(i / 2)], i % 2,
                                        {"alphabeta:depth=1", "greedy"});
    rounds.push_back(*record.tag("Round"));
    CHECK(*record.tag("White") == (first_is_white ? "alphabeta:depth=1" : "greedy"));
    CHECK(*record.tag("Black") == (first_is_white ? "greedy" : "alphabeta:depth=1"));
    CHECK(*record.tag("Opening") == std::to_string(i / 2 + 1));
    CHECK(*record.tag("OpeningPlies") == "6");
    // Who has an opinion writes it, for White; the opening has none.
    for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
      const bool first_moves = (ply % 2 == 0) == first_is_white;
      CHECK(record.comments[ply].empty() == (ply < 6 || !first_moves));
    }
    const auto read = parse_record(to_string(record));
    REQUIRE(read);
    CHECK(read->moves == record.moves);
    CHECK(read->comments == record.comments);
    CHECK(read->result == record.result);
    CHECK(to_string(*read) == to_string(record));
  }
  CHECK(rounds == std::vector<std::string>{"1.1", "1.2", "2.1", "2.2"});
}

TEST_CASE("the last evaluation of a won game is for the winner, whichever side that is") {
  GreedyPlayer greedy;
  AlphaBetaPlayer player({.depth = 2}, "alphabeta:depth=2");
  const MatchConfig config = config_of(10);
  int seen = 0;
  for (const PlayedPair& pair : play(player, greedy, config).pairs)
    for (const int number : {0, 1}) {
      const PlayedGame& game = pair.games[static_cast<std::size_t>(number)];
      const Outcome win = number == 0 ? Outcome::WhiteWins : Outcome::BlackWins;
      if (game.result != win) continue;
      CHECK(game.values.back()->v == (number == 0 ? 1.0f : -1.0f));
      CHECK(record_of(pair, number, {"a", "b"}).comments.back() ==
            (number == 0 ? "[%eval +1.000]" : "[%eval -1.000]"));
      ++seen;
    }
  CHECK(seen > 10);
}

TEST_CASE("a game that reaches the cap is a draw that is marked") {
  RandomPlayer random;
  MatchConfig config = config_of(5);
  config.ply_cap = 12;
  const Played match = play(random, random, config);
  CHECK(match.result.capped() == 10);
  CHECK(match.result.total().draws == 10);
  CHECK(match.result.plies == 10 * 6);
  CHECK(match.result.pairs == PairCounts{0, 0, 5, 0, 0});
  for (const PlayedPair& pair : match.pairs)
    for (const int number : {0, 1}) {
      const GameRecord record = record_of(pair, number, {"a", "b"});
      CHECK(pair.games[static_cast<std::size_t>(number)].ending == Ending::PlyCap);
      CHECK(record.moves.size() == 12);
      CHECK(record.result == Outcome::Draw);
      CHECK(*record.tag("Termination") == "ply cap");
    }
}

TEST_CASE("games that repeat are counted") {
  AlphaBetaPlayer player({.depth = 1}, "alphabeta:depth=1");
  const std::vector<Game> same(3, make_openings(1, 9).front());
  const MatchConfig config = config_of(3);
  CHECK(play_match(player, player, same, config).repeated == 4);
}

// Plays at random until a ply, then something that is not legal.
class Cheater : public RandomPlayer {
 public:
  void choose(std::span<const Turn> turns, std::span<Choice> choices) override {
    RandomPlayer::choose(turns, choices);
    for (std::size_t i = 0; i < turns.size(); ++i)
      if (turns[i].game->moves().size() >= 10)
        choices[i].move = Move(Square(7, 7), Template::move(Direction::Left, 3));
  }
  std::string name() const override { return "cheater"; }
};

TEST_CASE("a player that cheats ends the match with its name") {
  RandomPlayer random;
  Cheater cheater;
  const std::vector<Game> openings = make_openings(8, 9);
  for (const int threads : {1, 2}) {
    const MatchConfig config = config_of(8, threads, 1);
    CHECK_THROWS_WITH(play_match(random, cheater, openings, config),
                      Catch::Contains("player cheater chose an illegal move (policy index 2021)"));
    CHECK_THROWS_AS(play_match(cheater, random, openings, config), Failure);
  }
}

TEST_CASE("a match that is stopped ends the games under way and begins no more") {
  RandomPlayer random;
  GreedyPlayer greedy;
  const std::vector<Game> openings = make_openings(10, 9);
  const MatchConfig config = config_of(10, 1, 2);
  std::atomic<bool> stop = false;
  std::string records;
  const MatchCallbacks callbacks{
      .pair = [&](const PlayedPair& pair) {
        records += records_of(pair, {"random", "greedy"});
        return true;
      },
      .progress = [&](const MatchProgress&) { stop = true; }};
  const MatchResult result = play_match(random, greedy, openings, config, callbacks, &stop);
  CHECK(result.stopped);
  CHECK(result.total().games() == 4);

  // What was played is what an unbroken match begins with.
  const std::string all = play(random, greedy, config).records;
  CHECK(all.substr(0, records.size()) == records);

  const MatchResult nothing = play_match(random, greedy, openings, config, {}, &stop);
  CHECK(nothing.stopped);
  CHECK(nothing.total().games() == 0);
  CHECK(nothing.score() == 0.5);
}

TEST_CASE("progress counts every game, one call at a time") {
  RandomPlayer random;
  const std::vector<Game> openings = make_openings(9, 9);
  int last = 0;
  std::atomic<int> inside = 0;
  const MatchCallbacks callbacks{.progress = [&](const MatchProgress& progress) {
    CHECK(++inside == 1);
    CHECK(progress.games == ++last);
    CHECK(progress.games_total == 18);
    CHECK(progress.so_far.games() == progress.games);
    --inside;
  }};
  play_match(random, random, openings, config_of(9, 2, 1), callbacks);
  CHECK(last == 18);
}

TEST_CASE("a match needs an opening for each pair") {
  RandomPlayer random;
  CHECK_THROWS_WITH(play_match(random, random, make_openings(2, 1), config_of(3)),
                    Catch::Contains("3 pairs needs as many openings, 2 were given"));
}

}  // namespace
}  // namespace gounki::arena
