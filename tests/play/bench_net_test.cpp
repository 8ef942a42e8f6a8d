#include <set>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "program.h"

using namespace gounki::play;
using Catch::Matchers::Contains;

TEST_CASE("bench net prints one object with every form and batch") {
  const Ran ran = gounki_program("bench net --network 1x8 --seconds 1 --json");
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  REQUIRE(count_lines(ran.out) == 1);
  const auto json = nlohmann::json::parse(ran.out);
  CHECK(json["network"] == "1x8");
  CHECK(json["peak_gflops"] > 0.0);
  CHECK(json["direct_multiply_adds"] > 1e5);
  std::set<std::string> names;
  double fastest = 0.0;
  for (const auto& form : json["forms"]) {
    names.insert(form["form"].get<std::string>());
    REQUIRE(form["batches"].size() == 8);
    for (const auto& batch : form["batches"]) {
      CHECK(batch["share_of_peak"].get<double>() * json["peak_gflops"].get<double>() ==
            Approx(batch["gflops"].get<double>()));
      fastest = std::max(fastest, batch["positions_per_second"].get<double>());
    }
    CHECK(form["batch_1_share"] > 0.0);
  }
  CHECK(names.contains("portable"));
  CHECK(names.contains("LibTorch"));
  CHECK(names.contains(json["best"]["form"].get<std::string>()));
  CHECK(json["best"]["positions_per_second"] == fastest);
  for (const char* name : {"one_thread", "two_threads", "beside_us", "forward_us"})
    CHECK(json[name] > 0.0);
}

TEST_CASE("bench net without LibTorch measures the rest and says why") {
  const Ran ran = shell("GOUNKI_TORCH_MODULE=/nowhere/x.so \"$gounki\" bench net --network 1x8 --seconds 1");
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("without LibTorch: ") && Contains("/nowhere/x.so"));
  CHECK_THAT(ran.out, Contains("best: ") && Contains("two threads: ") && Contains("beside the network"));
}

TEST_CASE("what bench does not take") {
  struct Case {
    const char *arguments, *message;
  };
  for (const Case& c : {Case{"bench net --network 4", "expected blocks x channels"},
                        Case{"bench net --network 4x7", "--network 4x7: "},
                        Case{"bench net --network ax32", "--network ax32: "},
                        Case{"bench net --network 4x32 --model a", "one of the two"},
                        Case{"bench --network 4x32", "`gounki bench net`"},
                        Case{"bench --config a.toml", "`gounki bench selfplay`"},
                        Case{"bench selfplay", "--config is missing"},
                        Case{"bench selfplay --config /nowhere/a.toml", "/nowhere/a.toml"},
                        Case{"bench nets", "search"}}) {
    const Ran ran = gounki_program(c.arguments);
    INFO(c.arguments);
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Contains(c.message));
    CHECK(ran.out.empty());
  }
  const Ran ran = gounki_program("bench net --model /nowhere/a.safetensors");
  CHECK(ran.status == 1);
  CHECK_THAT(ran.err, Contains("/nowhere/a.safetensors"));
}

TEST_CASE("bench net renews the choice of kernels") {
  const Ran ran = shell(
      "export XDG_CACHE_HOME=$(mktemp -d)\n"
      "\"$gounki\" bench net --network 1x8 --seconds 1 >/dev/null && cat $XDG_CACHE_HOME/gounki/kernels.json\n"
      "rm -r $XDG_CACHE_HOME");
  INFO(ran.err);
  CHECK(nlohmann::json::parse(ran.out).size() == 1);
}
