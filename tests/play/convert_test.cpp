// gounki convert as a user runs it.
#include <string>

#include <catch2/catch.hpp>

#include "core/files.h"
#include "program.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("a record becomes moves and moves become a record") {
  const TemporaryFolder folder;
  const std::string base = folder.path().string();
  const Ran there = shell("\"$gounki\" convert \"$golden/game_2003.pgn\" " + base + "/moves.txt");
  INFO(there.err);
  REQUIRE(there.status == 0);
  CHECK(there.err.empty());
  const std::string moves = read_file(folder / "moves.txt");
  CHECK_THAT(moves, StartsWith("c1-b1\na8-b7\nb1-b2\nb8-b7\nb2*c3-"));
  CHECK_THAT(moves, Contains("\ne6#\n"));

  const Ran back = gounki_program("convert " + base + "/moves.txt " + base + "/back.pgn");
  REQUIRE(back.status == 0);
  CHECK(gounki_program("replay " + base + "/back.pgn").out.find("1-0  White wins") !=
        std::string::npos);
  CHECK(gounki_program("convert " + base + "/back.pgn -").out == moves);
}

TEST_CASE("positions become boards and boards positions") {
  const Ran board = gounki_program("convert - -", "start\n");
  CHECK(board.status == 0);
  CHECK(count_lines(board.out) == 64);
  CHECK_THAT(board.out, StartsWith("B1\nB2\n"));
  const Ran back = gounki_program("convert - - --side black", board.out);
  CHECK(back.out == "r,s,r,s,r,s,r,s/s,r,s,r,s,r,s,r/x8/x8/x8/x8/R,S,R,S,R,S,R,S/"
                    "S,R,S,R,S,R,S,R b 0 0\n");
  const Ran lost = gounki_program("convert - -", back.out);
  CHECK(lost.out == board.out);
  CHECK(lost.err == "-: line 1: that Black is to move is lost, a board does not tell\n");
}

TEST_CASE("a text that both notations know is read as what it is said to be") {
  CHECK(gounki_program("convert - -", "a2-b3 h7-g6").out == "[Result \"*\"]\n\n1. a2-b3 h7-g6 *\n");
  CHECK(gounki_program("convert - -", "a2-b3 h7-g6 *").out == "a2-b3\nh7-g6\n");
  CHECK(gounki_program("convert - - --from record", "a2-b3 h7-g6 *").out == "a2-b3\nh7-g6\n");
  const Ran ran = gounki_program("convert - - --from moves", "a2-b3 h7-g6 *");
  CHECK(ran.status == 1);
  CHECK_THAT(ran.err, Contains("-: line 1, column 13: ply 3 (White): expected a square"));
}

TEST_CASE("what convert cannot keep is said") {
  const Ran resigned = gounki_program("convert - -", "[Result \"1-0\"]\n\n1. a2-b3 1-0\n");
  CHECK(resigned.out == "a2-b3\n");
  CHECK(resigned.err == "-: game 1: the result 1-0 is lost, the moves do not make it\n");

  const std::string fen = "[SetUp \"1\"]\n[FEN \"x,SSR,x6/x8/x8/x8/x8/x8/x8/s,x7 w 0 0\"]\n\n"
                          "1. b8-OUT 1-0\n";
  const Ran refused = gounki_program("convert - -", fen);
  CHECK(refused.status == 1);
  CHECK(refused.out.empty());
  CHECK_THAT(refused.err, Contains("-: game 1: begins at x,SSR,x6/"));
  const std::string position = " --position 'x,SSR,x6/x8/x8/x8/x8/x8/x8/s,x7 w'";
  CHECK(gounki_program("convert - -" + position, fen).out == "b8#\n");
  const Ran ambiguous = gounki_program("convert - -" + position, "b8#\n");
  CHECK_THAT(ambiguous.out, Contains("1. b8-OUT 1-0"));
  CHECK_THAT(ambiguous.err, Contains("-: line 1, column 1: ply 1 (White): b8# is read as b8-OUT"));
}

TEST_CASE("records become samples") {
  const TemporaryFolder folder;
  const std::string shard = (folder / "samples.npz").string();
  const std::string games = read_file(GOUNKI_GOLDEN "/game_2003.pgn") + "\n[White \"a\"]\n\n1. a2-b3 *\n";
  const Ran ran = gounki_program("convert - " + shard + " --to samples", games);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK(ran.err == "-: game 2: has no result and is left out\n");
  CHECK(gounki_program("convert - - --to samples", games).out == read_file(shard));
  const Ran inspected = gounki_program("inspect --json " + shard);
  CHECK(inspected.status == 0);
  CHECK_THAT(inspected.out, Contains("\"rows\":31"));
}

TEST_CASE("what convert refuses") {
  struct Case {
    const char *arguments, *input;
    int status;
    const char* error;
  };
  const Case cases[] = {
      {"convert - -", " \n", 1, "holds nothing to convert"},
      {"convert - - --to board", "1. a2-b3 *", 2, "of which board cannot be made; expected --to moves or samples"},
      {"convert - - --to samples", "start", 2, "of which samples cannot be made; expected --to board"},
      {"convert - - --from samples", "x", 2, "--from"},
      {"convert - - --to samples", "1. a2-b3 *", 1, "-: no game has a move to learn from"},
      {"convert - - --to samples", "[A \"b\"]\n\n1. a2-b3 1-0\n\n[A \"c\"]\n\n1. a2-b3 {[%eval 7]} 1-0", 1,
       "-: game 2: ply 1: [%eval 7] is not a value"},
      {"convert - - --to samples", "1. a2-a4 1-0", 1, "-: game 1: line 1, column 4: ply 1 (White)"},
      {"convert - - --from pgn", "x", 2, "--from"},
      {"convert -", "x", 2, "OUT"},
      {"convert no-such-file -", "", 1, "no-such-file"},
      {"convert - /dev/null", "start", 1, "no ordinary file"},
      {"convert - -", "1. a2-a4 *", 1, "-: game 1: line 1, column 4: ply 1 (White): a2-a4 is not legal"},
      {"convert - -", "start\nx8/y", 1, "-: line 2: position: expected"},
      {"convert - - --position x", "a2-b3", 1, "--position: position: expected"},
  };
  for (const Case& c : cases) {
    const Ran ran = gounki_program(c.arguments, c.input);
    INFO(c.arguments << " < " << c.input << "\n" << ran.err);
    CHECK(ran.status == c.status);
    CHECK_THAT(ran.err, Contains(c.error));
    CHECK(ran.out.empty());
  }
}
