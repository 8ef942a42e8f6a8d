// gounki ugi: our engine for other programs, by the Universal Game Interface.
#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "play/command_line.h"
#include "play/commands.h"
#include "play/evaluators.h"
#include "play/options.h"
#include "play/ugi_engine.h"

namespace gounki::play {
namespace {

struct UgiOptions : RulesOptions {
  UgiSettings settings;
  std::string evaluator = settings.evaluator;
  std::vector<std::string> assignments;
};

// The lines of the standard input as they come, to its end or until `hear` returns false. Of a line that
// is too long only that is told: none.
void read_lines(const std::function<bool(std::string_view line)>& hear,
                const std::function<void()>& too_long) {
  constexpr std::size_t kMost = 1 << 20;
  std::string buffer;
  bool skipping = false;
  for (char bytes[1 << 12];;) {
    const ssize_t got = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    for (const char c : std::string_view(bytes, static_cast<std::size_t>(got))) {
      if (c != '\n') {
        if (!skipping) buffer += c;
        if (buffer.size() > kMost) {
          too_long();
          buffer.clear();
          skipping = true;
        }
        continue;
      }
      if (!skipping && !hear(buffer)) return;
      buffer.clear();
      skipping = false;
    }
  }
  if (!buffer.empty()) hear(buffer);
}

void run_ugi(UgiOptions& options) {
  set_params(options.settings, options.assignments);
  options.settings.evaluator = options.evaluator;
  UgiEngine engine(options.settings, options.rules(), [](const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  });
  read_lines([&](std::string_view line) { return engine.hear(line); },
             [&] { engine.complain("a line of more than 1 MiB is left out"); });
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
  command.example("gounki ugi --evaluator net:runs/quick --set threads=2",
                  "Reads commands from its standard input and answers on its standard output:\n"
                  "docs/ugi.md. The options, which `ugi` lists too (name, default, range):\n" +
                      params_help(describe_params(UgiSettings())));
  command.run([options] { run_ugi(*options); });
}

}  // namespace gounki::play
