#include "core/file_lock.h"

#include <unistd.h>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "tests/temporary_folder.h"

namespace gounki {
namespace {

TEST_CASE("a lock is held by one and names its holder") {
  const testing::TemporaryFolder folder;
  const auto path = folder / "lock";
  {
    const auto first = FileLock::try_lock(path);
    REQUIRE(first);
    CHECK(FileLock::holder(path) == ::getpid());
    CHECK_FALSE(FileLock::try_lock(path));
  }
  CHECK(FileLock::try_lock(path));
  CHECK_THROWS_AS(FileLock::try_lock(folder / "no/such/folder"), Failure);
}

TEST_CASE("a lock's file may be removed while others wait for it") {
  const testing::TemporaryFolder folder;
  const auto path = folder / "lock";
  auto first = FileLock::try_lock(path);
  REQUIRE(first);
  CHECK_FALSE(FileLock::try_lock(path));
  first->remove();
  auto second = FileLock::try_lock(path);
  REQUIRE(second);
  CHECK_FALSE(FileLock::try_lock(path));
}

}  // namespace
}  // namespace gounki
