#include "selfplay/group.h"

#include <catch2/catch.hpp>

#include "fake_backend.h"
#include "mcts/evaluators.h"
#include "nn/cpu/cpu_network.h"
#include "nn/network_evaluator.h"
#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;

namespace {

const std::atomic<int> kNoStop{0};

Group play(const RunConfig& config, std::int64_t number) {
  mcts::HashEvaluator evaluator;
  return *GroupPlayer(config).play(number, evaluator, 12, kNoStop);
}

// Stops the group that it evaluates for at the given call.
class StopAfter final : public mcts::Evaluator {
 public:
  StopAfter(mcts::Evaluator& inner, std::atomic<int>& stop, int calls)
      : inner_(inner), stop_(stop), left_(calls) {}
  void evaluate(std::span<const mcts::Leaf* const> leaves,
                std::span<mcts::Evaluation> out) override {
    if (--left_ == 0) stop_ = kStopAtOnce;
    inner_.evaluate(leaves, out);
  }
  std::string name() const override { return inner_.name(); }

 private:
  mcts::Evaluator& inner_;
  std::atomic<int>& stop_;
  int left_;
};

RunConfig long_games() {
  RunConfig config = support::tiny_config();
  config.selfplay.games_per_group = 6;
  config.selfplay.games_at_once = 4;
  config.selfplay.max_plies = 80;
  return config;
}

}  // namespace

TEST_CASE("a group's records and samples tell of the same games") {
  const RunConfig config = long_games();
  const Group group = play(config, 3);
  REQUIRE(group.records.size() == 6);
  CHECK(group.shard.network_step == 12);
  std::size_t row = 0;
  int capped = 0;
  for (int i = 0; i < 6; ++i) {
    const GameRecord& record = group.records[static_cast<std::size_t>(i)];
    CHECK(*record.tag("Round") == std::to_string(18 + i));
    CHECK(*record.tag("White") == "step-00000012");
    const Game game = record.replay();
    CHECK(game.outcome() == record.result);
    const bool is_capped = record.tag("Termination") != nullptr;
    capped += is_capped;
    CHECK(is_capped == !game.is_over());

    // The first plies are random; every later one is a sample.
    const auto random = static_cast<std::size_t>(
        std::count(record.comments.begin(), record.comments.end(), "random"));
    CHECK(random <= 6);
    for (std::size_t ply = random; ply < record.moves.size(); ++ply, ++row) {
      REQUIRE(row < group.shard.samples.size());
      const Sample& sample = group.shard.samples[row];
      CHECK(validate(sample));
      CHECK(sample.game == 18 + i);
      CHECK(sample.position == game.positions()[ply]);
      CHECK(sample.capped == is_capped);
      const int left = static_cast<int>(record.moves.size() - ply);
      CHECK(sample.plies_left == (is_capped ? -1 : left));
      CHECK(sample.weight == (is_capped ? 0.25f : 1.0f));
      const auto value = mcts::result_for(record.result, sample.position.side_to_move()).value();
      CHECK(sample.result == static_cast<int>(value.v));
    }
  }
  CHECK(row == group.shard.samples.size());

  const PlayStats& stats = group.stats;
  CHECK(stats.games == 6);
  CHECK(stats.rows == static_cast<std::int64_t>(row));
  CHECK(stats.moves == stats.rows);
  CHECK(stats.capped == capped);
  CHECK(stats.white_wins + stats.black_wins + stats.draws + stats.capped == 6);
  CHECK(stats.evaluations > stats.moves);
  CHECK(stats.batch_fill() > 0.5);
  CHECK(stats.batch_fill() <= 1.0);
}

TEST_CASE("records of a group read back") {
  const Group group = play(long_games(), 0);
  const std::string text = records_text(group);
  const auto parts = split_records(text);
  REQUIRE(parts.size() == 6);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto record = parse_record(parts[i]);
    REQUIRE(record);
    CHECK(record->moves == group.records[i].moves);
    CHECK(record->result == group.records[i].result);
  }
}

TEST_CASE("games are capped at the ply that the config says") {
  RunConfig config = long_games();
  config.selfplay.max_plies = 10;
  const Group group = play(config, 0);
  CHECK(group.stats.capped == 6);
  for (const GameRecord& record : group.records) {
    CHECK(record.moves.size() == 10);
    CHECK(record.result == Outcome::Ongoing);
    CHECK(*record.tag("Termination") == "capped");
  }
}

TEST_CASE("a group follows from the config, the seed and its number") {
  RunConfig config = long_games();
  const auto bytes = [&](std::int64_t number) {
    const Group group = play(config, number);
    return to_bytes(group.shard) + records_text(group);
  };
  const std::string first = bytes(1);
  CHECK(bytes(1) == first);
  CHECK(bytes(2) != first);
  config.run.threads = 7;
  config.run.minutes = 7;
  CHECK(bytes(1) == first);
  config.run.seed = 8;
  CHECK(bytes(1) != first);
}

TEST_CASE("with an evaluator that looks at each position alone, games do not see each other") {
  // So the number of games at once changes nothing here; with a network it may in the last bit.
  RunConfig config = long_games();
  const Group some = play(config, 0);
  config.selfplay.games_at_once = 1;
  CHECK(play(config, 0).shard.samples == some.shard.samples);
}

TEST_CASE("a cache spares the network work and changes no byte of the games") {
  RunConfig config = long_games();
  config.search.visits = 24;
  nn::Checkpoint checkpoint;
  checkpoint.network = config.network;
  checkpoint.weights.tensors = fake::make_weights(config.network, 3);
  nn::NetworkEvaluator network(nn::make_cpu_network(checkpoint), "a small network");
  const auto play_with = [&](int megabytes) {
    config.selfplay.cache_mb = megabytes;
    return *GroupPlayer(config).play(5, network, 12, kNoStop);
  };
  const Group without = play_with(0), with = play_with(1);
  CHECK(to_bytes(with.shard) == to_bytes(without.shard));
  CHECK(records_text(with) == records_text(without));

  CHECK(without.stats.cache_lookups == 0);
  CHECK(without.stats.cache_hit_share() == 0.0);
  CHECK(with.stats.cache_lookups == without.stats.evaluations);
  CHECK(with.stats.cache_hits > 0);
  CHECK(with.stats.evaluations == with.stats.cache_lookups - with.stats.cache_hits);
  CHECK(with.stats.batches < without.stats.batches);
  CHECK(with.stats.cache_hit_share() == Approx(static_cast<double>(with.stats.cache_hits) /
                                               static_cast<double>(with.stats.cache_lookups)));

  PlayStats sum = with.stats;
  sum += without.stats;
  CHECK(sum.cache_lookups == with.stats.cache_lookups);
  CHECK(sum.cache_hits == with.stats.cache_hits);
}

TEST_CASE("a group is the same whatever was played before it, and by which network") {
  RunConfig config = long_games();
  config.selfplay.cache_mb = 1;
  mcts::HashEvaluator network(1), other(2);
  const Group fresh = *GroupPlayer(config).play(7, network, 12, kNoStop);

  GroupPlayer player(config);
  player.play(6, other, 11, kNoStop);
  std::atomic<int> stop{kGoOn};
  StopAfter stopping(other, stop, 20);
  CHECK_FALSE(player.play(7, stopping, 11, stop));
  const Group again = *player.play(7, network, 12, kNoStop);
  CHECK(to_bytes(again.shard) == to_bytes(fresh.shard));
  CHECK(records_text(again) == records_text(fresh));
  CHECK(again.stats.cache_lookups == fresh.stats.cache_lookups);
  CHECK(again.stats.cache_hits == fresh.stats.cache_hits);
  CHECK(again.stats.evaluations == fresh.stats.evaluations);
  CHECK(again.stats.games == 6);
}

TEST_CASE("a stop at once gives no group") {
  const std::atomic<int> stop{kStopAtOnce};
  mcts::HashEvaluator evaluator;
  const RunConfig config = long_games();
  CHECK_FALSE(GroupPlayer(config).play(0, evaluator, 0, stop));
  const std::atomic<int> finish{kFinishGames};
  CHECK(GroupPlayer(config).play(0, evaluator, 0, finish));
}
