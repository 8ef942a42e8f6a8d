// Commands that use no network must not load LibTorch, which takes most of a second.
#include <string>

#include <catch2/catch.hpp>

#include "program.h"

using namespace gounki::play;
using Catch::Matchers::Contains;

namespace {

// The libraries that the loader opens while a command runs.
std::string libraries_of(const std::string& arguments) {
  return shell("LD_DEBUG=files \"$gounki\" " + arguments).err;
}

}  // namespace

TEST_CASE("commands without a network load no LibTorch") {
  for (const char* arguments :
       {"--help", "--version", "train --help", "moves", "perft 2", "show", "search --set visits=10",
        "replay \"$golden/game_2003.pgn\"", "inspect \"$golden/game_2003.pgn\"",
        "match random greedy --pairs 1", "play random", "ugi"}) {
    CAPTURE(arguments);
    const std::string libraries = libraries_of(arguments);
    CHECK_THAT(libraries, Contains("libc.so"));
    CHECK_THAT(libraries, !Contains("torch"));
  }
}
