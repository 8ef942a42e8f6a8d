// gounki: one program, a subcommand for each job. Results go to stdout, all else to stderr. Exit
// status 0: done; 1: what was asked for failed; 2: wrong usage or configuration.
#include <cstdio>
#include <exception>
#include <new>

#include "core/error.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/version.h"

namespace gounki::play {
namespace {

void add_commands(Program& program) {
  add_train(program);
  add_selfplay(program);
  add_learn(program);
  add_match(program);
  add_report(program);
  add_openings(program);
  add_rate(program);
  add_sprt(program);
  add_play(program);
  add_search(program);
  add_analyze(program);
  add_moves(program);
  add_perft(program);
  add_replay(program);
  add_show(program);
  add_inspect(program);
  add_convert(program);
  add_evaluate(program);
  add_bench(program);
  add_ugi(program);
}

// What was printed must have arrived: a full disk is a failure.
void check_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw Failure("cannot write to the standard output: is the disk full?");
}

void run(int argc, const char* const* argv) {
  Program program("gounki", "Self-play Monte Carlo tree search for the board game Gounki",
                  version_text());
  add_commands(program);
  program.run(argc, argv);
  check_output();
}

}  // namespace
}  // namespace gounki::play

int main(int argc, char** argv) {
  const auto say = [](const char* what, int status) {
    std::fflush(stdout);
    std::fprintf(stderr, "gounki: %s\n", what);
    return status;
  };
  try {
    gounki::play::run(argc, argv);
    return 0;
  } catch (const gounki::UsageError& error) {
    return say(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return say("out of memory", 1);
  } catch (const std::exception& error) {
    return say(error.what(), 1);
  }
}
