#include "play/options.h"

#include <fstream>

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "mcts/config.h"
#include "program.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;

namespace {

PositionOptions at(const std::string& position, const std::string& moves = "") {
  PositionOptions options;
  options.position = position;
  options.moves = moves;
  return options;
}

}  // namespace

TEST_CASE("the options --position and --moves make a game") {
  CHECK(at("start").game().position() == Position::start());
  const Game game = at("start", " c1 b1+  a8b7 b1-b2+ ").game();
  CHECK(game.moves().size() == 3);
  CHECK(game.position().side_to_move() == Side::Black);
  CHECK(to_string(game.moves()[1], game.positions()[1]) == "a8-b7+");
}

TEST_CASE("the switches of the rules reach the game") {
  PositionOptions options = at("x8/x8/x8/x8/x8/x8/x6,SS,x/s,x7 w");
  CHECK(options.game().legal_moves().size() == 9);
  options.no_null_moves = true;
  CHECK(options.game().legal_moves().size() == 8);
  options = at("x8/x8/x8/x8/x8/x8/x6,SS,x/s,x7 w 100 200");
  CHECK(options.game().outcome() == Outcome::Draw);
  options.no_draw_rules = true;
  CHECK_FALSE(options.game().is_over());
}

TEST_CASE("a move that is wrong is named with its ply and place") {
  CHECK_THROWS_WITH(at("start", "a2-b3 a8-a3").game(),
                    Contains("ply 2 at character 7") && Contains("a8-b7+"));
  CHECK_THROWS_WITH(at("start", "a2-b3 z").game(), Contains("ply 2"));
  CHECK_THROWS_WITH(at("S,x7/x8/x8/x8/x8/x8/x8/x7,s w", "a8-OUT h1-OUT").game(),
                    Contains("ply 2") && Contains("White wins"));
  CHECK_THROWS_AS(at("x8 w").game(), Failure);
}

TEST_CASE("how games end, in words") {
  CHECK(outcome_text(at("start").game()) == "White to move");
  CHECK(outcome_text(at("S,x7/x8/x8/x8/x8/x8/x8/x7,s w", "a8-OUT").game()) ==
        "White wins: it left the board");
  CHECK(outcome_text(at("x8/x8/x8/s,x7/S,x7/x8/x8/x8 w", "a4xa5").game()) ==
        "White wins: it captured the last stack");
  CHECK(outcome_text(at("x8/x8/x8/x8/x8/x8/x6,SS,x/s,x7 w 100 200").game()) ==
        "a draw: 100 plies without a capture or a step forward");
  const std::string position = "ss,x7/x8/x8/x8/x8/x8/x8/SS,x7 w";
  CHECK(outcome_text(at(position, "a1-b1 a8-b8 b1-a1 b8-a8 a1-b1 a8-b8 b1-a1 b8-a8").game()) ==
        "a draw: the position occurred for the third time");
}

TEST_CASE("the option --set changes a config or says why not") {
  mcts::SearchConfig config;
  set_params(config, {"visits=12", "cpuct=0.5"});
  CHECK(config.visits == 12);
  CHECK(config.cpuct == 0.5);
  CHECK_THROWS_AS(set_params(config, {"visits"}), UsageError);
  CHECK_THROWS_WITH(set_params(config, {"vists=3"}), Contains("visits"));
  CHECK_THROWS_WITH(set_params(config, {"visits=many"}), Contains("visits"));
  CHECK_THROWS_WITH(set_params(config, {"visits=0"}), Contains("visits"));
}

TEST_CASE("help lists every parameter with its default") {
  const std::string help = params_help(describe_params<mcts::SearchConfig>());
  CHECK(count_lines(help) == static_cast<int>(describe_params<mcts::SearchConfig>().size()));
  CHECK_THAT(help, Contains("visits") && Contains("400") && Contains("Simulations"));
}

TEST_CASE("what is no record file is refused") {
  const TemporaryFolder folder;
  std::ofstream(folder / "zero") << "1. a2-b3" << '\0';
  CHECK_THROWS_WITH(read_record_file((folder / "zero").string()), Contains("byte 8 is 0"));
  CHECK_THROWS_WITH(read_record_file(folder.path().string()), Contains("is not a file"));
  CHECK_THROWS_WITH(read_record_file((folder / "none").string()), Contains("none"));
  std::ofstream(folder / "huge").close();
  std::filesystem::resize_file(folder / "huge", std::uintmax_t{1} << 40);
  CHECK_THROWS_WITH(read_record_file((folder / "huge").string()), Contains("256 MiB"));
}
