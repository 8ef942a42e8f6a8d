// What a search has found, for people and for programs. Values are for the side to move.
#pragma once

#include <string>
#include <vector>

#include "core/game.h"
#include "mcts/engine.h"
#include "play/options.h"

namespace gounki::play {

// "win in 3", "loss in 4", "draw": a proven value, with plies to the end of the game.
std::string proof_text(mcts::MoverValue value, int plies);

// The moves of a line of play that begins at the game's position.
std::vector<std::string> line_text(const Game& game, const std::vector<Move>& line);

// How far a search is, on one line: "depth 7/19, 1.2 M visits, 410 k/s, …".
std::string search_progress_text(const Game& game, const mcts::Report& report);

// Some lines about the root and a table of its moves, best first, of at most `rows` rows; those of
// the report's lines stay in any case. The last line is "best MOVE".
std::string search_text(const Game& game, const mcts::Report& report, int rows);

// The fields that docs/formats.md lists under "A search", from "best" on.
Json search_json(const Game& game, const mcts::Report& report);

}  // namespace gounki::play
