#include "play/ugi_settings.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;

namespace {

const arena::UgiOption& option_of(const std::vector<arena::UgiOption>& options,
                                  const std::string& name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const auto& option) { return option.name == name; });
  REQUIRE(found != options.end());
  return *found;
}

}  // namespace

TEST_CASE("every parameter is an option with its type and range and default") {
  const UgiSettings settings;
  const auto options = ugi_options(settings);
  const auto params = describe_params(settings);
  REQUIRE(options.size() == params.size());
  for (const ParamInfo& param : params) {
    const auto& option = option_of(options, param.name);
    INFO(to_string(option));
    CHECK((option.type == "spin") == (param.type == "integer"));
    CHECK((option.type == "check") == (param.type == "true or false"));
    CHECK((option.type == "combo" || option.type == "string") ==
          (param.type == "text" || param.type == "number"));
    if (option.type == "spin") CHECK(option.range.max == param.range.max);
  }
  CHECK(to_string(option_of(options, "visits")) ==
        "option name visits type spin default 400 min 1 max 100000000");
  CHECK(to_string(option_of(options, "reuse")) == "option name reuse type check default true");
  CHECK(to_string(option_of(options, "cpuct")) == "option name cpuct type string default 1.25");
  CHECK(to_string(option_of(options, "evaluator")) ==
        "option name evaluator type string default reference");
}

TEST_CASE("an option can be set to its own default and to each of its choices") {
  UgiSettings settings;
  for (const arena::UgiOption& option : ugi_options(settings)) {
    INFO(option.name);
    CHECK(arena::check_ugi_value(option, option.value));
    CHECK(set_ugi_option(settings, option.name, option.value));
    for (const std::string& choice : option.choices)
      CHECK(set_ugi_option(settings, option.name, choice));
    if (!option.choices.empty()) CHECK_FALSE(set_ugi_option(settings, option.name, "other"));
  }
}

TEST_CASE("an option is set whatever its capitals and a wrong value changes nothing") {
  UgiSettings settings;
  CHECK(set_ugi_option(settings, "Threads", "3"));
  CHECK(settings.threads == 3);
  CHECK_THAT(set_ugi_option(settings, "thread", "3").error().message,
             Contains("did you mean \"threads\"?"));
  CHECK_THAT(set_ugi_option(settings, "threads", "x").error().message, Contains("threads: "));
  CHECK_FALSE(set_ugi_option(settings, "threads", "5000"));
  CHECK_FALSE(set_ugi_option(settings, "cache_mb", "900000"));  // leaves no memory for the tree
  CHECK(settings.threads == 3);
  CHECK(settings.cache_mb == 0);
}
