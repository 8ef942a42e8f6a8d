// The program as a user runs it: command lines, what they print and how they exit.
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "program.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string kNames[] = {"train", "selfplay", "learn",  "match",   "report",  "openings",
                              "sprt",  "rate",     "play",   "ugi",     "search",  "analyze", "moves",
                              "perft", "replay",   "show",   "inspect", "convert", "evaluate",
                              "bench"};

// What a search prints with --json.
nlohmann::json searched(const std::string& arguments) {
  const Ran ran = gounki_program("search --json " + arguments);
  INFO(arguments << "\n" << ran.err);
  REQUIRE(ran.status == 0);
  REQUIRE(count_lines(ran.out) == 1);
  return nlohmann::json::parse(ran.out);
}

std::set<std::string> moves_of(const nlohmann::json& search) {
  std::set<std::string> moves;
  for (const auto& move : search["moves"]) moves.insert(move["move"].get<std::string>());
  return moves;
}

// The first position of golden/forced_wins.txt, and the one move that wins in 3 plies.
struct ForcedWin {
  std::string position, move;
};
ForcedWin forced_win() {
  std::ifstream file(GOUNKI_GOLDEN "/forced_wins.txt");
  for (std::string line; std::getline(file, line);)
    if (const auto at = line.find(" | 3 | "); !line.starts_with('#') && at != std::string::npos)
      return {line.substr(0, at), line.substr(at + 7)};
  return {};
}

}  // namespace

TEST_CASE("every command has help with an example") {
  const Ran all = gounki_program("--help");
  CHECK(all.status == 0);
  for (const std::string& name : kNames) {
    CHECK_THAT(all.out, Contains("  " + name + " "));
    const Ran help = gounki_program(name + " --help");
    CAPTURE(name);
    CHECK(help.status == 0);
    CHECK_THAT(help.out, Contains("Usage: gounki " + name));
    CHECK_THAT(help.out, Contains("Example:\n  gounki " + name));
    CHECK(help.err.empty());
  }
}

TEST_CASE("the version") {
  const Ran ran = gounki_program("--version");
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, StartsWith("gounki "));
}

TEST_CASE("what commands print") {
  struct Case {
    const char *arguments, *out;
  };
  const Case cases[] = {
      {"perft 0", "1\n"},
      {"perft 3", "53892\n"},
      {"perft 1 --position 'x8/x8/x8/x8/x8/x8/x6,SS,x/s,x7 w' --no-null-moves", "8\n"},
      {"perft 1 --divide --position 'x2,S,x5/x8/x8/x8/x8/x8/x8/s,x7 w'",
       "c8-OUT 1\nc8-b8 1\nc8-d8 1\n3\n"},
      {"perft 2 --json", "{\"position\":\"r,s,r,s,r,s,r,s/s,r,s,r,s,r,s,r/x8/x8/x8/x8/"
                         "R,S,R,S,R,S,R,S/S,R,S,R,S,R,S,R w 0 0\",\"depth\":2,\"leaves\":1296}\n"},
      {"moves --position 'x8/x8/x8/x8/x8/x8/x6,SS,x/s,x7 w'",
       "g2*f2,e2\ng2*g3,g4\ng2*h2,g2\ng2-e2\ng2-f2\ng2-g2\ng2-g3\ng2-g4\ng2-h2\n"},
      {"moves --json --position 'R,x7/x8/x8/x8/x8/x8/x8/s,x7 w'",
       "{\"position\":\"R,x7/x8/x8/x8/x8/x8/x8/s,x7 w 0 0\",\"result\":\"*\","
       "\"moves\":[{\"move\":\"a8-OUT\",\"policy_index\":1801}]}\n"},
      {"moves --position 'S,x7/x8/x8/x8/x8/x8/x8/x7,s w' --moves 'a8 out'", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.arguments);
    const Ran ran = gounki_program(c.arguments);
    CHECK(ran.status == 0);
    CHECK(ran.out == c.out);
  }
}

TEST_CASE("bad input ends with one line that says what is wrong") {
  struct Case {
    const char* arguments;
    int status;
    const char* error;  // a part of it
  };
  const Case cases[] = {
      {"", 2, "which command?"},
      {"mooves", 2, "did you mean \"moves\""},
      {"--moves", 2, "--moves"},
      {"perft", 2, "DEPTH"},
      {"perft many", 2, "DEPTH"},
      {"perft -1", 2, "DEPTH"},
      {"perft 99", 2, "0 to 20"},
      {"moves extra", 2, "extra"},
      {"moves --positions start", 2, "gounki moves --help"},
      {"moves --position", 2, "--position"},
      {"moves --position ''", 1, "on a8 at character 1"},
      {"moves --position 'x8 w'", 1, "rank 7"},
      {"moves --position 'x8/x8/x8/x8/x8/x8/x8/x9 w'", 1, "rank 1"},
      {"moves --moves 'a2-a9'", 1, "ply 1"},
      {"moves --moves 'a2-b3 a2-b3'", 1, "ply 2"},
      {"show --svg /no/such/folder/board.svg", 1, "/no/such/folder/board.svg"},
      {"search --set visits", 2, "key=value"},
      {"search --set vistis=3", 2, "did you mean \"visits\""},
      {"search --set visits=0", 2, "visits"},
      {"search --visits 0", 2, "--visits"},
      {"search --visits many", 2, "--visits"},
      {"search --visits 5 --set visits=6", 2, "give one of them"},
      {"search --threads 1025", 2, "--threads"},
      {"search --movetime -1", 2, "--movetime"},
      {"search --set batch=0", 2, "batch"},
      {"search --set memory_mb=64 --set cache_mb=64", 2, "leaves nothing"},
      {"search --endless --visits 5", 2, "--endless"},
      {"search --endless --movetime 5", 2, "--endless"},
      {"search --lines 0", 2, "--lines"},
      {"search --only 'a2-b3 a2-a9'", 1, "--only, move 2 at character 7"},
      {"search --only a1-a5", 1, "a1-a5 is not legal here"},
      {"search --exclude a1-a5", 1, "--exclude, move 1 at character 1"},
      {"search --only a2-b3 --exclude a2-b3", 1, "--exclude leaves no move"},
      {"search --set algorithm=best", 2, "puct"},
      {"search --evaluator best", 2, "handcrafted"},
      {"search --position 'S,x7/x8/x8/x8/x8/x8/x8/x7,s w' --moves a8-OUT", 1, "game is over"},
      {"match --pairs 1", 2, "PLAYER"},
      {"match random nobody", 2, "nobody"},
      {"match random greedy --pairs none", 2, "--pairs"},
      {"match random greedy --pairs 0", 2, "--pairs"},
      {"match random alphabeta:dpth=3", 2, "did you mean \"depth\""},
      {"match random net:/no/such/file", 1, "/no/such/file"},
      {"match random run:/no/such/folder", 1, "/no/such/folder"},
      {"play nobody", 2, "nobody"},
      {"play greedy --ponder", 2, "greedy does not think ahead"},
      {"play handcrafted:algorithm=gumbel --ponder", 2, "PUCT"},
      {"play handcrafted:reuse=false --ponder", 2, "does not think ahead"},
      {"play --side red", 2, "--side"},
      {"replay", 2, "FILE"},
      {"replay --terms /dev/null", 2, "--json"},
      {"replay /no/such/file", 1, "/no/such/file"},
      {"replay /", 1, "is not a file"},
      {"replay /dev/null", 1, "/dev/null"},
      {"replay /dev/zero", 1, "/dev/zero"},
      {"replay \"$gounki\"", 1, "is not text"},
      {"inspect /no/such/file", 1, "/no/such/file"},
      {"inspect \"$golden\"", 1, "config.toml"},
      {"inspect \"$gounki\"", 1, "is not text"},
      {"train", 2, "--run"},
      {"train --run /no/such/run", 2, "/no/such/run"},
      {"train /no/such/config --run /tmp/no-run", 2, "/no/such/config"},
      {"train --run /tmp/no-run --set run.minutes=1", 2, "/tmp/no-run"},
      {"learn", 2, "--run"},
      {"learn --run /no/such/run --samples /tmp", 2, "/no/such/run"},
      {"evaluate", 2, "NET"},
      {"evaluate /no/such/net /dev/null /tmp/no-outputs.npz", 1, "/no/such/net"},
      {"evaluate \"$golden\" /dev/null /tmp/no-outputs.npz", 1, "no checkpoint in it"},
      {"evaluate \"$gounki\" \"$golden/perft.txt\" \"$golden/perft.txt\"", 2, "OUT"},
      {"evaluate \"$gounki\" \"$golden/perft.txt\" /no/such/out.npz", 1, "/no/such/out.npz"},
      {"selfplay --run", 2, "--run"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.arguments);
    const Ran ran = gounki_program(c.arguments);
    CHECK(ran.status == c.status);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, StartsWith("gounki: ") && Contains(c.error));
    CHECK(count_lines(ran.err) == 1);
  }
}

TEST_CASE("the record of a real game replays to its end") {
  const Ran ran = gounki_program("replay \"$golden/game_2003.pgn\"");
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("last e6*d7,c8,OUT"));
  CHECK(last_line(ran.out) == "1-0  White wins: it left the board");

  const Ran json = gounki_program("replay --json \"$golden/game_2003.pgn\"");
  CHECK_THAT(json.out, Contains("\"result\":\"1-0\",\"result_of_rules\":\"1-0\""));
  CHECK(count_lines(json.out) == 1);
  const Ran terms = gounki_program("replay --json --terms \"$golden/game_2003.pgn\"");
  CHECK_THAT(terms.out, Contains("\"terms\":[[0,0,0,0,0,0,0,0,0,") && Contains("],null"));
  CHECK_THAT(gounki_program("replay --positions \"$golden/game_2003.pgn\"").out,
             Contains("\n30  e8xe7  x8/x,s,ss,x,sr,x,s,sr/"));
}

TEST_CASE("a record that is illegal is refused at its ply") {
  const TemporaryFolder folder;
  const std::string file = (folder / "bad.pgn").string();
  write_file_atomically(file, "[White \"one\"]\n\n1. a2-b3 a7-a5 *\n");
  const Ran ran = gounki_program("replay " + file);
  CHECK(ran.status == 1);
  CHECK(count_lines(ran.err) == 1);
  CHECK_THAT(ran.err, Contains(file) && Contains("ply 2"));

  INFO("the other games of a file are replayed");
  write_file_atomically(file, "[White \"one\"]\n\n1. a2-b3 a7-a5 *\n\n[White \"two\"]\n\n1. a2-b3 *\n");
  const Ran two = gounki_program("replay " + file);
  CHECK(two.status == 1);
  CHECK_THAT(two.err, Contains("game 1") && Contains("1 of 2 games"));
  CHECK_THAT(two.out, Contains("game 2: two against Black, 1 plies, last a2-b3"));
}

TEST_CASE("show prints and draws") {
  const TemporaryFolder folder;
  const std::string file = (folder / "board.svg").string();
  const Ran ran = gounki_program("show --moves 'a2-b3' --svg " + file);
  CHECK(ran.status == 0);
  CHECK(last_line(ran.out) == "Black to move");
  CHECK_THAT(ran.out, Contains("|[ R ]|"));
  CHECK_THAT(read_file(file), StartsWith("<svg "));
  CHECK_THAT(gounki_program("show --json").out, Contains("\"legal_moves\":36"));
}

TEST_CASE("search prints a table that a seed fixes") {
  const std::string arguments = "search --visits 100 --rows 3 --evaluator hash";
  const Ran ran = gounki_program(arguments);
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  CHECK_THAT(ran.out, Contains("move ") && Contains("visits") && Contains("prior"));
  CHECK_THAT(last_line(ran.out), StartsWith("best "));
  CHECK(last_line(gounki_program(arguments).out) == last_line(ran.out));

  const Ran mate = gounki_program("search --position 'x2,S,x5/x8/x8/x8/x8/x8/x8/s,x7 w'");
  CHECK(last_line(mate.out) == "best c8-OUT");
}

TEST_CASE("search describes itself to programs") {
  const auto json = searched("--visits 60 --set cache_mb=2 --set batch=2 --seed 4 --lines 2");
  const std::vector<std::string> fields{
      "position", "evaluator", "config", "best", "value", "proven", "result", "plies", "lines",
      "raw", "plies_left", "visits", "nodes", "depth", "seldepth", "seconds", "visits_per_second",
      "evaluations", "evaluations_per_second", "cache", "bytes", "full", "moves"};
  std::set<std::string> present;
  for (const auto& item : json.items()) present.insert(item.key());
  CHECK(present == std::set<std::string>(fields.begin(), fields.end()));
  CHECK_THAT(json["evaluator"].get<std::string>(), StartsWith("network reference ("));
  const nlohmann::json config{
      {"algorithm", "puct"}, {"visits", 60}, {"movetime", nullptr}, {"threads", 1}, {"seed", 4}};
  CHECK(json["config"] == config);
  CHECK(json["visits"] == 60);
  CHECK(json["lines"].size() == 2);
  CHECK(json["cache"]["lookups"].get<int>() - json["cache"]["hits"].get<int>() ==
        json["evaluations"].get<int>());
  CHECK(json["full"] == false);
  CHECK(json["bytes"].get<std::int64_t>() > 2 << 19);
}

TEST_CASE("search says what is proven") {
  const ForcedWin win = forced_win();
  REQUIRE_FALSE(win.move.empty());
  const std::string position = "--position '" + win.position + "'";
  const auto json = searched(position);
  CHECK(json["best"] == win.move);
  CHECK(json["proven"] == true);
  CHECK(json["result"] == "win");
  CHECK(json["plies"] == 3);
  CHECK(json["value"] == 1.0);
  CHECK(json["lines"][0]["moves"].size() == 3);
  CHECK(json["moves"][0]["result"] == "win");
  CHECK(json["moves"][0]["plies"] == 3);
  CHECK_THAT(gounki_program("search " + position).out,
             Contains("proven: win in 3 plies for White") &&
                 Contains("win in 3    " + win.move + " "));

  INFO("a search without an end ends at the proof");
  CHECK(searched("--endless " + position)["result"] == "win");
  INFO("without the move that wins there is no win in 3");
  const auto others = searched(position + " --visits 50 --exclude " + win.move);
  CHECK(others["best"] != win.move);
  CHECK_FALSE((others["result"] == "win" && others["plies"] <= 3));
}

TEST_CASE("search looks at the moves that it may") {
  const std::set<std::string> all = moves_of(searched("--visits 1"));
  CHECK(all.size() == 36);
  const std::set<std::string> two{"a2-b3", "c2-d3"};
  CHECK(moves_of(searched("--visits 20 --only 'c2 d3 a2-b3 c2-d3'")) == two);
  CHECK(moves_of(searched("--visits 20 --only 'a2-b3 c2-d3' --exclude c2-d3")) ==
        std::set<std::string>{"a2-b3"});
  const std::set<std::string> rest = moves_of(searched("--visits 20 --exclude 'a2-b3 c2-d3'"));
  CHECK(rest.size() == 34);
  for (const std::string& move : two) CHECK_FALSE(rest.contains(move));
}

TEST_CASE("search by the clock ends and visits limit it too where they are given") {
  const auto timed = searched("--movetime 50 --threads 2");
  CHECK(timed["config"]["visits"].is_null());
  CHECK(timed["config"]["movetime"] == 50);
  CHECK(timed["seconds"].get<double>() >= 0.05);
  CHECK(timed["seconds"].get<double>() < 30.0);
  const auto both = searched("--movetime 600000 --visits 30");
  CHECK(both["visits"] == 30);
  CHECK(searched("--movetime 600000 --set visits=30")["visits"] == 30);
}

TEST_CASE("Ctrl-C ends a search and its result is printed") {
  // Jobs in the background leave SIGINT alone but for `set -m`. The signal is sent when the program
  // has a handler for it: bit 1 of the mask.
  const Ran ran = shell("set -m; \"$gounki\" search --endless --set memory_mb=64 &\n"
                        "until grep -q '^SigCgt:.*[2367abef]$' /proc/$!/status; do sleep 0.01; done\n"
                        "kill -INT $!; wait $!");
  CHECK(ran.status == 0);
  CHECK_THAT(last_line(ran.out), StartsWith("best "));
  CHECK_THAT(ran.out, Contains("64 MB, memory full") || Contains(" MB\nvalue"));
}

TEST_CASE("commands that use networks take a device") {
  for (const char* name : {"train", "selfplay", "learn", "match", "rate", "play", "search", "analyze",
                           "ugi", "bench"}) {
    CAPTURE(name);
    CHECK_THAT(gounki_program(name + std::string(" --help")).out, Contains("--device TEXT=auto"));
  }
  const Ran unknown = gounki_program("search --device tpu");
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.err, Contains("--device tpu: expected cpu, cuda or auto"));
  // The option goes before the environment, whose text would be refused.
  CHECK(shell("GOUNKI_DEVICE=tpu \"$gounki\" bench net --network 1x8 --seconds 1 --device cpu").status == 0);
}

TEST_CASE("the bench ends with its signature, the same each time") {
  const Ran ran = gounki_program("bench");
  CHECK(ran.status == 0);
  const std::string signature = last_line(ran.out);
  CHECK(signature.find_first_not_of("0123456789") == std::string::npos);
  CHECK(last_line(gounki_program("bench").out) == signature);
}

TEST_CASE("a full disk is a failure") {
  const Ran ran = shell("\"$gounki\" moves >/dev/full");
  CHECK(ran.status == 1);
  CHECK_THAT(ran.err, StartsWith("gounki: cannot write"));
}

TEST_CASE("a game that Ctrl-C ends is saved") {
  const Ran ran = shell(R"sh(
    cd "$(mktemp -d)"; set -m; mkfifo in; exec 3<>in; echo a2-b3 >&3
    "$gounki" play greedy --save game.pgn <in >out.txt &
    until [ "$(grep -o 'White>' out.txt | wc -l)" -ge 2 ]; do sleep 0.05; done
    kill -INT $!; wait $!; echo "status $?"
    cat game.pgn; rm -r "$PWD")sh");
  CHECK_THAT(ran.out, Contains("status 0"));
  CHECK_THAT(ran.out, Contains("1. a2-b3 "));
}

TEST_CASE("the terminal's game ends with its input") {
  const Ran ran = gounki_program("play random --side black", "help\nh7 g6\n");
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("White plays ") && Contains("Black> ") && Contains("No more input"));

  const Ran ponder =
      gounki_program("play handcrafted:visits=200,memory_mb=64 --side black --ponder", "h7 g6\n");
  CHECK(ponder.status == 0);
  CHECK_THAT(ponder.out, Contains("Black> ") && Contains("No more input"));
}
