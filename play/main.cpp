// gounki: one program, a subcommand for each job. Results go to stdout, all else to stderr. Exit
// status 0: done; 1: what was asked for failed; 2: wrong usage or configuration.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "core/error.h"
#include "core/params.h"
#include "play/commands.h"
#include "play/version.h"

namespace gounki::play {
namespace {

void add_commands(Program& program) {
  add_train(program);
  add_selfplay(program);
  add_learn(program);
  add_match(program);
  add_play(program);
  add_search(program);
  add_moves(program);
  add_perft(program);
  add_replay(program);
  add_show(program);
  add_inspect(program);
  add_bench(program);
  program.require_subcommand(1);
}

// CLI11 would only say that an argument was not expected.
void check_command(const Program& program, int argc, const char* const* argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  if (argc < 2)
    throw UsageError("which command? `gounki --help` lists them: " +
                     fmt::format("{}", fmt::join(names, ", ")));
  const std::string given = argv[1];
  if (given.empty() || given[0] == '-' || std::find(names.begin(), names.end(), given) != names.end())
    return;
  throw UsageError("unknown command \"" + given + "\", did you mean \"" +
                   nearest_name(given, names) + "\"?");
}

// The name of the command being read, for "see gounki moves --help".
std::string command_given(const Program& program) {
  const auto commands = program.get_subcommands();
  return commands.empty() ? "gounki" : "gounki " + commands.front()->get_name();
}

// What was printed must have arrived: a full disk is a failure.
void check_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw Failure("cannot write to the standard output: is the disk full?");
}

void run(int argc, const char* const* argv) {
  CLI::App program("Self-play Monte Carlo tree search for the board game Gounki", "gounki");
  program.set_version_flag("--version", version_text());
  program.get_formatter()->column_width(34);
  add_commands(program);
  check_command(program, argc, argv);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    program.exit(success);
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{} (see `{} --help`)", error.what(), command_given(program)));
  }
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
