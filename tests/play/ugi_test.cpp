// The program as an engine, through real pipes.
#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/files.h"
#include "program.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// A line without the numbers that depend on the machine and on how a search goes.
std::string without_numbers(const std::string& line) {
  static const std::regex numbers("(depth|nodes|nps|hashfull|time|id name gounki) [0-9.]+");
  return std::regex_replace(line, numbers, "$1 #");
}

}  // namespace

TEST_CASE("the program as an engine answers and ends with its input") {
  const Ran ran = gounki_program("ugi", "ugi\nisready\nposition startpos\nquery p1turn\n");
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  CHECK_THAT(ran.out, StartsWith("id name gounki ") && Contains("\nugiok\nreadyok\nresponse true\n"));
}

TEST_CASE("the end of the input ends a search and quit too") {
  for (const char* input : {"go infinite\n", "go infinite\nquit\nisready\n", "go infinite"}) {
    const Ran ran = gounki_program("ugi", input);
    CHECK(ran.status == 0);
    CHECK_THAT(last_line(ran.out), StartsWith("bestmove "));
  }
}

TEST_CASE("a line without an end and bytes that are no text are told and left out") {
  const std::string zero = std::string("is\0ready\n", 9), high = "\xff\xfe\n";
  const Ran ran =
      gounki_program("ugi", zero + high + std::string(3 << 20, 'x') + "\nisready\nquery result");
  CHECK(ran.status == 0);
  CHECK(ran.out == "info string error unknown command \"is\"\n"
                   "info string error unknown command \"??\"\n"
                   "info string error a line of more than 1 MiB is left out\n"
                   "readyok\nresponse none\n");
}

TEST_CASE("wrong options of the command are told before anything is read") {
  CHECK(gounki_program("ugi --evaluator magic").status == 2);
  CHECK(gounki_program("ugi --set visits=many").status == 2);
  CHECK(gounki_program("ugi --set algorithm=best").status == 2);
  CHECK(gounki_program("ugi --evaluator net:no/such/file").status == 1);
  const Ran ran = gounki_program("ugi --evaluator uniform --set threads=2", "ugi\n");
  CHECK_THAT(ran.out, Contains("option name threads type spin default 2 ") &&
                          Contains("option name evaluator type string default uniform"));
}

TEST_CASE("a match between the program and itself through pipes") {
  const std::string engine = "\"ugi:'$gounki' ugi --evaluator handcrafted,";
  const Ran ran = shell("\"$gounki\" match " + engine + "nodes=40\" " + engine +
                        "nodes=5,option.seed=3\" --pairs 1 --json");
  INFO(ran.err);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("nodes=40"));
}

TEST_CASE("the conversation in docs is what the program says") {
  const std::string page = read_file(GOUNKI_GOLDEN "/../../docs/ugi.md");
  std::string input;
  std::vector<std::string> answers;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("    > ")) input += line.substr(6) + "\n";
    if (line.starts_with("    < ")) answers.push_back(line.substr(6));
  }
  REQUIRE(answers.size() > 8);
  // What comes after a search is said when that has ended.
  const Ran ran = shell("while read -r line; do echo \"$line\"; "
                        "case $line in go*) sleep 0.5;; esac; done | \"$gounki\" ugi --evaluator handcrafted", input);
  const std::vector<std::string> said = lines_of(ran.out);
  auto at = said.begin();
  for (const std::string& answer : answers) {
    INFO(answer);
    at = std::find_if(at, said.end(), [&](const std::string& line) {
      return without_numbers(line) == without_numbers(answer);
    });
    REQUIRE(at != said.end());
    ++at;
  }
}
