#include "arena/ugi_lines.h"

#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/text.h"

namespace gounki::arena {
namespace {

UgiInfo info_of(const std::string& line) { return read_ugi_info(words_of(line)); }
std::optional<UgiOption> option_of(const std::string& line) {
  return read_ugi_option(words_of(line));
}

TEST_CASE("a score becomes a value and comes back the same") {
  for (int cp = -kMostUgiScore; cp <= kMostUgiScore; ++cp) {
    const mcts::MoverValue value = value_of(UgiScore{false, cp});
    const UgiScore back = ugi_score(value);
    if (back != UgiScore{false, cp}) FAIL(cp << " became " << to_string(back));
    if (value.v != -value_of(UgiScore{false, -cp}).v) FAIL("not symmetric at " << cp);
  }
  CHECK(value_of({false, 0}).v == 0.0f);
  CHECK(value_of({false, 350}).v == Approx(std::tanh(1.0)));
  CHECK(value_of({false, 1'000'000}).v == 1.0f);
}

TEST_CASE("a value becomes the score of the scale") {
  CHECK(to_string(ugi_score({0.0f})) == "cp 0");
  CHECK(to_string(ugi_score({0.5f})) == "cp 192");
  CHECK(to_string(ugi_score({-0.5f})) == "cp -192");
  CHECK(to_string(ugi_score({1.0f})) == "cp 2000");
  CHECK(to_string(ugi_score({-1.0f})) == "cp -2000");
}

TEST_CASE("proofs are mates in plies and draws are nothing") {
  CHECK(to_string(ugi_score({1.0f}, mcts::Proof::win(3))) == "mate 3");
  CHECK(to_string(ugi_score({-1.0f}, mcts::Proof::loss(4))) == "mate -4");
  CHECK(to_string(ugi_score({0.0f}, mcts::Proof::draw(4))) == "cp 0");
  CHECK(value_of({true, 3}).v == 1.0f);
  CHECK(value_of({true, -4}).v == -1.0f);
  CHECK(value_of({true, 0}).v == -1.0f);
}

TEST_CASE("what an info line says") {
  const UgiInfo info =
      info_of("info depth 7 seldepth 12 multipv 2 score cp -31 nodes 12345 nps 9 pv depth 1");
  REQUIRE(info.score.has_value());
  CHECK(*info.score == UgiScore{false, -31});
  CHECK(info.depth == 7);
  CHECK(info.nodes == 12345);
  CHECK(info.multipv == 2);
  CHECK(info_of("info score mate -2 lowerbound").score == UgiScore{true, -2});
}

TEST_CASE("an info line that makes no sense says nothing") {
  for (const char* line : {"info", "info score", "info score cp", "info score cp x", "info depth 1e9",
                           "info depth 99999999999", "info nodes -", "info string depth 3",
                           "info pv depth 3"}) {
    INFO(line);
    const UgiInfo info = info_of(line);
    CHECK_FALSE(info.score.has_value());
    CHECK_FALSE(info.depth.has_value());
    CHECK_FALSE(info.nodes.has_value());
    CHECK(info.multipv == 1);
  }
}

TEST_CASE("an option is read as it is written") {
  for (const char* line :
       {"option name Hash type spin default 16 min 1 max 4096",
        "option name Own Book type check default false",
        "option name Style type combo default calm var calm var very wild",
        "option name Book File type string default <empty>",
        "option name Clear Hash type button"}) {
    const auto option = option_of(line);
    REQUIRE(option);
    CHECK(to_string(*option) == line);
  }
  const auto option = option_of("option name Book File type string default <empty>");
  CHECK(option->name == "Book File");
  CHECK(option->value.empty());
  for (const char* line : {"option", "option type spin", "option Hash", "option name type spin"})
    CHECK_FALSE(option_of(line));
}

TEST_CASE("values that an option takes") {
  const auto spin = option_of("option name Hash type spin default 16 min 1 max 4096");
  for (const char* value : {"1", "16", "4096"}) CHECK(check_ugi_value(*spin, value));
  for (const char* value : {"0", "4097", "", "x", "1.5"}) CHECK_FALSE(check_ugi_value(*spin, value));
  CHECK(check_ugi_value(*spin, "0").error().message == "Hash: expected 1 to 4096, found \"0\"");
  const auto check = option_of("option name Book type check default false");
  CHECK(check_ugi_value(*check, "true"));
  CHECK_FALSE(check_ugi_value(*check, "yes"));
  const auto combo = option_of("option name Style type combo default calm var calm var wild");
  CHECK(check_ugi_value(*combo, "wild"));
  CHECK(check_ugi_value(*combo, "loud").error().message ==
        "Style: expected calm or wild, found \"loud\"");
  const auto text = option_of("option name File type string default <empty>");
  CHECK(check_ugi_value(*text, "anything, at all"));
}

}  // namespace
}  // namespace gounki::arena
