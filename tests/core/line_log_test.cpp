#include "core/line_log.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/files.h"
#include "tests/temporary_folder.h"

namespace gounki {
namespace {

TEST_CASE("a log grows by lines, and a line that a kill cut off is removed") {
  const testing::TemporaryFolder folder;
  const auto path = folder / "log";
  for (const char* torn : {"", "thr", "three"}) {
    write_file_atomically(path, std::string("one\ntwo\n") + torn);
    LineLog log(path);
    CHECK(read_file(path) == "one\ntwo\n");
    log.append("three");
    log.sync();
    CHECK(read_file(path) == "one\ntwo\nthree\n");
  }
}

TEST_CASE("a log has one writer, also under another name") {
  const testing::TemporaryFolder folder;
  {
    LineLog log(folder / "log");
    CHECK(log.is_empty());
    log.append("one");
    CHECK_FALSE(log.is_empty());
    std::filesystem::create_hard_link(folder / "log", folder / "other");
    std::filesystem::create_symlink(folder / "log", folder / "third");
    for (const char* name : {"log", "other", "third"})
      CHECK_THROWS_WITH(LineLog(folder / name), Catch::Contains("is being written by another"));
  }
  CHECK_FALSE(LineLog(folder / "third").is_empty());
}

TEST_CASE("a log that its check refuses stays as it is") {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "log", "one\ntorn");
  const auto refuse = [](std::string_view bytes) { throw Failure("no: " + std::string(bytes)); };
  CHECK_THROWS_WITH(LineLog(folder / "log", refuse), "no: one\ntorn");
  CHECK(read_file(folder / "log") == "one\ntorn");
  CHECK_NOTHROW(LineLog(folder / "log"));
}

TEST_CASE("a log that cannot be written says which file") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_WITH(LineLog(folder / "no/log"), Catch::Contains("no/log: No such file"));
  CHECK_THROWS_WITH(LineLog(folder.path()), Catch::Contains("directory"));
  CHECK_THROWS_WITH(LineLog("/dev/null"), Catch::Contains("/dev/null: it is there and no ordinary"));
}

}  // namespace
}  // namespace gounki
