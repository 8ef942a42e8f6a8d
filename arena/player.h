// Players: who chooses moves in matches, in play and in the trainer's yardstick games.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/game.h"
#include "core/params.h"
#include "mcts/proof.h"
#include "mcts/time_budget.h"
#include "mcts/value.h"

namespace gounki::arena {

// Of the player whose turn it is, and of the other.
struct Clocks {
  mcts::Clock own, other;
};

// A game in which it is this player's turn, and the seed of all that the player draws at random.
struct Turn {
  const Game* game = nullptr;
  std::uint64_t seed = 0;
  std::optional<Clocks> clocks = {};  // in a game that has them
};

// How a player that is another program can fail a turn. The game is then lost for it.
enum class Fault : std::uint8_t {
  None,
  Crash,        // its process ended, or cannot be started
  Stall,        // it answers nothing any more
  IllegalMove,  // it named a move that is not legal, or is none
  TimeLoss,     // its move came too late
  Garbage,      // what it says is not the protocol
};
// "crash", "stall", "illegal move", "time loss", "garbage"; "" for None.
std::string_view to_string(Fault fault);

struct Choice {
  Move move;
  // What the player thinks of its position before the move, where it has an opinion.
  std::optional<mcts::MoverValue> value = {};
  mcts::Proof proof = {};  // of that position, where the player has one by the rules
  // How deep it looked and how many nodes it saw; 0 where it does not say.
  int depth = 0;
  std::int64_t nodes = 0;
  Fault fault = Fault::None;    // if there is one, `move` means nothing
  std::string fault_text = {};  // what happened, for people
};

class Player {
 public:
  virtual ~Player() = default;
  // Chooses in many games at once, so that a network fills its batches; choices[i] answers
  // turns[i]. The choices depend on the turns alone. May be called from several threads at once.
  virtual void choose(std::span<const Turn> turns, std::span<Choice> choices) = 0;
  // The text that makes this player; for a run's newest checkpoint, that of the file.
  virtual std::string name() const = 0;

  // Whether it would rather have a game's turns one after another than one turn of many games at once.
  virtual bool wants_whole_games() const { return false; }
  // How often the program behind it had to be started anew.
  virtual int restarts() const { return 0; }

  // For a game against a person: from now on the turns come one by one, from one thread, and belong
  // to one game. What was thought about one may help with the next, so that choices may depend on
  // those before.
  virtual void follow_game() {}
  // Whether ponder() does something.
  virtual bool can_ponder() const { return false; }
  // Begins to think about the followed game, in which it is the other side's turn, and returns at
  // once. Goes on until the next choose() or ponder(), or the player's end.
  virtual void ponder(const Game&) {}
};

// Makes a player from its text, "kind:key=value,…" (docs/players.md). An error says what is wrong
// with the text, the nearest known kind or key, or why a network cannot be loaded. A network is
// loaded once and shared by all players that use it.
Expected<std::unique_ptr<Player>> make_player(std::string_view text);
// The same without making it: whether kind and options are right. No file is looked for.
Expected<void> check_player_text(std::string_view text);

// A kind of player, for help and documentation.
struct PlayerKind {
  std::string name;
  std::string form;  // such as "net:FILE,key=value,…"
  std::string help;
  std::vector<ParamInfo> params;
};
std::vector<PlayerKind> player_kinds();

}  // namespace gounki::arena
