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

TEST_CASE("a log that cannot be written says which file") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_WITH(LineLog(folder / "no/log"), Catch::Contains("no/log: No such file"));
  CHECK_THROWS_WITH(LineLog(folder.path()), Catch::Contains("directory"));
  CHECK_THROWS_WITH(LineLog("/dev/null"), Catch::Contains("/dev/null: it is there and no ordinary"));
}

}  // namespace
}  // namespace gounki
