#include "selfplay/record_samples.h"

#include <algorithm>
#include <atomic>

#include <catch2/catch.hpp>

#include "mcts/evaluators.h"
#include "selfplay/group.h"
#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;
using Catch::Matchers::Contains;

namespace {

GameRecord record_of(const std::string& text) {
  const auto record = parse_record(text);
  REQUIRE(record);
  return *record;
}

}  // namespace

TEST_CASE("the records of self-play give the samples of self-play, but for the search's policy") {
  // Short games that are capped, and such as come to an end.
  const int most_plies = GENERATE(24, 400);
  RunConfig config = support::tiny_config();
  config.selfplay.max_plies = most_plies;
  mcts::HashEvaluator evaluator;
  const std::atomic<int> no_stop{0};
  const Group group = *GroupPlayer(config).play(0, evaluator, 12, no_stop);
  std::size_t row = 0;
  bool capped = false, over = false;
  for (std::size_t number = 0; number < group.records.size(); ++number) {
    // As a file has it: values in thousandths.
    const GameRecord record = record_of(to_string(group.records[number]));
    const auto samples = samples_of(record, static_cast<std::int64_t>(number),
                                    config.selfplay.capped_weight);
    REQUIRE(samples);
    for (const Sample& sample : *samples) {
      REQUIRE(row < group.shard.samples.size());
      Sample played = group.shard.samples[row++];
      CHECK(validate(sample));
      CHECK(sample.root_value == Approx(played.root_value).margin(0.0006));
      float most = 0;
      for (const PolicyEntry& entry : sample.policy) most = std::max(most, entry.probability);
      CHECK(most == 1.0f);
      (sample.capped ? capped : over) = true;
      played.root_value = sample.root_value;
      played.policy = sample.policy;
      played.exact = false;  // a record does not tell
      CHECK(sample == played);
    }
  }
  CHECK(row == group.shard.samples.size());
  CHECK((most_plies == 24 ? capped : over));
}

TEST_CASE("the played move has all of the policy") {
  const auto samples = samples_of(record_of("[Result \"1-0\"]\n\n1. a2-b3 h7-g6 1-0\n"), 7, 0.5);
  REQUIRE(samples);
  REQUIRE(samples->size() == 2);
  const Sample& black = samples->back();
  CHECK(black.game == 7);
  CHECK(black.result == -1);
  CHECK(black.root_value == -1.0f);
  CHECK(black.weight == 1.0f);
  CHECK_FALSE(black.capped);
  CHECK(samples->front().result == 1);
  INFO("a resignation does not tell how long the game would have been");
  CHECK(black.plies_left == Sample::kUnknownPlies);
  const Game game = record_of("1. a2-b3 h7-g6 *").replay();
  for (const PolicyEntry& entry : black.policy)
    CHECK(entry.probability == (entry.move == game.moves()[1] ? 1.0f : 0.0f));
}

TEST_CASE("values in comments are White's and are turned to the mover") {
  const auto samples = samples_of(
      record_of("1. a2-b3 {[%eval +0.250]} h7-g6 {so said [%eval 0.5] the engine} 2. b2-b3 0-1\n"),
      0, 0.5);
  REQUIRE(samples);
  REQUIRE(samples->size() == 3);
  CHECK((*samples)[0].root_value == 0.25f);
  CHECK((*samples)[1].root_value == -0.5f);
  CHECK((*samples)[2].root_value == -1.0f);
}

TEST_CASE("what gives no samples") {
  const auto open = samples_of(record_of("1. a2-b3 h7-g6 *\n"), 0, 0.5);
  REQUIRE(open);
  CHECK(open->empty());
  const auto opening = samples_of(record_of("1. a2-b3 {random} h7-g6 {random} 1-0\n"), 0, 0.5);
  REQUIRE(opening);
  CHECK(opening->empty());
  const auto capped =
      samples_of(record_of("[Termination \"capped\"]\n\n1. a2-b3 h7-g6 *\n"), 0, 0.5);
  REQUIRE(capped);
  REQUIRE(capped->size() == 2);
  CHECK(capped->front().capped);
  CHECK(capped->front().weight == 0.5f);
  CHECK(capped->front().result == 0);
}

TEST_CASE("the moves of an opening that was given make no samples") {
  const std::string moves = "\n\n1. a2-b3 h7-g6 2. b2-b3 0-1\n";
  const auto samples = samples_of(record_of("[OpeningPlies \"2\"]" + moves), 0, 0.5);
  REQUIRE(samples);
  REQUIRE(samples->size() == 1);
  CHECK(samples->front().position.ply() == 2);
  const auto bad = samples_of(record_of("[OpeningPlies \"two\"]" + moves), 0, 0.5);
  REQUIRE_FALSE(bad);
  CHECK_THAT(bad.error().message, Contains("OpeningPlies is \"two\""));
}

TEST_CASE("a value that is none is named with its ply") {
  for (const char* value : {"2.5", "-1.01", "#3", "", "nan", "0.5x", "+-1"}) {
    CAPTURE(value);
    const auto samples = samples_of(
        record_of("1. a2-b3 h7-g6 {[%eval " + std::string(value) + "]} 1-0\n"), 0, 0.5);
    REQUIRE_FALSE(samples);
    CHECK_THAT(samples.error().message,
               Contains("ply 2: [%eval " + std::string(value) + "] is not a value in -1 … 1"));
  }
}
