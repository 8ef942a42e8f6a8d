// gounki match and its log, as a user has them: killed, gone on with, reported on.
#include <catch2/catch.hpp>

#include "core/files.h"
#include "program.h"

namespace gounki::play {
namespace {

using Catch::Contains;
using Catch::StartsWith;

TEST_CASE("a match reports both sides and can be read by programs") {
  const TemporaryFolder folder;
  const std::string file = (folder / "games.pgn").string();
  const std::string arguments = "match greedy random --pairs 4 --opening-plies 4";
  const Ran ran = gounki_program(arguments + " --records " + file);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, StartsWith("greedy against random: 8 games from 4 openings"));
  CHECK_THAT(last_line(ran.out), StartsWith("Elo "));
  CHECK(gounki_program("replay " + file).status == 0);
  CHECK_THAT(gounki_program("inspect " + file).out, Contains("games           8"));

  const Ran json = gounki_program(arguments + " --json --threads 2");
  CHECK_THAT(json.out, Contains("\"games\":8,\"total\":{\"wins\":"));
}

TEST_CASE("a match that is killed again and again ends with the log of one that was not") {
  const Ran ran = shell(R"sh(
    cd "$(mktemp -d)"
    match="match handcrafted:visits=8 handcrafted:visits=4 --pairs 40 --group-pairs 2"
    "$gounki" $match --log whole.jsonl --records whole.pgn >whole.txt 2>/dev/null
    for kill in 1 2 3 4 5; do
      "$gounki" $match --log killed.jsonl >/dev/null 2>&1 & pid=$!
      lines=$((1 + 6 * kill))
      until [ "$(wc -l <killed.jsonl 2>/dev/null || echo 0)" -ge $lines ]; do
        kill -0 $pid 2>/dev/null || break
        sleep 0.005
      done
      kill -9 $pid 2>/dev/null && echo killed
      wait $pid
    done
    "$gounki" $match --log killed.jsonl --records killed.pgn >killed.txt 2>/dev/null
    cmp whole.jsonl killed.jsonl && cmp whole.pgn killed.pgn && cmp whole.txt killed.txt && echo same
    "$gounki" report whole.jsonl | cmp - whole.txt && echo reported
    "$gounki" $match --log killed.jsonl 2>/dev/null | cmp - whole.txt && echo done
    "$gounki" $match --pairs 41 --log killed.jsonl >/dev/null 2>&1; wc -l <killed.jsonl
    ls; rm -r "$PWD")sh");
  CHECK_THAT(ran.out, Contains("killed\n"));
  CHECK_THAT(ran.out, Contains("same\nreported\ndone\n"));
  CHECK_THAT(ran.out, !Contains(".lock"));
}

TEST_CASE("no output is written over another file of the match or found impossible at the end") {
  const TemporaryFolder folder;
  const std::string log = (folder / "log").string();
  const std::string match = "match greedy random --pairs 1 --log " + log;
  CHECK(gounki_program(match).status == 0);
  const std::string before = read_file(log);
  for (const std::string& command :
       {match + " --records " + log, match + " --html " + (folder / "./log").string(),
        "report " + log + " --records " + log, match + " --records x --html x"}) {
    INFO(command);
    const Ran ran = gounki_program(command);
    CHECK(ran.status == 2);
    CHECK_THAT(last_line(ran.err), Contains("is also another of the files"));
  }
  CHECK(read_file(log) == before);
  const Ran ran = gounki_program("match greedy random --pairs 1 --records " +
                                 (folder / "no/such.pgn").string());
  CHECK(ran.status == 1);
  CHECK(ran.out.empty());
  CHECK_THAT(last_line(ran.err), Contains("such.pgn: No such file or directory"));
  // The same for others that write when long work is done.
  const Ran rate = gounki_program("rate " + log + " --svg " + log);
  CHECK(rate.status == 2);
  CHECK(read_file(log) == before);
  for (const char* command : {"openings --out no/such/book", "play random --save no/such/game",
                              "rate no-log --svg no/such/svg"}) {
    INFO(command);
    const Ran early = gounki_program(command);
    CHECK(early.status == 1);
    CHECK(early.out.empty());
    CHECK_THAT(last_line(early.err), Contains("no/such/"));
  }
  CHECK(gounki_program("report /dev/zero").status == 1);
  CHECK(gounki_program("match greedy random --pairs 1 --log /dev/full").status == 1);
}

TEST_CASE("a log is not taken for another match's") {
  const TemporaryFolder folder;
  const std::string log = " --log " + (folder / "log").string();
  CHECK(gounki_program("match greedy random --pairs 1" + log).status == 0);
  const Ran seed = gounki_program("match greedy random --pairs 1 --seed 2" + log);
  CHECK(seed.status == 1);
  CHECK_THAT(last_line(seed.err), Contains("another match: its seed 1, asked for 2"));
  const Ran players = gounki_program("match greedy greedy --pairs 1" + log);
  CHECK_THAT(last_line(players.err), Contains("its players [\"greedy\",\"random\"]"));
  write_file_atomically(folder / "log", "my notes\n");
  CHECK(gounki_program("match greedy random --pairs 1" + log).status == 1);
  CHECK(read_file(folder / "log") == "my notes\n");
  CHECK(gounki_program("report " + (folder / "log").string()).status == 1);
}

TEST_CASE("a test ends a match when it is decided and not before") {
  const TemporaryFolder folder;
  const std::string log = " --log " + (folder / "log").string();
  const std::string match = "match greedy random --pairs 300 --sprt --sprt-elo1 50";
  const Ran ran = gounki_program(match + log);
  CHECK(ran.status == 0);
  CHECK_THAT(last_line(ran.out), StartsWith("SPRT of 0 against 50 normalized Elo: LLR "));
  CHECK_THAT(ran.out, Contains("H1 accepted"));
  const int lines = count_lines(read_file(folder / "log"));
  CHECK(lines > 2);
  CHECK(lines < 100);
  CHECK(gounki_program(match + log).out == ran.out);  // nothing is left to play
  CHECK(count_lines(read_file(folder / "log")) == lines);
  CHECK_THAT(gounki_program("report --json " + (folder / "log").string()).out,
             Contains("\"verdict\":\"H1\""));
  CHECK(gounki_program("match greedy random alphabeta --sprt").status == 2);
  CHECK(gounki_program("match greedy random --sprt --sprt-elo1 -5").status == 2);
}

TEST_CASE("three players meet each other, or the first meets each other one") {
  const Ran all = gounki_program("match greedy random alphabeta:depth=1 --pairs 2");
  CHECK_THAT(all.out, Contains("greedy against random: 4 games"));
  CHECK_THAT(all.out, Contains("random against alphabeta:depth=1: 4 games"));
  const Ran some = gounki_program("match greedy random alphabeta:depth=1 --pairs 2 --gauntlet");
  CHECK_THAT(some.out, Contains("greedy against alphabeta:depth=1: 4 games"));
  CHECK_THAT(some.out, !Contains("random against"));
  CHECK_THAT(gounki_program("match random --pairs 1").out, Contains("reference"));
}

TEST_CASE("clocks are kept and a wrong one is wrong usage") {
  const TemporaryFolder folder;
  const std::string file = (folder / "games.pgn").string();
  const Ran ran = gounki_program("match alphabeta:depth=1 greedy --pairs 1 --clock 9+1 --clock none"
                                 " --records " + file);
  CHECK(ran.status == 0);
  CHECK_THAT(read_file(file), Contains("[%emt 0."));
  for (const char* wrong : {"--clock soon", "--clock 0", "--clock 1 --clock 2 --clock 3"}) {
    INFO(wrong);
    const Ran bad = gounki_program(std::string("match greedy random --pairs 1 ") + wrong);
    CHECK(bad.status == 2);
    CHECK_THAT(last_line(bad.err), Contains("--clock"));
  }
}

TEST_CASE("a book that was made is played from") {
  const TemporaryFolder folder;
  const std::string book = (folder / "book.txt").string();
  const Ran made = gounki_program("openings --count 5 --plies 4 --check-depth 1");
  CHECK(made.status == 0);
  CHECK_THAT(made.out, Contains("# gounki openings --count 5 --seed 1 --plies 4 --check-depth 1"));
  CHECK(gounki_program("openings --count 5 --plies 4 --check-depth 1 --out " + book).out.empty());
  CHECK(read_file(book) == made.out);
  const Ran ran = gounki_program("match greedy random --pairs 5 --book " + book);
  CHECK_THAT(ran.out, Contains("10 games from 5 openings"));
  const Ran more = gounki_program("match greedy random --pairs 6 --book " + book);
  CHECK(more.status == 1);
  CHECK_THAT(last_line(more.err), Contains("5 different openings, but 6 are needed"));
}

}  // namespace
}  // namespace gounki::play
