// gounki report: what a match's log says.
#include <memory>

#include "arena/match_log.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/match_output.h"

namespace gounki::play {

void add_report(Program& program) {
  struct Options {
    std::string log;
    MatchOutput output;
  };
  auto options = std::make_shared<Options>();
  Command command = program.add_command("report", "Report on a match from its log alone");
  command.option("LOG", options->log, "The log of a match", {.required = true});
  add_match_output(command, options->output);
  command.example("gounki report match.jsonl --records match.pgn");
  command.run([options] {
    check_match_output(options->output, {options->log});
    write_match(arena::read_match_log(options->log), options->output);
  });
}

}  // namespace gounki::play
