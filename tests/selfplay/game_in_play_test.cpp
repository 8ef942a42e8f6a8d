#include "selfplay/game_in_play.h"

#include <cmath>
#include <numeric>

#include <catch2/catch.hpp>

#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;

namespace {

RunConfig config_of_long_games() {
  RunConfig config = support::tiny_config();
  config.search.visits = 64;
  config.selfplay.cap_visits = 5;
  config.selfplay.max_plies = 60;
  return config;
}

// What a search might have found: a move at random, a policy that differs from the priors.
mcts::SearchResult found(const GameInPlay& game, float value, Rng& rng) {
  mcts::SearchResult result;
  const MoveList moves = game.game().legal_moves();
  double sum = 0;
  for (const Move move : moves) {
    mcts::MoveStats& stats = result.moves.emplace_back();
    stats.move = move;
    stats.prior = 1.0f / static_cast<float>(moves.size());
    stats.policy = static_cast<float>(0.01 + rng.uniform());
    sum += stats.policy;
  }
  for (mcts::MoveStats& move : result.moves) move.policy /= static_cast<float>(sum);
  result.best = moves[static_cast<int>(rng.below(static_cast<std::uint64_t>(moves.size())))];
  result.value = mcts::MoverValue{value};
  return result;
}

// Plays to the end, the searches finding `value` for White.
void play_on(GameInPlay& game, float value_for_white) {
  Rng rng(static_cast<std::uint64_t>(game.number()));
  while (!game.over()) {
    const bool white = game.game().position().side_to_move() == Side::White;
    game.take(found(game, white ? value_for_white : -value_for_white, rng));
  }
}

double total_weight(const std::vector<Sample>& samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0,
                         [](double sum, const Sample& s) { return sum + s.weight; });
}

}  // namespace

TEST_CASE("a sample has the move that was made, and the reply") {
  const RunConfig config = config_of_long_games();
  for (std::int64_t number = 0; number < 20; ++number) {
    GameInPlay game(config, number);
    play_on(game, 0.0f);
    const std::vector<Move>& moves = game.game().moves();
    for (const Sample& sample : game.samples()) {
      const auto ply = static_cast<std::size_t>(sample.position.ply());
      CHECK(validate(sample));
      CHECK(sample.played == moves[ply]);
      CHECK(sample.reply.has_value() == (ply + 1 < moves.size()));
      if (sample.reply) CHECK(*sample.reply == moves[ply + 1]);
    }
  }
}

TEST_CASE("with playout caps some moves are searched in full and make samples") {
  RunConfig config = config_of_long_games();
  config.selfplay.full_share = 0.25;
  int full = 0, all = 0;
  for (std::int64_t number = 0; number < 40; ++number) {
    GameInPlay game(config, number);
    Rng rng(1);
    std::size_t expected = 0;
    while (!game.over()) {
      const std::int64_t visits = game.search_task().visits;
      CHECK(visits == game.search_task().visits);  // it does not change by being asked for
      CHECK((visits == 64 || visits == 5));
      CHECK(game.search_task().noise == (visits == 64));
      expected += visits == 64;
      ++all;
      game.take(found(game, 0.0f, rng));
      REQUIRE(game.samples().size() == expected);
    }
    full += static_cast<int>(expected);
    for (const Sample& sample : game.samples())
      CHECK(sample.reply.has_value() ==
            (static_cast<std::size_t>(sample.position.ply()) + 1 < game.game().moves().size()));
  }
  CHECK(static_cast<double>(full) / all == Approx(0.25).margin(0.04));

  config.selfplay.cap_noise = true;
  for (std::int64_t number = 0; number < 20; ++number)
    CHECK(GameInPlay(config, number).search_task().noise);
  config.selfplay.full_share = 1.0;
  GameInPlay game(config, 0);
  CHECK(game.search_task().visits == 64);
}

TEST_CASE("weight goes to what surprised, and stays in the game") {
  RunConfig config = config_of_long_games();
  config.selfplay.capped_weight = 1.0;
  GameInPlay plain(config, 3);
  play_on(plain, 0.0f);
  for (const Sample& sample : plain.samples()) CHECK(sample.weight == 1.0f);

  config.selfplay.surprise_share = 0.5;
  GameInPlay game(config, 3);
  play_on(game, 0.0f);
  const std::vector<Sample> samples = game.samples();
  REQUIRE(samples.size() == plain.samples().size());
  CHECK(total_weight(samples) == Approx(static_cast<double>(samples.size())));
  // All priors are alike, so what surprised most has the policy of least entropy.
  double least_entropy = 1e9, greatest_weight = 0;
  std::size_t surest = 0, heaviest = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    CHECK(samples[i].weight >= 0.5f);
    double surprise = 0;
    for (const PolicyEntry& entry : samples[i].policy)
      surprise += entry.probability *
                  std::log(entry.probability * static_cast<float>(samples[i].policy.size()));
    if (-surprise < least_entropy) least_entropy = -surprise, surest = i;
    if (samples[i].weight > greatest_weight) greatest_weight = samples[i].weight, heaviest = i;
  }
  CHECK(surest == heaviest);
}

TEST_CASE("a game that is decided is given up: quick searches, less weight") {
  RunConfig config = config_of_long_games();
  config.selfplay.resign_value = 0.9;
  config.selfplay.resign_plies = 4;
  config.selfplay.resign_weight = 0.5;
  config.selfplay.capped_weight = 1.0;
  GameInPlay game(config, 5);
  Rng rng(1);
  const auto take = [&](float for_white) {
    const bool white = game.game().position().side_to_move() == Side::White;
    game.take(found(game, white ? for_white : -for_white, rng));
  };
  for (int ply = 0; ply < 3; ++ply) take(0.95f);
  CHECK(game.search_task().visits == 64);
  take(-0.95f);  // now for the other side: counted anew
  for (int ply = 0; ply < 2; ++ply) take(-0.95f);
  CHECK(game.search_task().visits == 64);
  take(-0.95f);
  CHECK(game.search_task().visits == 5);
  CHECK(!game.search_task().noise);
  take(-0.95f);
  take(0.2f);  // in doubt again
  CHECK(game.search_task().visits == 64);
  const std::vector<Sample> samples = game.samples();
  REQUIRE(samples.size() == 9);
  for (std::size_t i = 0; i < samples.size(); ++i) CHECK(samples[i].weight == (i < 7 ? 1.0f : 0.5f));

  config.selfplay.resign_value = 1.0;  // never
  GameInPlay other(config, 5);
  play_on(other, 1.0f);
  for (const Sample& sample : other.samples()) CHECK(sample.weight == 1.0f);
}

TEST_CASE("an opening that the first search finds uneven is drawn again") {
  RunConfig config = config_of_long_games();
  config.selfplay.random_plies = 12;
  config.selfplay.opening_balance = 0.5;
  GameInPlay game(config, 2);
  Rng rng(1);
  std::vector<std::vector<Move>> openings;
  std::vector<std::uint64_t> seeds;
  for (int i = 0; i < 8; ++i) {
    openings.push_back(game.game().moves());
    seeds.push_back(game.search_seed());
    game.take(found(game, i % 2 == 0 ? 0.6f : -0.6f, rng));
    CHECK(game.samples().empty());
  }
  CHECK(std::adjacent_find(openings.begin(), openings.end()) == openings.end());
  CHECK(std::adjacent_find(seeds.begin(), seeds.end()) == seeds.end());
  const std::size_t plies = game.game().moves().size();
  game.take(found(game, 0.6f, rng));  // enough of it
  CHECK(game.game().moves().size() == plies + 1);
  CHECK(game.samples().size() == 1);

  GameInPlay even(config, 2);
  const std::size_t before = even.game().moves().size();
  even.take(found(even, 0.4f, rng));
  CHECK(even.game().moves().size() == before + 1);
}

TEST_CASE("the priors draw the later plies of an opening, which makes no samples") {
  RunConfig config = config_of_long_games();
  config.selfplay.random_plies = 2;
  config.selfplay.prior_plies = 10;
  std::vector<int> with_length(13);
  for (std::int64_t number = 0; number < 100; ++number) {
    GameInPlay game(config, number);
    Rng rng(1);
    CHECK(game.game().moves().size() <= 2);
    while (game.search_task().visits == 1) {
      CHECK_FALSE(game.search_task().noise);
      // All of the priors is on the last move, none on the one that the search takes for the best.
      mcts::SearchResult result = found(game, 0.9f, rng);
      for (mcts::MoveStats& move : result.moves) move.prior = 0;
      result.moves.back().prior = 1;
      result.best = result.moves.front().move;
      const Move expected = result.moves.back().move;
      game.take(result);
      REQUIRE(game.game().moves().back() == expected);
      REQUIRE(game.samples().empty());
    }
    const std::size_t opening = game.game().moves().size();
    REQUIRE(opening <= 12);
    ++with_length[opening];
    game.take(found(game, 0.0f, rng));
    CHECK(game.samples().size() == 1);
    CHECK(game.samples()[0].position.ply() == static_cast<int>(opening));
    while (!game.over()) game.take(found(game, 0.0f, rng));
    const GameRecord record = game.record(0);
    for (std::size_t ply = 0; ply < record.comments.size(); ++ply)
      CHECK((record.comments[ply] == "random") == (ply < opening));
  }
  for (int plies = 2; plies <= 10; ++plies) CHECK(with_length[static_cast<std::size_t>(plies)] > 0);
}

TEST_CASE("the temperature of the priors flattens an opening") {
  RunConfig config = config_of_long_games();
  config.selfplay.random_plies = 0;
  config.selfplay.prior_plies = 40;
  const auto share_of_first = [&](double temperature) {
    config.selfplay.prior_temperature = temperature;
    int first = 0, all = 0;
    for (std::int64_t number = 0; number < 400; ++number) {
      GameInPlay game(config, number);
      if (game.search_task().visits != 1) continue;
      Rng rng(1);
      mcts::SearchResult result = found(game, 0.0f, rng);
      const auto others = static_cast<float>(result.moves.size() - 1);
      for (mcts::MoveStats& move : result.moves) move.prior = 0.2f / others;
      result.moves.front().prior = 0.8f;
      game.take(result);
      first += game.game().moves().front() == result.moves.front().move;
      ++all;
    }
    return static_cast<double>(first) / all;
  };
  CHECK(share_of_first(1.0) == Approx(0.8).margin(0.07));
  // The start has 50 moves or so: the others weigh more together the flatter the priors are.
  CHECK(share_of_first(2.0) < 0.4);
}

TEST_CASE("an opening that runs into the end is drawn again, and the last one cannot") {
  RunConfig config = config_of_long_games();
  config.selfplay.random_plies = 2;
  config.selfplay.prior_plies = 59;
  config.selfplay.max_plies = 62;
  for (const bool proven : {true, false}) {
    int redrawn = 0;
    for (std::int64_t number = 0; number < 40; ++number) {
      GameInPlay game(config, number);
      Rng rng(static_cast<std::uint64_t>(number));
      std::size_t most = 0;
      int searches = 0;
      for (; game.search_task().visits == 1; ++searches) {
        REQUIRE(searches < 9 * 60);
        const std::size_t before = game.game().moves().size();
        mcts::SearchResult result = found(game, 0.0f, rng);
        result.proven = proven;
        game.take(result);
        most = std::max(most, game.game().moves().size());
        redrawn += game.game().moves().size() <= before;
        REQUIRE_FALSE(game.over());
      }
      if (proven) CHECK(most <= 2);
      play_on(game, 0.0f);
      CHECK_FALSE(game.samples().empty());
    }
    CHECK(redrawn > 0);
  }
}

TEST_CASE("a proven value is kept as exact") {
  const RunConfig config = config_of_long_games();
  GameInPlay game(config, 1);
  Rng rng(1);
  mcts::SearchResult result = found(game, 1.0f, rng);
  result.proven = true;
  game.take(result);
  game.take(found(game, 0.3f, rng));
  REQUIRE(game.samples().size() == 2);
  CHECK(game.samples()[0].exact);
  CHECK_FALSE(game.samples()[1].exact);
}
