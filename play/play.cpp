// gounki play: a person against a player in the terminal.
#include <iostream>
#include <memory>

#include <unistd.h>

#include "arena/player.h"
#include "core/files.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/interrupt.h"
#include "play/options.h"
#include "play/terminal_game.h"

namespace gounki::play {
namespace {

struct PlayOptions : PositionOptions {
  std::string player = "reference";
  std::string side = "white";
  std::string save;
  std::int64_t seed = 1;
  bool ponder = false, flip = false, symbols = false;
};

void run_play(const PlayOptions& options) {
  check_output_file("--save", options.save);
  Game game = options.game();
  if (game.is_over()) throw Failure("nothing to play, the game is over: " + outcome_text(game));
  const auto player = player_from_text(options.player);
  if (options.ponder && !player->can_ponder())
    throw UsageError("--ponder: " + player->name() +
                     " does not think ahead; a tree search by PUCT does, such as handcrafted");
  const Side person = options.side == "white" ? Side::White : Side::Black;
  BoardStyle style;
  style.flip = options.flip != (person == Side::Black);
  style.symbols = options.symbols;
  style.color = ::isatty(STDOUT_FILENO) == 1;

  TerminalGame terminal(std::move(game), *player, person,
                        static_cast<std::uint64_t>(options.seed), style, options.ponder);
  catch_interrupts(WaitingReads::End);  // so that the game is saved
  terminal.run(std::cin, std::cout);
  if (!options.save.empty()) write_file_atomically(options.save, to_string(terminal.record()));
}

}  // namespace

void add_play(Program& program) {
  auto options = std::make_shared<PlayOptions>();
  Command command = program.add_command("play", "Play against a player in the terminal");
  command.option("PLAYER", options->player, "The player, as text");
  command.option("--side", options->side, "Your side", {.choices = {"white", "black"}});
  add_position_options(command, *options);
  command.flag("--ponder", options->ponder,
               "Let the player think on your time too (tree searches)");
  command.option("--save", options->save, "Write the game into this file at the end",
                 {.type = "FILE"});
  command.option("--seed", options->seed, "Of all that the player draws at random", kSeedInfo);
  command.flag("--flip", options->flip, "Turn the board round; your side is at the bottom");
  command.flag("--symbols", options->symbols, "Symbols for the pieces in place of letters");
  add_device_option(command);
  command.example("gounki play run:runs/quick,movetime=2000 --side black --ponder",
                  players_help());
  command.run([options] { run_play(*options); });
}

}  // namespace gounki::play
