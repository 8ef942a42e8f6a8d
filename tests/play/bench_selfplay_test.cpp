#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "program.h"

using namespace gounki::play;
using Catch::Matchers::Contains;

TEST_CASE("bench selfplay counts the network's share in two ways") {
  const std::string arguments = "bench selfplay --config \"$golden/../../configs/ci.toml\" --seconds 1";
  const Ran json = gounki_program(arguments + " --json");
  REQUIRE(json.status == 0);
  const auto facts = nlohmann::json::parse(json.out);
  CHECK(facts["network"] == "2x16");
  CHECK(facts["games"].get<int>() >= 32);
  CHECK(facts["network_share"].get<double>() > 0.1);
  CHECK(facts["network_share"].get<double>() < 1.0);
  // The two ways see the same work; what else the machine does may part them.
  CHECK(facts["network_share_by_count"].get<double>() > 0.3 * facts["network_share"].get<double>());
  CHECK(facts["network_share_by_count"].get<double>() < 3.0 * facts["network_share"].get<double>());

}
