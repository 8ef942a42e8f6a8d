#include "selfplay/sample.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;

TEST_CASE("samples of games are valid") {
  for (const Sample& sample : support::random_samples(200, 3)) CHECK(validate(sample));
}

TEST_CASE("what must not be in a sample is found") {
  const Sample good = support::random_samples(30, 5).back();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  struct Row {
    std::string message;
    std::function<void(Sample&)> spoil;
  };
  const Row rows[] = {
      {"the policy does not sum to 1", [](Sample& s) { s.policy[0].probability += 0.01f; }},
      {"a probability of the policy is not one", [&](Sample& s) { s.policy[0].probability = nan; }},
      {"a probability of the policy is not one",
       [](Sample& s) { s.policy[0].probability = -0.1f; }},
      {"the policy's moves are not the legal moves", [](Sample& s) { s.policy.pop_back(); }},
      {"the policy's moves are not the legal moves", [](Sample& s) { s.policy.clear(); }},
      {"the policy's moves are not the legal moves",
       [](Sample& s) { std::swap(s.policy[0].move, s.policy[1].move); }},
      {"the root value is not in -1 … 1", [&](Sample& s) { s.root_value = nan; }},
      {"the root value is not in -1 … 1", [](Sample& s) { s.root_value = 1.5f; }},
      {"the weight is negative or not finite", [](Sample& s) { s.weight = -1; }},
      {"the weight is negative or not finite",
       [](Sample& s) { s.weight = std::numeric_limits<float>::infinity(); }},
      {"the result is not -1, 0 or 1", [](Sample& s) { s.result = 2; }},
      {"the move that was played is not legal", [](Sample& s) { s.played = Move::from_index(2047); }},
      {"the reply is not legal", [](Sample& s) { s.reply = Move::from_index(2047); }},
      {"a proven value is not 1, 0 or -1", [](Sample& s) { s.exact = true, s.root_value = 0.5f; }},
      {"plies left is negative", [](Sample& s) { s.plies_left = -2; }},
      {"the game is over in the position", [](Sample& s) {
         Position lost;
         lost.put(Square(3, 3), Side::Black, Stack(1, 0));
         s.position = lost;
       }},
  };
  CHECK(validate(good));
  for (const Row& row : rows) {
    Sample bad = good;
    row.spoil(bad);
    const auto result = validate(bad);
    INFO(row.message);
    REQUIRE_FALSE(result);
    CHECK(result.error().message == row.message);
  }
}

TEST_CASE("a sample without null moves is valid too") {
  Position position;
  position.put(Square(6, 1), Side::White, Stack(2, 0));  // g2, whose squares can bounce back home
  position.put(Square(0, 6), Side::Black, Stack(1, 0));
  Rules rules;
  rules.null_moves = false;
  Sample sample;
  sample.position = position;
  const MoveList moves = legal_moves(position, rules);
  REQUIRE(moves.size() < count_legal_moves(position));
  for (const Move move : moves)
    sample.policy.push_back({move, 1.0f / static_cast<float>(moves.size())});
  sample.played = moves[0];
  CHECK(validate(sample));
}

TEST_CASE("a mirrored sample is the sample of the mirrored game") {
  for (const Sample& sample : support::random_samples(300, 11)) {
    const Sample other = mirrored(sample);
    CHECK(validate(other));
    CHECK(other.position == sample.position.mirrored());
    CHECK(mirrored(other) == sample);
    CHECK(other.position.after(other.played).same_board(sample.position.after(sample.played).mirrored()));
    for (const PolicyEntry& entry : sample.policy) {
      // The position that the mirrored move leads to is the mirror of where the move leads.
      const Move move = mirrored_move(sample.position, entry.move);
      const auto found = std::find_if(other.policy.begin(), other.policy.end(),
                                      [&](const PolicyEntry& e) { return e.move == move; });
      REQUIRE(found != other.policy.end());
      CHECK(found->probability == entry.probability);
      CHECK(other.position.after(move).same_board(
          sample.position.after(entry.move).mirrored()));
    }
  }
}

TEST_CASE("value targets") {
  struct Row {
    int result;
    float root_value;
    double mix;
    float win, draw, loss;
  };
  const Row rows[] = {
      {1, -1.0f, 0.0, 1.0f, 0.0f, 0.0f},     {0, 1.0f, 0.0, 0.0f, 1.0f, 0.0f},
      {-1, 0.0f, 0.0, 0.0f, 0.0f, 1.0f},     {1, 0.0f, 1.0, 0.5f, 0.0f, 0.5f},
      {1, 0.5f, 1.0, 0.75f, 0.0f, 0.25f},    {-1, 1.0f, 0.25, 0.25f, 0.0f, 0.75f},
      {0, -1.0f, 0.5, 0.0f, 0.5f, 0.5f},
  };
  for (const Row& row : rows) {
    Sample sample;
    sample.result = static_cast<std::int8_t>(row.result);
    sample.root_value = row.root_value;
    const mcts::WinDrawLoss target = value_target(sample, {row.mix, true});
    CHECK(target.win == Approx(row.win));
    CHECK(target.draw == Approx(row.draw));
    CHECK(target.loss == Approx(row.loss));
  }
}

TEST_CASE("a proven value stands in place of the result, where that is wanted") {
  for (const float proven : {1.0f, 0.0f, -1.0f}) {
    Sample sample;
    sample.exact = true;
    sample.root_value = proven;
    sample.result = proven == 1.0f ? -1 : 1;
    const mcts::WinDrawLoss exact = value_target(sample, {0.25, true});
    CHECK(exact.win == (proven > 0 ? 1.0f : 0.0f));
    CHECK(exact.draw == (proven == 0 ? 1.0f : 0.0f));
    CHECK(exact.loss == (proven < 0 ? 1.0f : 0.0f));
    const mcts::WinDrawLoss played = value_target(sample, {0.0, false});
    CHECK(played.win == (sample.result > 0 ? 1.0f : 0.0f));
    CHECK(played.loss == (sample.result < 0 ? 1.0f : 0.0f));
  }
}

TEST_CASE("a batch has a row for each sample") {
  const std::vector<Sample> samples = support::random_samples(20, 13);
  const nn::Batch batch = make_batch(samples, {0.0, false});
  REQUIRE(batch.size == 20);
  CHECK_NOTHROW(nn::check_batch(batch));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::array<float, nn::kInputSize> planes;
    nn::encode(samples[i].position, samples[i].repetitions, planes);
    CHECK(std::equal(planes.begin(), planes.end(), batch.planes.begin() + i * nn::kInputSize));
    const auto first = static_cast<std::size_t>(batch.policy_offsets[i]);
    REQUIRE(batch.policy_offsets[i + 1] - batch.policy_offsets[i] ==
            static_cast<std::int32_t>(samples[i].policy.size()));
    for (std::size_t k = 0; k < samples[i].policy.size(); ++k) {
      CHECK(batch.policy_index[first + k] == samples[i].policy[k].move.index());
      CHECK(batch.policy[first + k] == samples[i].policy[k].probability);
    }
    CHECK(batch.reply[i] == (samples[i].reply ? samples[i].reply->index() : -1));
    CHECK(batch.wdl[3 * i + 1 - samples[i].result] == 1.0f);
    CHECK(batch.plies_left[i] == static_cast<float>(samples[i].plies_left));
    CHECK(batch.weight[i] == 1.0f);  // weights decide how often a sample is drawn
  }
}
