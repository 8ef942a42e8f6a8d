#include <cmath>
#include <cstring>

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "nn/network.h"
#include "nn_test_helpers.h"

using namespace gounki;
using namespace gounki::nn;

namespace {

std::vector<float> numbers(const Tensor& tensor) {
  std::vector<float> out(tensor.data.size() / sizeof(float));
  std::memcpy(out.data(), tensor.data.data(), tensor.data.size());
  return out;
}

std::vector<float> weight(const Learner& learner, const std::string& name) {
  return numbers(learner.state().tensors.at("weights/" + name));
}

std::unique_ptr<Learner> tiny_learner(const LearnerConfig& config = {}, std::uint64_t seed = 1,
                                      int threads = 1) {
  return backend().make_learner(test::kTiny, config, seed, threads);
}

// Steps from..to, each with a batch of its own.
void learn(Learner& learner, int from, int to) {
  for (int step = from; step < to; ++step)
    learner.step(test::random_batch(8, 1000 + static_cast<std::uint64_t>(step)));
}

}  // namespace

TEST_CASE("a learner learns a small batch by heart") {
  const Batch batch = test::random_batch(16, 4);
  const auto learner = backend().make_learner({.blocks = 2, .channels = 16},
                                              {.learning_rate = 0.05, .warmup_steps = 10}, 2, 1);
  const Losses first = learner->step(batch);
  Losses last;
  for (int i = 0; i < 150; ++i) last = learner->step(batch);
  CHECK(learner->steps() == 151);
  CHECK(first.value == Approx(std::log(3.0)).margin(0.2));  // it begins knowing nothing
  CHECK(last.value < 0.05);
  CHECK(last.value_accuracy == Approx(1.0));
  CHECK(last.policy < first.policy);
  CHECK(last.policy - last.policy_entropy < 0.1);
  CHECK(last.policy_entropy == Approx(first.policy_entropy));
  CHECK(last.plies < 0.1 * first.plies);
}

TEST_CASE("losses are weighted means") {
  Batch batch = test::random_batch(6, 8);
  const LearnerConfig config{.value_weight = 0.5, .plies_weight = 0.25, .reply_weight = 0.125};
  const Losses losses = tiny_learner(config)->step(batch);
  CHECK(losses.total ==
        Approx(losses.policy + 0.5 * losses.value + 0.25 * losses.plies + 0.125 * losses.reply));
  CHECK(losses.reply > 0.0);
  CHECK(losses.gradient_norm > 0.0);
  for (float& weight : batch.weight) weight *= 8.0f;
  CHECK(tiny_learner(config)->step(batch).total == Approx(losses.total));
  batch.plies_left.assign(6, -1.0f);
  batch.reply.assign(6, -1);
  const Losses without = tiny_learner(config)->step(batch);
  CHECK(without.plies == 0.0);
  CHECK(without.reply == 0.0);
}

TEST_CASE("the auxiliary head learns the reply, and is not part of what plays") {
  const Batch batch = test::random_batch(16, 4);
  const LearnerConfig config{.learning_rate = 0.05, .warmup_steps = 10, .reply_weight = 1.0};
  const auto learner = backend().make_learner({.blocks = 2, .channels = 16}, config, 2, 1);
  const Losses first = learner->step(batch);
  Losses last;
  for (int i = 0; i < 150; ++i) last = learner->step(batch);
  CHECK(first.reply > 5.0);
  CHECK(last.reply < 0.2);
  CHECK_FALSE(learner->checkpoint().weights.tensors.contains("reply.weight"));

  const auto off = tiny_learner({.reply_weight = 0.0});
  const auto before = weight(*off, "reply.weight");
  CHECK(off->step(batch).reply == 0.0);
  for (std::size_t i = 0; i < before.size(); ++i)  // weight decay alone moves it
    CHECK(weight(*off, "reply.weight")[i] == Approx(before[i]).margin(1e-6));
}

TEST_CASE("AdamW changes each weight by its rate at first, and learns") {
  const LearnerConfig config{.optimizer = "adamw", .learning_rate = 1e-3, .warmup_steps = 0,
                             .weight_decay = 0.0, .gradient_clip = 0.0};
  const auto learner = tiny_learner(config);
  const auto before = weight(*learner, "policy.weight");
  learn(*learner, 0, 1);
  const auto after = weight(*learner, "policy.weight");
  int moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double change = std::abs(after[i] - before[i]);
    CHECK(change < 1.001e-3);
    moved += change > 0.99e-3;
  }
  CHECK(moved > static_cast<int>(before.size()) / 2);

  const Batch batch = test::random_batch(16, 4);
  const auto adam = backend().make_learner({.blocks = 2, .channels = 16},
                                           {.optimizer = "adamw", .learning_rate = 0.01}, 2, 1);
  Losses last;
  for (int i = 0; i < 200; ++i) last = adam->step(batch);
  CHECK(last.value < 0.05);
  CHECK(last.policy - last.policy_entropy < 0.1);
}

TEST_CASE("decoupled weight decay shrinks kernels by the rate") {
  const LearnerConfig config{.optimizer = "adamw", .learning_rate = 0.1, .warmup_steps = 0,
                             .momentum = 0.0, .weight_decay = 0.5, .gradient_clip = 1e-12,
                             .reply_weight = 0.0};
  const auto learner = tiny_learner(config);
  const auto before = weight(*learner, "reply.weight");
  learn(*learner, 0, 1);
  const auto after = weight(*learner, "reply.weight");
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(after[i] == Approx(0.95f * before[i]).margin(1e-6));
}

TEST_CASE("a small step lowers the loss by what the gradient promises") {
  // To first order the loss falls by rate * |gradient|^2, if every part of the gradient is right.
  const double rate = 1e-4;
  for (const int channels : {8, 32, 40}) {
    const NetworkConfig network{.blocks = 2, .channels = channels};
    const LearnerConfig config{.learning_rate = rate, .warmup_steps = 1, .momentum = 0.0,
                               .weight_decay = 0.0, .gradient_clip = 0.0};
    const auto learner = backend().make_learner(network, config, 3, 1);
    const Batch batch = test::random_batch(32, 70);
    const Losses before = learner->step(batch);
    const Losses after = learner->step(batch);
    INFO(channels << " channels");
    CHECK((before.total - after.total) / rate == Approx(std::pow(before.gradient_norm, 2)).epsilon(0.05));
  }
}

TEST_CASE("weights begin from the seed alone") {
  const std::string first = to_bytes(tiny_learner({}, 5)->state());
  learn(*tiny_learner({}, 6), 0, 1);
  CHECK(to_bytes(tiny_learner({}, 5)->state()) == first);
  CHECK(to_bytes(tiny_learner({}, 6)->state()) != first);
}

TEST_CASE("twenty steps are ten and ten, to the bit") {
  LearnerConfig config{.warmup_steps = 4, .decay_steps = 10};
  config.optimizer = GENERATE(as<std::string>(), "sgd", "adamw");
  const auto whole = tiny_learner(config);
  learn(*whole, 0, 20);
  const auto half = tiny_learner(config);
  learn(*half, 0, 10);
  const auto state = parse_safetensors(to_bytes(half->state()));
  REQUIRE(state);
  const auto resumed = backend().restore_learner(*state, config, 1);
  REQUIRE(resumed);
  CHECK((*resumed)->steps() == 10);
  learn(**resumed, 10, 20);
  CHECK(to_bytes((*resumed)->state()) == to_bytes(whole->state()));
  CHECK(to_bytes((*resumed)->checkpoint().weights) == to_bytes(whole->checkpoint().weights));
  CHECK((*resumed)->checkpoint().step == 20);
}

TEST_CASE("any number of threads learns the same bits") {
  const auto one = tiny_learner(), two = tiny_learner({}, 1, 2), many = tiny_learner({}, 1, 7);
  for (std::uint64_t step = 0; step < 4; ++step) {
    const Batch batch = test::random_batch(150, 1000 + step);  // three slices
    one->step(batch);
    two->step(batch);
    many->step(batch);
  }
  CHECK(to_bytes(one->state()) == to_bytes(two->state()));
  CHECK(to_bytes(one->state()) == to_bytes(many->state()));
}

TEST_CASE("statistics are those of the whole batch") {
  // With a rate of 0 the weights stay, and after the first step the running statistics are the batch's.
  const LearnerConfig config{.learning_rate = 0.0, .weight_decay = 0.0};
  const auto sliced = tiny_learner(config);
  const Batch batch = test::random_batch(150, 5);
  sliced->step(batch);
  // The stem sees the planes alone, so its sums can be made by hand.
  const auto mean = weight(*sliced, "stem.mean"), variance = weight(*sliced, "stem.variance");
  const auto kernel = weight(*sliced, "stem.weight");
  for (int channel = 0; channel < test::kTiny.channels; ++channel) {
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < batch.size; ++i)
      for (int square = 0; square < 64; ++square) {
        double y = 0.0;
        for (int plane = 0; plane < kPlanes; ++plane)
          for (int tap = 0; tap < 9; ++tap) {
            const int rank = square / 8 + tap / 3 - 1, file = square % 8 + tap % 3 - 1;
            if (rank < 0 || rank > 7 || file < 0 || file > 7) continue;
            y += kernel[(channel * kPlanes + plane) * 9 + tap] *
                 batch.planes[(i * kPlanes + plane) * 64 + rank * 8 + file];
          }
        sum += y;
        squares += y * y;
      }
    const double n = 64.0 * batch.size;
    CHECK(mean[channel] == Approx(sum / n).margin(1e-5));
    CHECK(variance[channel] == Approx(squares / n - sum / n * sum / n).epsilon(1e-4));
  }
}

TEST_CASE("a step that is not finite stops and changes nothing") {
  const auto learner = tiny_learner();
  learn(*learner, 0, 3);
  const std::string before = to_bytes(learner->state());
  Batch batch = test::random_batch(8, 50);
  std::string expected;

  SECTION("a target") {
    batch.wdl[4] = std::nanf("");
    expected = "win, draw, loss of sample 1 is not finite";
  }
  SECTION("a plane so large that the network overflows") {
    batch.planes[70] = 3e38f;
    expected = "step 4 is not finite";
  }
  CHECK_THROWS_WITH(learner->step(batch), Catch::Contains(expected));
  CHECK(to_bytes(learner->state()) == before);

  const auto other = tiny_learner();
  learn(*other, 0, 6);
  learn(*learner, 3, 6);  // it goes on as if nothing had been
  CHECK(to_bytes(learner->state()) == to_bytes(other->state()));
}

TEST_CASE("illegal moves get no gradient") {
  // At the start no stack can deploy: the biases of those templates stay 0.
  Batch batch = test::random_batch(4, 60);
  const Position start = Position::start();
  batch.policy_offsets = {0};
  batch.policy_index.clear();
  batch.policy.clear();
  for (int i = 0; i < batch.size; ++i) {
    encode(start, 0, std::span<float, kInputSize>(&batch.planes[i * kInputSize], kInputSize));
    const MoveList moves = legal_moves(start);
    for (const Move move : moves) {
      batch.policy_index.push_back(static_cast<std::uint16_t>(move.index()));
      batch.policy.push_back(move == moves[i] ? 1.0f : 0.0f);
    }
    batch.policy_offsets.push_back(static_cast<std::int32_t>(batch.policy.size()));
  }
  const auto learner = tiny_learner({.learning_rate = 0.1, .warmup_steps = 1});
  for (int i = 0; i < 5; ++i) learner->step(batch);
  const std::vector<float> bias = weight(*learner, "policy.bias");
  CHECK(bias[0] != 0.0f);
  for (int how = 15; how < Template::kCount; ++how) CHECK(bias[how] == 0.0f);
}

TEST_CASE("weight decay shrinks kernels and nothing else") {
  const LearnerConfig config{.learning_rate = 1.0, .warmup_steps = 0, .momentum = 0.0,
                             .weight_decay = 0.1, .gradient_clip = 1e-9};
  const auto learner = tiny_learner(config);
  const auto stem = weight(*learner, "stem.weight"), scale = weight(*learner, "stem.scale");
  learn(*learner, 0, 1);
  const auto stem_after = weight(*learner, "stem.weight"), scale_after = weight(*learner, "stem.scale");
  for (std::size_t i = 0; i < stem.size(); ++i)
    CHECK(stem_after[i] == Approx(0.9f * stem[i]).margin(1e-6));
  for (std::size_t i = 0; i < scale.size(); ++i) CHECK(scale_after[i] == Approx(scale[i]).margin(1e-6));
}

TEST_CASE("the learning rate warms up and the gradient is clipped") {
  const auto first_change = [](LearnerConfig config) {
    config.momentum = config.weight_decay = 0.0;
    const auto learner = tiny_learner(config);
    const auto before = weight(*learner, "policy.weight");
    learn(*learner, 0, 1);
    const auto after = weight(*learner, "policy.weight");
    double sum = 0.0;
    for (std::size_t i = 0; i < before.size(); ++i) sum += std::pow(after[i] - before[i], 2);
    return std::sqrt(sum);
  };
  const double whole = first_change({.learning_rate = 0.1, .warmup_steps = 1, .gradient_clip = 0.0});
  CHECK(first_change({.learning_rate = 0.1, .warmup_steps = 4, .gradient_clip = 0.0}) ==
        Approx(whole / 4).epsilon(1e-3));
  CHECK(first_change({.learning_rate = 0.1, .warmup_steps = 1, .gradient_clip = 0.01}) < 0.1 * 0.0101);
}

TEST_CASE("what plays is an average of the weights") {
  const auto last = tiny_learner({.learning_rate = 0.1, .warmup_steps = 1, .average_decay = 0.0});
  learn(*last, 0, 5);
  CHECK(numbers(last->checkpoint().weights.tensors.at("hidden.weight")) == weight(*last, "hidden.weight"));

  const auto averaged = tiny_learner({.learning_rate = 0.1, .warmup_steps = 1, .average_decay = 0.9});
  const auto begin = weight(*averaged, "stem.shift");
  learn(*averaged, 0, 5);
  const auto average = numbers(averaged->checkpoint().weights.tensors.at("stem.shift"));
  CHECK(average != begin);
  CHECK(average != weight(*averaged, "stem.shift"));
}

TEST_CASE("a state that cannot be gone on from says why") {
  const TensorFile good = tiny_learner()->state();
  TensorFile state = good;
  std::string expected;
  SECTION("a checkpoint") {
    state = tiny_learner()->checkpoint().weights;
    expected = "not a learner's state";
  }
  SECTION("another encoder") { state.metadata["encoder_version"] = "77"; expected = "encoder version 77"; }
  SECTION("no step") { state.metadata["step"] = "ten"; expected = "step is not a number"; }
  SECTION("no network") { state.metadata.erase("network"); expected = "the network's shape"; }
  SECTION("another optimizer") { state.metadata["optimizer"] = "adamw"; expected = "optimizer adamw, not sgd"; }
  SECTION("no average") { state.tensors.erase("average/wdl.bias"); expected = "average/wdl.bias is missing"; }
  SECTION("no momentum") { state.tensors.erase("momentum/wdl.bias"); expected = "momentum/wdl.bias is missing"; }
  SECTION("another shape") {
    state.tensors["weights/wdl.bias"].shape = {4};
    expected = "weights/wdl.bias has shape [4]";
  }
  SECTION("too few bytes") {
    state.tensors["weights/wdl.bias"].data.pop_back();
    expected = "weights/wdl.bias has 11 bytes";
  }
  const auto restored = backend().restore_learner(state, {}, 1);
  REQUIRE_FALSE(restored);
  CHECK_THAT(restored.error().message, Catch::Contains(expected));
}
