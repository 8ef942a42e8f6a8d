#include "selfplay/shard_source.h"

#include <map>

#include <catch2/catch.hpp>

#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;
using Catch::Matchers::Contains;

namespace {

std::map<std::string, std::int64_t> listed(const ShardSource& source) {
  std::map<std::string, std::int64_t> numbers;
  for (const ShardFile& shard : source.list())
    numbers[shard.path.filename().string()] = shard.number;
  return numbers;
}

using Numbers = std::map<std::string, std::int64_t>;

}  // namespace

TEST_CASE("a folder's shards are numbered by name, later ones go on") {
  const support::TemporaryFolder folder;
  for (const char* name : {"b.npz", "a.npz", "c.npz.tmp12", "notes.txt"})
    write_file_atomically(folder / name, "");
  support::fs::create_directory(folder / "folder.npz");
  const ShardSource source = ShardSource::in_folder(folder.path());
  CHECK(source.folder() == folder.path());
  CHECK(listed(source) == Numbers{{"a.npz", 0}, {"b.npz", 1}});

  write_file_atomically(folder / "aa.npz", "");
  CHECK(listed(source) == Numbers{{"a.npz", 0}, {"aa.npz", 2}, {"b.npz", 1}});
  CHECK(listed(ShardSource::in_folder(folder.path())) ==
        Numbers{{"a.npz", 0}, {"aa.npz", 1}, {"b.npz", 2}});
}

TEST_CASE("a folder that is not there is a failure") {
  CHECK_THROWS_AS(ShardSource::in_folder("/no/such/folder"), Failure);
  CHECK_THROWS_WITH(ShardSource::in_folder("/no/such/folder"), Contains("/no/such/folder"));
}

TEST_CASE("a run's shards have the numbers of their groups") {
  const support::TemporaryFolder folder;
  const RunFolder run(folder.path());
  prepare(run, support::tiny_config());
  for (const std::int64_t group : {2, 5}) {
    write_file_atomically(run.shard_path(group), "");
    write_file_atomically(run.record_path(group), "");
  }
  write_file_atomically(run.shard_path(7), "");  // not done: it has no records yet
  const ShardSource source = run;
  CHECK(source.folder() == run.samples());
  CHECK(listed(source) == Numbers{{"00000002.npz", 2}, {"00000005.npz", 5}});
}
