#include "selfplay/learn.h"

#include <catch2/catch.hpp>

#include "fake_backend.h"
#include "selfplay/learning.h"
#include "selfplay/play_games.h"
#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;
using Catch::Matchers::Contains;

namespace {

const std::atomic<int> kNoStop{0};

struct Run {
  explicit Run(int groups) {
    config.run.save_steps = 4;
    if (groups > 0) play_games(path(), config, {groups, 1}, backend, {}, kNoStop);
  }
  support::fs::path path() const { return folder / "run"; }
  LearnSummary learn(std::int64_t steps = 0, const Events& events = {}) {
    return selfplay::learn(path(), {}, {steps, 1, false}, backend, events, kNoStop);
  }

  support::TemporaryFolder folder;
  RunConfig config = support::tiny_config();
  fake::Backend backend;
};

}  // namespace

TEST_CASE("learning takes as many steps as the rows allow") {
  Run run(8);
  std::vector<std::string> written;
  Events events;
  events.checkpoint_written = [&](const auto& path) { written.push_back(path.stem().string()); };
  const LearnSummary summary = run.learn(0, events);
  CHECK(summary.rows > 100);
  CHECK(summary.steps == steps_allowed(run.config.replay, 16, summary.rows));
  CHECK(summary.taken == summary.steps);
  // One at the start, one whenever the steps are a multiple of save_steps, one at the end.
  REQUIRE(written.size() >= 3);
  CHECK(written[0] == "step-00000000");
  CHECK(written[1] == "step-00000004");
  CHECK(support::fs::exists(nn::checkpoint_path(run.path(), summary.steps)));

  const LearnSummary again = run.learn();
  CHECK(again.taken == 0);
  CHECK(again.steps == summary.steps);
}

TEST_CASE("steps in two calls are the steps of one") {
  Run one(6), two(6);
  one.learn(6);
  two.learn(3);
  two.learn(3);
  CHECK(read_file(one.path() / "learner.safetensors") ==
        read_file(two.path() / "learner.safetensors"));
  CHECK(read_file(nn::checkpoint_path(one.path(), 6)) ==
        read_file(nn::checkpoint_path(two.path(), 6)));
}

TEST_CASE("too few rows are said, with where and how many it takes") {
  Run run(0);
  run.config.replay.rows_to_start = 1000;
  play_games(run.path(), run.config, {1, 1}, run.backend, {}, kNoStop);
  CHECK_THROWS_AS(run.learn(), Failure);
  CHECK_THROWS_WITH(run.learn(), Contains("too few rows to learn from: ") &&
                                     Contains("rows in 1 shards of ") && Contains("run/samples") &&
                                     Contains("rows_to_start asks for 1000"));
}

TEST_CASE("samples of another folder make a run that has none learn as they made their own") {
  Run own(6), other(0);
  const support::TemporaryFolder folder;
  for (std::int64_t group = 0; group < 6; ++group)
    support::fs::copy_file(RunFolder(own.path()).shard_path(group),
                           folder / ("made-elsewhere-" + std::to_string(group) + ".npz"));
  const LearnRequest request{0, 1, false, folder.path()};
  const auto learn_there = [&](const std::optional<RunConfig>& config, const Events& events) {
    return learn(other.path(), config, request, other.backend, events, kNoStop);
  };
  CHECK_THROWS_WITH(learn_there(std::nullopt, {}), Contains("a config is needed"));

  const LearnSummary there = learn_there(other.config, {});
  CHECK(there.steps == own.learn().steps);
  CHECK(read_file(own.path() / "learner.safetensors") ==
        read_file(other.path() / "learner.safetensors"));
  CHECK(support::fs::exists(nn::checkpoint_path(other.path(), there.steps)));
  INFO("now the run is there and needs no config");
  CHECK(learn_there(std::nullopt, {}).taken == 0);

  INFO("a damaged shard is named and left out");
  write_file_atomically(folder / "made-elsewhere-9.npz", "no zip");
  std::vector<std::string> told;
  Events events;
  events.damaged = [&](const std::string& text) { told.push_back(text); };
  CHECK(learn_there(std::nullopt, events).damaged == 1);
  REQUIRE(told.size() == 1);
  CHECK_THAT(told[0], Contains("made-elsewhere-9.npz: "));
}

TEST_CASE("too few rows in a folder, and no such folder") {
  Run run(0);
  const support::TemporaryFolder folder;
  const auto learn_from = [&](const support::fs::path& samples) {
    return learn(run.path(), run.config, {0, 1, false, samples}, run.backend, {}, kNoStop);
  };
  CHECK_THROWS_WITH(learn_from(folder.path()),
                    Contains("0 rows in 0 shards of " + folder.path().string()) &&
                        Contains("; add more"));
  CHECK_THROWS_WITH(learn_from(folder / "none"), Contains("none"));
}

TEST_CASE("nobody learns where another learner does") {
  Run run(3);
  const FileLock lock = RunFolder(run.path()).lock_learner();
  CHECK_THROWS_WITH(run.learn(), Contains("is in use by process"));
}

TEST_CASE("a checkpoint that says something else than what was learned stops the run") {
  Run run(8);
  run.backend.learner_differs_by = 1;
  CHECK_THROWS_WITH(run.learn(), Contains("the network that plays differs from the one that learned"));
  CHECK(nn::checkpoints(run.path()).size() == 1);  // that of who played
}

TEST_CASE("a loss that is not finite leaves its batch behind") {
  Run run(4);
  run.backend.fails_at_step = 3;
  CHECK_THROWS_AS(run.learn(), Failure);
  CHECK_THROWS_WITH(run.learn(), Contains("not finite") && Contains("bad/step-3.npz"));
  const auto bad = load_shard(run.path() / "bad/step-3.npz");
  REQUIRE(bad);
  CHECK(bad->samples.size() == 16);
  CHECK(bad->network_step == 3);
}

TEST_CASE("a learner's state that is damaged is put aside, and learning begins anew") {
  Run run(4), other(4);
  const LearnSummary first = run.learn();
  const std::string whole = read_file(run.path() / "learner.safetensors");
  const std::string half = whole.substr(0, whole.size() / 2);
  for (const std::string& damage : {half, std::string("{}"), std::string()}) {
    write_file_atomically(run.path() / "learner.safetensors", damage);
    std::vector<std::string> told;
    Events events;
    events.damaged = [&](const std::string& text) { told.push_back(text); };
    const LearnSummary again = run.learn(0, events);
    CHECK(again.steps == first.steps);
    CHECK(read_file(run.path() / "learner.safetensors") == whole);
    CHECK(read_file(run.path() / "learner.safetensors.damaged") == damage);
    REQUIRE(told.size() == 1);
    CHECK_THAT(told[0], Contains("learner.safetensors: "));
  }
}

TEST_CASE("a learner that follows goes on when games come, until it has its steps") {
  Run run(1);
  int notes = 0;
  Events events;
  events.checkpoint_written = [&](const auto&) {
    // Each time it has learned all that it may, another group is played.
    if (++notes < 50)
      play_games(run.path(), run.config, {1, 1}, run.backend, {}, kNoStop);
  };
  const LearnSummary summary =
      learn(run.path(), {}, {30, 1, true}, run.backend, events, kNoStop);
  CHECK(summary.taken == 30);
  CHECK(support::fs::exists(nn::checkpoint_path(run.path(), 30)));

  std::atomic<int> stop{0};
  events.checkpoint_written = [&](const auto&) { stop = kFinishGames; };
  CHECK(learn(run.path(), {}, {0, 1, true}, run.backend, events, stop).steps > 30);
}

TEST_CASE("progress is told at the end of the steps") {
  Run run(4);
  std::vector<LearnerProgress> told;
  Events events;
  events.learner_progress = [&](const LearnerProgress& progress) { told.push_back(progress); };
  const LearnSummary summary = run.learn(0, events);
  REQUIRE_FALSE(told.empty());
  CHECK(told.back().step == summary.steps);
  CHECK(told.back().last_step == summary.steps);
  CHECK(told.back().samples_per_second > 0);
  CHECK(told.back().losses.total > 0);
}
