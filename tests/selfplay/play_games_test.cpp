#include "selfplay/play_games.h"

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "core/record.h"
#include "fake_backend.h"
#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;
using Catch::Matchers::Contains;

namespace {

const std::atomic<int> kNoStop{0};

PlayTotals play(const support::fs::path& run, int groups, int threads, const Events& events = {}) {
  fake::Backend backend;
  return play_games(run, support::tiny_config(), {groups, threads}, backend, events, kNoStop);
}

}  // namespace

TEST_CASE("one thread and four write the same bytes") {
  const support::TemporaryFolder folder;
  play(folder / "one", 8, 1);
  play(folder / "four", 8, 4);
  CHECK(support::differences(folder / "one", folder / "four") == "");
  CHECK(RunFolder(folder / "one").groups().size() == 8);
}

TEST_CASE("where GPUs serve networks two threads share a core, and the bytes are the same") {
  const support::TemporaryFolder folder;
  fake::Backend backend;
  CHECK(playing_threads(backend, 3) == 3);
  backend.pretended_gpus = 2;
  CHECK(playing_threads(backend, 3) == 6);

  Events events;
  int threads = 0;
  events.started = [&](const Started& event) { threads = event.threads; };
  play_games(folder / "gpus", support::tiny_config(), {8, 2}, backend, events, kNoStop);
  CHECK(threads == 4);
  play(folder / "cores", 8, 2);
  CHECK(support::differences(folder / "gpus", folder / "cores") == "");
}

TEST_CASE("playing goes on where it stopped, and fills gaps") {
  const support::TemporaryFolder folder;
  play(folder / "whole", 6, 1);
  play(folder / "parts", 2, 1);
  const RunFolder run(folder / "parts");
  support::fs::remove(run.record_path(0));
  play(run.path(), 5, 2);
  CHECK(support::differences(folder / "whole", folder / "parts") == "");
}

TEST_CASE("two processes share the groups of a run") {
  const support::TemporaryFolder folder;
  const pid_t child = support::start_child("play", folder / "run");
  play(folder / "run", 5, 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  play(folder / "alone", 10, 1);
  CHECK(support::differences(folder / "alone", folder / "run") == "");
}

TEST_CASE("events tell of each group") {
  const support::TemporaryFolder folder;
  std::vector<GroupFinished> told;
  Events events;
  events.group_finished = [&](const GroupFinished& event) { told.push_back(event); };
  const PlayTotals totals = play(folder / "run", 4, 2, events);
  REQUIRE(told.size() == 4);
  CHECK(told.back().groups_done == 4);
  CHECK(told.back().groups == 4);
  CHECK(told.back().total.games == 12);
  CHECK(told.back().moves_per_second() > 0);
  CHECK(totals.stats.games == 12);
  std::set<std::int64_t> groups;
  for (const auto& event : told) groups.insert(event.group);
  CHECK(groups == std::set<std::int64_t>{0, 1, 2, 3});
}

TEST_CASE("an interrupt finishes the groups under way") {
  const support::TemporaryFolder folder;
  fake::Backend backend;
  std::atomic<int> stop{0};
  Events events;
  events.group_finished = [&](const GroupFinished& event) {
    if (event.groups_done == 3) stop = kFinishGames;
  };
  const PlayTotals totals =
      play_games(folder / "run", support::tiny_config(), {0, 2}, backend, events, stop);
  const std::size_t groups = RunFolder(folder / "run").groups().size();
  CHECK(totals.stats.games == static_cast<std::int64_t>(3 * groups));
  CHECK(groups >= 3);
  CHECK(groups <= 4);
  CHECK(support::fs::is_empty(folder / "run/claims"));
}

TEST_CASE("the newest checkpoint that can be read plays") {
  const support::TemporaryFolder folder;
  play(folder / "run", 1, 1);
  fake::Backend backend;
  nn::Checkpoint newer = first_learner(backend, support::tiny_config(), 1)->checkpoint();
  newer.step = 5;
  nn::save_checkpoint(newer, nn::checkpoint_path(folder / "run", 5));
  write_file_atomically(nn::checkpoint_path(folder / "run", 9), "damaged");

  std::vector<std::string> damaged;
  Events events;
  events.damaged = [&](const std::string& text) { damaged.push_back(text); };
  play(folder / "run", 2, 1, events);
  REQUIRE(damaged.size() == 1);
  CHECK_THAT(damaged[0], Contains("step-00000009.safetensors"));
  CHECK(load_shard(RunFolder(folder / "run").shard_path(2))->network_step == 5);
}

TEST_CASE("a disk that is full ends the work with the file's name") {
  const support::TemporaryFolder folder;
  play(folder / "run", 1, 1);
  std::string message;
  {
    const support::FileSizeLimit limit(500);
    try {
      play(folder / "run", 4, 2);
    } catch (const Failure& failure) {
      message = failure.what();
    }
  }
  CHECK_THAT(message, Contains("cannot write") && Contains("samples/0000000"));
  CHECK(RunFolder(folder / "run").groups().size() == 1);
  play(folder / "run", 4, 2);
  play(folder / "other", 5, 1);
  CHECK(support::differences(folder / "run", folder / "other") == "");
}
