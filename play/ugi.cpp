// gounki ugi: our engine for other programs, by the Universal Game Interface.
#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include "play/command_line.h"
#include "play/commands.h"
#include "play/evaluators.h"
#include "play/line_reader.h"
#include "play/options.h"
#include "play/ugi_engine.h"

namespace gounki::play {
namespace {

struct UgiOptions : RulesOptions {
  UgiSettings settings;
  std::string evaluator = settings.evaluator;
  std::vector<std::string> assignments;
};

void run_ugi(UgiOptions& options) {
  set_params(options.settings, options.assignments);
  options.settings.evaluator = options.evaluator;
  UgiEngine engine(options.settings, options.rules(), [](const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  });
  LineReader input(STDIN_FILENO, 1 << 20);
  const std::atomic<bool> never = false;
  std::string line;
  for (auto got = input.next(line, never); got != LineReader::Got::End; got = input.next(line, never)) {
    if (got == LineReader::Got::TooLong) engine.complain("a line of more than 1 MiB is left out");
    else if (!engine.hear(line)) break;
  }
  engine.stop();
}

}  // namespace

void add_ugi(Program& program) {
  auto options = std::make_shared<UgiOptions>();
  Command command = program.add_command(
      "ugi", "Talk to a program that plays games, by the Universal Game Interface");
  command.option("--evaluator", options->evaluator, kEvaluatorHelp);
  command.repeated("--set", options->assignments, "Any option, as setoption sets it", "KEY=VALUE");
  add_rules_options(command, *options);
  add_device_option(command);
  command.example("gounki ugi --evaluator net:runs/quick --set threads=2",
                  "Reads commands from its standard input and answers on its standard output:\n"
                  "docs/ugi.md. The options, which `ugi` lists too (name, default, range):\n" +
                      params_help(describe_params(UgiSettings())));
  command.run([options] { run_ugi(*options); });
}

}  // namespace gounki::play
