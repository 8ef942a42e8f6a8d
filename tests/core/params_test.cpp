#include "core/params.h"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "support.h"

using namespace gounki;
using namespace gounki::test;
using namespace gounki::params_detail;

namespace {

struct SampleConfig {
  int visits = 400;
  std::uint64_t seed = 1;
  double noise = 0.25;
  float scale = 0.1f;
  bool mirrored = true;
  std::string name = "a \"name\"";

  template <class Visit>
  static void describe(Visit&& visit) {
    visit("visits", &SampleConfig::visits, Range{1, 1'000'000}, "Simulations for each move.");
    visit("seed", &SampleConfig::seed, Range{}, "Where randomness begins.");
    visit("noise", &SampleConfig::noise, Range{0, 1}, "Share of noise at the root.");
    visit("scale", &SampleConfig::scale, Range{0}, "Scale of the values.");
    visit("mirrored", &SampleConfig::mirrored, Range{}, "Whether to mirror samples.");
    visit("name", &SampleConfig::name, Range{}, "What to call it.");
  }
};

struct SmallConfig {
  int value = 0;
  template <class Visit>
  static void describe(Visit&& visit) {
    visit("value", &SmallConfig::value, Range{}, "Any.");
  }
};

struct EmptyConfig {
  template <class Visit>
  static void describe(Visit&&) {}
};

std::string error_of(const std::string& key, const std::string& value) {
  SampleConfig config;
  const auto result = set_param(config, key, value);
  return result ? "(accepted)" : result.error().message;
}

}  // namespace

TEST_CASE("parameters describe themselves") {
  const auto params = describe_params<SampleConfig>();
  REQUIRE(params.size() == 6);
  struct Row { std::string name, type, value; };
  const std::vector<Row> rows{{"visits", "integer", "400"}, {"seed", "integer", "1"},
                              {"noise", "number", "0.25"}, {"scale", "number", "0.1"},
                              {"mirrored", "true or false", "true"},
                              {"name", "text", "\"a \\\"name\\\"\""}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(params[i].name == rows[i].name);
    CHECK(params[i].type == rows[i].type);
    CHECK(params[i].value == rows[i].value);
    CHECK_FALSE(params[i].help.empty());
  }
  CHECK(params[0].range.max == 1'000'000);
}

TEST_CASE("parameters are set from text") {
  SampleConfig config;
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"visits", " 32 "}, {"seed", "+9223372036854775807"}, {"noise", "1e-3"}, {"scale", "2"},
           {"mirrored", "false"}, {"name", "any text"}}) {
    CAPTURE(key);
    CHECK(set_param(config, key, value).has_value());
  }
  CHECK(config.visits == 32);
  CHECK(config.seed == 9223372036854775807ULL);
  CHECK(config.noise == 1e-3);
  CHECK(config.scale == 2.0f);
  CHECK_FALSE(config.mirrored);
  CHECK(config.name == "any text");
}

TEST_CASE("what cannot be set is told with what was expected") {
  struct Row { std::string key, value, message; };
  for (const Row& row : {
           Row{"visit", "1", "unknown key \"visit\", did you mean \"visits\"?"},
           Row{"nose", "1", "unknown key \"nose\", did you mean \"noise\"?"},
           Row{"visits", "0", "visits: 0 is out of range, expected 1 to 1000000"},
           Row{"visits", "1000001", "visits: 1000001 is out of range, expected 1 to 1000000"},
           Row{"visits", "1e3", "visits: expected an integer, found \"1e3\", write 1000"},
           Row{"visits", "2.0", "visits: expected an integer, found \"2.0\", write 2"},
           Row{"visits", "2.5", "visits: expected an integer, found \"2.5\""},
           Row{"visits", "many", "visits: expected an integer, found \"many\""},
           Row{"visits", "", "visits: expected an integer, found \"\""},
           Row{"visits", "12 13", "visits: expected an integer, found \"12 13\""},
           Row{"visits", "+-1", "visits: expected an integer, found \"+-1\""},
           Row{"visits", "99999999999999999999",
               "visits: expected an integer, found \"99999999999999999999\""},
           Row{"seed", "-1", "seed: -1 is out of range, expected at least 0"},
           Row{"noise", "1.5", "noise: 1.5 is out of range, expected 0 to 1"},
           Row{"noise", "nan", "noise: expected a number, found \"nan\""},
           Row{"noise", "inf", "noise: expected a number, found \"inf\""},
           Row{"noise", "1e999", "noise: expected a number, found \"1e999\""},
           Row{"noise", "0x10", "noise: expected a number, found \"0x10\""},
           Row{"scale", "-0.5", "scale: -0.5 is out of range, expected at least 0"},
           Row{"scale", "1e39", "scale: 1e39 is out of range, expected at least 0"},
           Row{"mirrored", "yes", "mirrored: expected true or false, found \"yes\""},
           Row{"mirrored", "1", "mirrored: expected true or false, found \"1\""},
       }) {
    CAPTURE(row.key, row.value);
    CHECK(error_of(row.key, row.value) == row.message);
  }
  EmptyConfig empty;
  CHECK(set_param(empty, "a", "1").error().message == "unknown key \"a\", there are none here");
}

TEST_CASE("a value that is refused leaves the config as it was") {
  SampleConfig config;
  CHECK_FALSE(set_param(config, "visits", "0").has_value());
  CHECK(config.visits == 400);
}

TEST_CASE("integers stay within what their member holds") {
  SmallConfig config;
  CHECK(set_param(config, "value", "2147483647").has_value());
  CHECK(set_param(config, "value", "2147483648").error().message ==
        "value: 2147483648 is out of range, expected -2147483648 to 2147483647");
}

TEST_CASE("the nearest name is the one with the fewest edits") {
  const std::vector<std::string> known{"visits", "games", "minutes", "threads"};
  CHECK(nearest_name("visit", known) == "visits");
  CHECK(nearest_name("gmaes", known) == "games");
  CHECK(nearest_name("Threads", known) == "threads");
  CHECK(nearest_name("minute", known) == "minutes");
  CHECK(nearest_name("games", known) == "games");
  CHECK(nearest_name("", known) == "games");
  CHECK(nearest_name("x", {}).empty());
}

TEST_CASE("numbers are printed shortly, as TOML reads them, and come back the same") {
  struct Row { double value; std::string text; };
  for (const Row& row : {Row{0, "0.0"}, Row{1, "1.0"}, Row{-3, "-3.0"}, Row{0.1, "0.1"},
                         Row{1e22, "1e+22"}, Row{1e-7, "1e-07"}, Row{0.30000000000000004,
                             "0.30000000000000004"}})
    CHECK(to_toml(row.value) == row.text);
  CHECK(to_toml(0.1f) == "0.1");
  CHECK(to_toml(2.0f) == "2.0");
  CHECK(to_toml(std::int64_t{-5}) == "-5");
  CHECK(to_toml(true) == "true");
  CHECK(to_toml(std::string("a\\b\n\t\"\x01\x7F")) == "\"a\\\\b\\n\\t\\\"\\u0001\\u007F\"");

  Rng rng(51);
  for (int i = 0; i < share_of(20000); ++i) {
    const double exponent = static_cast<double>(rng.below(40)) - 20;
    const double value = (rng.uniform() - 0.5) * std::pow(10.0, exponent);
    REQUIRE(parse_number(to_toml(value), {}).value() == value);
    REQUIRE(static_cast<float>(parse_number(to_toml(static_cast<float>(value)), {}).value()) ==
            static_cast<float>(value));
    const auto integer = static_cast<std::int64_t>(rng());
    REQUIRE(parse_integer(to_toml(integer), {}).value() == integer);
  }
}

TEST_CASE("no text breaks the readers of values") {
  Rng rng(52);
  for (int i = 0; i < share_of(50000); ++i) {
    const std::string value = i % 2 ? random_bytes(rng, 12) : mutated(to_toml(rng.normal()), rng);
    const auto number = parse_number(value, {});
    REQUIRE((number ? std::isfinite(*number) : !number.error().message.empty()));
    const auto integer = parse_integer(value, {-100, 100});
    REQUIRE((integer ? std::abs(*integer) <= 100 : !integer.error().message.empty()));
    const auto boolean = parse_bool(value);
    REQUIRE((boolean || !boolean.error().message.empty()));
    SampleConfig config;
    REQUIRE_FALSE(set_param(config, mutated("visits", rng) + "!", value).has_value());
  }
}
