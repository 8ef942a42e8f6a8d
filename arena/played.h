// What a match leaves behind: games, and the pairs that they come in. A pair is one opening played
// twice with colours swapped.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/player.h"
#include "core/record.h"
#include "mcts/value.h"

namespace gounki::arena {

// Why a game ended.
enum class Ending : std::uint8_t {
  Rules,   // as the rules end one
  PlyCap,  // it reached the cap: a draw
  Proven,  // a player had proven the result
  Agreed,  // both players valued it alike for long enough
  Fault,   // a player failed its turn and lost
};
// "rules", "ply cap", "proven", "agreed", "fault".
std::string_view to_string(Ending ending);
std::optional<Ending> ending_from(std::string_view text);
std::optional<Fault> fault_from(std::string_view text);

struct PlayedGame {
  Position start = Position::start();
  Rules rules;
  std::vector<Move> moves;  // the opening's first
  int opening_plies = 0;
  // One for each move: what its player thought of the position before it, if anything, and the
  // seconds that it took. The times are kept of games with clocks only, else there are none.
  std::vector<std::optional<mcts::WhiteValue>> values;
  std::vector<double> seconds;
  Outcome result = Outcome::Draw;
  Ending ending = Ending::Rules;
  Fault fault = Fault::None;  // of the loser
  std::string fault_text;

  // Plies that the players played.
  int plies() const { return static_cast<int>(moves.size()) - opening_plies; }
  bool operator==(const PlayedGame&) const = default;
};

// A pair to be played: two of the match's players and one of its openings, all by their numbers.
struct Pairing {
  int first = 0, second = 1;
  int opening = 0;
  auto operator<=>(const Pairing&) const = default;
};

struct PlayedPair {
  Pairing pairing;
  std::array<PlayedGame, 2> games;  // the first player has White in games[0]

  // The first player's half points: 0 … 4.
  int half_points() const;
  bool operator==(const PlayedPair&) const = default;
};

// 2 where the side won, 1 for a draw, 0.
int half_points_of(Outcome result, Side side);

// Whether the game is one that this opening began: from its first position, with its moves.
bool begins_with(const PlayedGame& game, const Game& opening);

// As games keep values and seconds, so that a log of them reads back as the same; never -0.
double to_thousandths(double value);

// The record of a pair's game. A move whose player had an opinion carries it as "[%eval +0.250]", the
// expected result before it for White, and "[%emt 0.123]", its seconds, where times were kept.
GameRecord record_of(const PlayedPair& pair, int game, const std::vector<std::string>& players);

}  // namespace gounki::arena
