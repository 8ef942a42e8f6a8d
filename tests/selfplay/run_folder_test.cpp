#include "selfplay/run_folder.h"

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;
using Catch::Matchers::Contains;

namespace {

// A child process that does `work` and then waits to be killed.
template <class Work>
pid_t fork_and_hold(Work&& work) {
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const auto held = work();
    static_cast<void>(!::write(ready[1], "x", 1));
    for (;;) ::pause();
  }
  char byte;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  ::close(ready[0]);
  ::close(ready[1]);
  return pid;
}

void kill_and_wait(pid_t pid) {
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

}  // namespace

TEST_CASE("a run is made once, and its config wins") {
  const support::TemporaryFolder folder;
  const RunFolder run(folder / "runs/one");
  RunConfig config = support::tiny_config();
  CHECK_THROWS_WITH(effective_config(run, std::nullopt), Contains("is not a run yet"));
  CHECK(to_toml(effective_config(run, config)) == to_toml(config));
  CHECK_FALSE(std::filesystem::exists(run.path()));
  prepare(run, config);
  CHECK(to_toml(effective_config(run, std::nullopt)) == to_toml(config));

  config.run.minutes = 99;
  config.run.threads = 3;
  config.selfplay.cache_mb = 77;
  CHECK(to_toml(effective_config(run, config)) == to_toml(config));
  config.learner.batch = 17;
  CHECK_THROWS_AS(effective_config(run, config), UsageError);
  CHECK_THROWS_WITH(effective_config(run, config), Contains("[learner] batch is 16, not 17"));
  config.search.algorithm = "x";
  CHECK_THROWS_WITH(effective_config(run, config), Contains("[search] algorithm"));
}

TEST_CASE("a folder with other things in it does not become a run") {
  const support::TemporaryFolder folder;
  write_file_atomically(folder / "thesis.tex", "");
  CHECK_THROWS_WITH(effective_config(RunFolder(folder.path()), support::tiny_config()),
                    Contains("is neither empty nor a run"));
}

TEST_CASE("a run does not begin with a network that is missing, damaged or larger than its own") {
  const support::TemporaryFolder folder;
  const RunFolder run(folder / "run");
  RunConfig config = support::tiny_config();
  config.run.begin_with = (folder / "none").string();
  CHECK_THROWS_WITH(effective_config(run, config), Contains("run.begin_with: ") && Contains("none"));
  config.run.begin_with = (folder / "damaged.safetensors").string();
  write_file_atomically(config.run.begin_with, "x");
  CHECK_THROWS_WITH(effective_config(run, config), Contains("damaged.safetensors"));
  config.run.begin_with = GOUNKI_GOLDEN "/../../models/reference.safetensors";
  CHECK_THROWS_WITH(effective_config(run, config), Contains("a network can grow, not shrink"));
  CHECK_THROWS_AS(effective_config(run, config), UsageError);
  CHECK_FALSE(std::filesystem::exists(run.path()));

  const auto reference = nn::load_checkpoint(config.run.begin_with);
  REQUIRE(reference);
  config.network = reference->network;
  ++config.network.blocks;
  CHECK_NOTHROW(effective_config(run, config));
  CHECK(first_weights(config)->weights.tensors.size() == reference->weights.tensors.size());
  config.run.begin_with = "";
  CHECK_FALSE(first_weights(config));
}

TEST_CASE("a folder in which a run was being made becomes one") {
  const support::TemporaryFolder folder;
  write_file_atomically(folder / "config.toml.tmp77", "[ru");
  const RunFolder run(folder.path());
  CHECK_NOTHROW(effective_config(run, support::tiny_config()));
  write_file_atomically(run.config_path(), to_toml(support::tiny_config()));  // and no folders
  CHECK(run.groups().empty());
  CHECK_FALSE(run.has_group(0));
  prepare(run, effective_config(run, std::nullopt));
  CHECK(run.claim_group(0));
}

TEST_CASE("a folder that cannot be made is named") {
  const support::TemporaryFolder folder;
  write_file_atomically(folder / "file", "");
  CHECK_THROWS_WITH(prepare(RunFolder(folder / "file/run"), support::tiny_config()),
                    Contains("cannot make the folder") && Contains("file/run"));
}

TEST_CASE("a group is done when its shard and its records are there") {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  prepare(run, support::tiny_config());
  for (const std::int64_t group : {0, 2, 10}) write_file_atomically(run.shard_path(group), "");
  for (const std::int64_t group : {10, 2, 3}) write_file_atomically(run.record_path(group), "");
  write_file_atomically(folder / "games/readme.pgn", "");
  write_file_atomically(folder / "games/00000004.pgn.tmp123", "");
  CHECK(run.groups() == std::vector<std::int64_t>{2, 10});
  CHECK_FALSE(run.has_group(0));
  CHECK(run.has_group(2));
  CHECK_FALSE(run.has_group(3));
}

TEST_CASE("the learner's lock names its holder and dies with it") {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  prepare(run, support::tiny_config());
  const pid_t child = fork_and_hold([&] { return run.lock_learner(); });
  CHECK_THROWS_WITH(run.lock_learner(), Contains("is in use by process " + std::to_string(child)));
  CHECK_THROWS_AS(run.lock_learner(), Failure);
  CHECK_FALSE(run.try_lock_learner());
  kill_and_wait(child);
  const FileLock lock = run.lock_learner();
  CHECK(FileLock::holder(folder / "learner.lock") == ::getpid());
  CHECK_THROWS_AS(run.lock_learner(), Failure);
}

TEST_CASE("a group is claimed by one, until it is done or its player dies") {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  prepare(run, support::tiny_config());
  const pid_t child = fork_and_hold([&] { return run.claim_group(4); });
  CHECK_FALSE(run.claim_group(4));
  CHECK(run.claim_group(5));
  kill_and_wait(child);
  write_file_atomically(folder / "samples/00000004.npz.tmp99", "what the killed one left");
  auto claim = run.claim_group(4);
  REQUIRE(claim);
  CHECK_FALSE(std::filesystem::exists(folder / "samples/00000004.npz.tmp99"));
  write_file_atomically(run.shard_path(4), "");
  write_file_atomically(run.record_path(4), "");
  claim->remove();
  CHECK_FALSE(run.claim_group(4));
  CHECK_FALSE(std::filesystem::exists(folder / "claims/00000004"));
}

TEST_CASE("what killed processes left is tidied away, what is in use stays") {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  prepare(run, support::tiny_config());
  for (const char* name : {"learner.safetensors.tmp1", "checkpoints/step-00000001.safetensors.tmp1",
                           "claims/00000001", "config.toml.tmp7"})
    write_file_atomically(folder / name, "");
  const auto claim = run.claim_group(2);
  run.tidy();
  CHECK(support::contents(folder.path()).size() == 2);
  CHECK(std::filesystem::exists(folder / "claims/00000002"));
  CHECK(std::filesystem::exists(folder / "config.toml"));
}
