// gounki openings: makes a book of openings for matches.
#include <cstdio>
#include <memory>

#include <spdlog/fmt/fmt.h>

#include "arena/book.h"
#include "arena/openings.h"
#include "core/files.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/console.h"
#include "play/options.h"

namespace gounki::play {
namespace {

struct OpeningsOptions : RulesOptions {
  int count = 100;
  std::int64_t seed = 1;
  std::string out;
  arena::OpeningsConfig config;
};

// How the book was made, so that it can be made again.
std::string header_text(const OpeningsOptions& options) {
  std::string command = fmt::format("gounki openings --count {} --seed {}", options.count, options.seed);
  for (const ParamInfo& param : describe_params(options.config)) {
    std::string name = param.name;
    std::replace(name.begin(), name.end(), '_', '-');
    command += fmt::format(" --{} {}", name, param.value);
  }
  if (options.no_null_moves) command += " --no-null-moves";
  if (options.no_draw_rules) command += " --no-draw-rules";
  return fmt::format(
      "# {} openings of {} random plies that reach different positions, none of which an alpha-beta\n"
      "# search of depth {} scores beyond {} hundredths of a simple piece for either side. Made by\n"
      "# {}\n",
      options.count, options.config.plies, options.config.check_depth, options.config.max_score,
      command);
}

void run_openings(const OpeningsOptions& options) {
  check_output_file("--out", options.out);
  Console console;
  const auto start = Console::Clock::now();
  const auto found = [&](int count) {
    const double seconds = std::chrono::duration<double>(Console::Clock::now() - start).count();
    console.progress(progress_text("openings", count, options.count, "openings", seconds));
  };
  const std::vector<Game> openings =
      arena::make_openings(options.count, static_cast<std::uint64_t>(options.seed), options.config,
                           options.rules(), found);
  const std::string text = header_text(options) + arena::book_text(openings);
  if (options.out.empty()) fmt::print("{}", text);
  else write_file_atomically(options.out, text);
}

}  // namespace

void add_openings(Program& program) {
  auto options = std::make_shared<OpeningsOptions>();
  Command command = program.add_command("openings", "Make a book of balanced openings for matches");
  command.option("--count", options->count, "How many", {.type = "N", .range = {1, 1e6}});
  command.option("--seed", options->seed, "Of what is drawn", kSeedInfo);
  command.option("--out", options->out, "The file; standard output without it", {.type = "FILE"});
  add_param_options(command, options->config);
  add_rules_options(command, *options);
  command.example("gounki openings --count 500 --plies 8 --check-depth 5 --out book.txt");
  command.run([options] { run_openings(*options); });
}

}  // namespace gounki::play
