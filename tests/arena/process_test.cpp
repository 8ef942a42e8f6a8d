#include "arena/process.h"

#include <csignal>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/arena/children.h"

namespace gounki::arena {
namespace {

using Got = Process::Got;
using Sent = Process::Sent;
constexpr int kLong = 5000;  // milliseconds; nothing here takes as long

std::unique_ptr<Process> started(const std::string& script) {
  auto process = Process::start({"sh", "-c", script});
  REQUIRE(process);
  return std::move(*process);
}

std::string line_of(Process& process) {
  std::string line;
  REQUIRE(process.read_line(line, in_ms(kLong)) == Got::Line);
  return line;
}

TEST_CASE("a command line is split as a shell splits it") {
  using Words = std::vector<std::string>;
  const std::pair<const char*, Words> rows[] = {
      {"", {}},
      {"  ", {}},
      {"engine", {"engine"}},
      {" ./engine  -a b ", {"./engine", "-a", "b"}},
      {"'my engine' \"and more\"", {"my engine", "and more"}},
      {"a'b c'd", {"ab cd"}},
      {"a\\ b \\'", {"a b", "'"}},
      {"'a\\b' \"a\\\"b\"", {"a\\b", "a\"b"}},
      {"a '' b", {"a", "", "b"}},
      {"$HOME *.cpp; ls", {"$HOME", "*.cpp;", "ls"}},
  };
  for (const auto& [text, words] : rows) {
    INFO(text);
    const auto split = split_command(text);
    REQUIRE(split);
    CHECK(*split == words);
  }
  CHECK(split_command("a 'b").error().message == "the quote ' is not closed");
  CHECK(split_command("a \"b\\\"").error().message == "the quote \" is not closed");
  CHECK(split_command("a \\").error().message == "nothing follows the last \\");
}

TEST_CASE("a text is split outside of its quotes and loses them") {
  using Parts = std::vector<std::string_view>;
  CHECK(split_outside_quotes("a,b", ',') == Parts{"a", "b"});
  CHECK(split_outside_quotes("", ',') == Parts{""});
  CHECK(split_outside_quotes("'a,b',c\\,d,\"e,\",", ',') == Parts{"'a,b'", "c\\,d", "\"e,\"", ""});
  CHECK(*unquoted("' a,b 'c\\,d") == " a,b c,d");
  CHECK_FALSE(unquoted("'a"));
}

TEST_CASE("lines go there and back") {
  const auto process = started("while read -r line; do echo \"<$line>\"; done");
  for (const char* line : {"one", "two words", ""}) {
    CHECK(process->send(std::string(line) + "\n", in_ms(kLong)) == Sent::All);
    CHECK(line_of(*process) == "<" + std::string(line) + ">");
  }
  process->end(kLong);
  CHECK(have_no_children());
}

TEST_CASE("lines come whole whatever pieces they arrive in") {
  const auto process =
      started("printf 'a'; sleep 0.02; printf 'b\\r\\n\\nc'; sleep 0.02; printf 'd\\ne'");
  CHECK(line_of(*process) == "ab");
  CHECK(line_of(*process).empty());
  CHECK(line_of(*process) == "cd");
  std::string line;
  CHECK(process->read_line(line, in_ms(kLong)) == Got::End);
  CHECK(process->state() == "ended with exit status 0");
}

TEST_CASE("many lines come in their order") {
  const auto process = started("i=0; while [ $i -lt 30000 ]; do echo $i; i=$((i+1)); done");
  for (int i = 0; i < 30000; ++i)
    if (line_of(*process) != std::to_string(i)) FAIL("at line " << i);
}

TEST_CASE("nothing waits past its deadline") {
  const auto process = started("sleep 60");
  std::string line;
  CHECK(process->read_line(line, in_ms(10)) == Got::Late);
  CHECK(process->read_line(line, in_ms(-10)) == Got::Late);
  CHECK(process->send(std::string(1 << 20, 'x'), in_ms(10)) == Sent::Late);
  CHECK(process->state() == "closed a pipe, but runs");
}

TEST_CASE("a line without an end is a flood") {
  const auto process = started("yes x | tr -d '\\n'");
  std::string line;
  CHECK(process->read_line(line, in_ms(kLong)) == Got::Flood);
}

TEST_CASE("how a process ended is told") {
  const auto quit = started("exit 7");
  CHECK(quit->state() == "ended with exit status 7");
  const auto killed = started("kill -s KILL $$");
  CHECK(killed->state() == "was ended by signal 9");
  std::string line;
  CHECK(quit->read_line(line, in_ms(kLong)) == Got::End);
}

TEST_CASE("writing to a process that has ended raises no signal") {
  const auto process = started("exit 0");
  process->state();
  CHECK(process->send("hello\n", in_ms(kLong)) == Sent::Broken);
  sigset_t pending;
  sigpending(&pending);
  CHECK(sigismember(&pending, SIGPIPE) == 0);
}

TEST_CASE("a program that is not there cannot be started") {
  const auto process = Process::start({"no-such-program-anywhere"});
  REQUIRE_FALSE(process);
  CHECK(process.error().message ==
        "cannot start \"no-such-program-anywhere\": No such file or directory");
  CHECK_FALSE(Process::start({}));
  CHECK_FALSE(Process::start({""}));
  CHECK_FALSE(Process::start({"true"}, "/no/such/folder/log"));
  CHECK(have_no_children());
}

TEST_CASE("the end takes the whole group whatever it ignores") {
  for (const char* script :
       {"sleep 60 & echo $$; wait", "trap '' TERM; echo $$; while :; do sleep 1; done",
        "trap '' TERM; (sleep 60; sleep 60) & echo $$; exit"}) {
    INFO(script);
    const auto process = started(script);
    const pid_t group = std::stoi(line_of(*process));
    process->end(20);
    CHECK(have_no_children());
    CHECK(group_ends(group));
  }
}

TEST_CASE("a process may end by itself when its input ends or when it is asked to") {
  const auto reader = started("while read -r line; do :; done; sleep 0.05; kill -s USR1 $PPID");
  const auto trapped =
      started("trap 'kill -s USR1 $PPID; exit' TERM; echo; while :; do sleep 0.01; done");
  line_of(*trapped);
  static int signals;
  signals = 0;
  const auto before = std::signal(SIGUSR1, [](int) { ++signals; });
  reader->end(kLong);
  CHECK(signals == 1);
  trapped->end(500);
  CHECK(signals == 2);
  std::signal(SIGUSR1, before);
  CHECK(have_no_children());
}

}  // namespace
}  // namespace gounki::arena
