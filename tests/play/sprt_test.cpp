#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "program.h"

using namespace gounki::play;
using Catch::Matchers::Contains;

TEST_CASE("sprt prints the estimates and bounds and the verdict") {
  const Ran ran = gounki_program("sprt 365,16618,36229,16974,390 --elo0 0 --elo1 2");
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  CHECK_THAT(ran.out, Contains("70576 pairs; of 0, ½, 1, 1½, 2 points: 365, 16618, 36229"));
  CHECK_THAT(ran.out, Contains("Elo +1.0 ± 0.9 (95 %), LOS 98.3 %"));
  CHECK_THAT(ran.out, Contains("normalised Elo +1.96 ± 1.81"));
  CHECK_THAT(ran.out, Contains("LLR 2.250, bounds -2.944 and 2.944"));
  CHECK_THAT(last_line(ran.out), Contains("undecided: about "));
}

TEST_CASE("sprt names the hypothesis that it accepts") {
  CHECK_THAT(last_line(gounki_program("sprt 5,10,40,60,50").out),
             Contains("H1 accepted: the first player is better by 20 normalised Elo rather than by 0"));
  CHECK_THAT(last_line(gounki_program("sprt '50, 60, 40, 10, 5' --model logistic").out),
             Contains("H0 accepted: the first player is better by 0 Elo rather than by 20"));
  CHECK(last_line(gounki_program("sprt 0,0,0,0,0").out) == "undecided");
}

TEST_CASE("sprt says without games how many a test takes") {
  const Ran ran = gounki_program("sprt 0,0,0,0,0 --elo0 0 --elo1 100");
  CHECK_THAT(ran.out,
             Contains("about 32 pairs where H0 is true, 52 halfway, 32 where H1 is"));
  CHECK_THAT(gounki_program("sprt 0,0,0,0,0 --model logistic").out, !Contains("takes about"));
}

TEST_CASE("sprt in JSON") {
  const auto result = [](const std::string& arguments) {
    const Ran ran = gounki_program("sprt --json " + arguments);
    REQUIRE(ran.status == 0);
    REQUIRE(count_lines(ran.out) == 1);
    return nlohmann::json::parse(ran.out);
  };
  const auto some = result("1,4,10,15,10 --elo1 50 --beta 0.1");
  CHECK(some["pairs"] == nlohmann::json{1, 4, 10, 15, 10});
  CHECK(some["verdict"] == "H1");
  CHECK(some["llr"].get<double>() > some["upper"].get<double>());
  CHECK(some["upper"].get<double>() == Approx(2.890372));
  CHECK(some["lower"].get<double>() == Approx(-2.251292));
  CHECK(some["pairs_left"] == 0.0);
  CHECK(some["elo"].get<double>() == Approx(131.942529));
  CHECK(some["expected_pairs"].size() == 3);
  const auto none = result("0,0,0,0,0 --model logistic");
  CHECK(none["verdict"] == "undecided");
  CHECK(none["pairs_left"].is_null());
  CHECK_FALSE(none.contains("expected_pairs"));
}

TEST_CASE("sprt refuses what makes no test with one line") {
  struct Case {
    const char *arguments, *error;  // a part of it
  };
  const Case cases[] = {
      {"", "COUNTS"},
      {"10,2,5", "which games were a pair"},
      {"1,2,3,4", "expected five numbers"},
      {"1,2,3,4,5,6", "found 6"},
      {"1,2,x,4,5", "\"x\" is not a number of pairs"},
      {"1,2,,4,5", "\"\" is not a number"},
      {"1,2,-3,4,5", "\"-3\""},
      {"1,2,3.5,4,5", "\"3.5\""},
      {"1,2,3,4,99999999999999999999", "is not a number of pairs"},
      {"1,2,3,4,5 --elo0 20", "elo0 must be less than elo1"},
      {"1,2,3,4,5 --alpha 0.7", "--alpha"},
      {"1,2,3,4,5 --model bayes", "\"logistic\""},
  };
  for (const Case& c : cases) {
    const Ran ran = gounki_program(std::string("sprt ") + c.arguments);
    CAPTURE(c.arguments);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK(count_lines(ran.err) == 1);
    CHECK_THAT(ran.err, Contains(c.error));
  }
}
