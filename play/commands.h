// The subcommands of gounki. Each function declares one with its options on the program and hangs
// its work on it; nothing runs before the whole command line is read.
#pragma once

#include <CLI/CLI.hpp>

namespace gounki::play {

void add_moves(CLI::App& program);
void add_perft(CLI::App& program);
void add_replay(CLI::App& program);
void add_show(CLI::App& program);

}  // namespace gounki::play
