#include "selfplay/metrics.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;

TEST_CASE("a line that a kill cut off is removed, whole lines stay") {
  const support::TemporaryFolder folder;
  const auto path = folder / "metrics.jsonl";
  {
    MetricsLog log(path);
    log.append({{"type", "start"}, {"elo", std::numeric_limits<double>::infinity()}});
    log.append({{"type", "iteration"}});
    log.sync();
  }
  const std::string whole = read_file(path);
  CHECK(whole == "{\"type\":\"start\",\"elo\":null}\n{\"type\":\"iteration\"}\n");
  for (const std::string rest : {"{", "{\"type\":\"it", "{\"type\":\"iteration\"}"}) {
    write_file_atomically(path, whole + rest);
    CHECK(read_metrics(path).size() == 2);
    MetricsLog log(path);
    CHECK(read_file(path) == whole);
    log.append({{"type", "stop"}});
    CHECK(read_metrics(path).size() == 3);
  }
  write_file_atomically(path, "{\"type\":");
  MetricsLog log(path);
  CHECK(read_file(path).empty());
}

TEST_CASE("lines that are no objects are left out") {
  const support::TemporaryFolder folder;
  write_file_atomically(folder / "m.jsonl", "{\"a\":1}\nnonsense\n[1]\n\n{\"b\":2}\n");
  const auto lines = read_metrics(folder / "m.jsonl");
  REQUIRE(lines.size() == 2);
  CHECK(lines[1]["b"] == 2);
  CHECK(read_metrics(folder / "none.jsonl").empty());
}

TEST_CASE("a metrics file that cannot be written is named") {
  const support::TemporaryFolder folder;
  write_file_atomically(folder / "file", "");
  CHECK_THROWS_WITH(MetricsLog(folder / "file/metrics.jsonl"),
                    Catch::Matchers::Contains("file/metrics.jsonl"));
  std::string message;
  {
    MetricsLog log(folder / "metrics.jsonl");
    log.append({{"type", "start"}});
    const support::FileSizeLimit limit(20);
    try {
      log.append({{"type", "iteration"}});
    } catch (const Failure& failure) {
      message = failure.what();
    }
  }
  CHECK_THAT(message,
             Catch::Matchers::Contains("cannot write " + (folder / "metrics.jsonl").string()));
  MetricsLog again(folder / "metrics.jsonl");
  CHECK(read_metrics(folder / "metrics.jsonl").size() == 1);
}
