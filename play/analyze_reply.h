// The replies of gounki analyze: one JSON object, one line (docs/analysis.md).
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/game.h"
#include "mcts/value.h"
#include "play/analyze_query.h"
#include "play/analyze_scheduler.h"
#include "play/options.h"

namespace gounki::play {

// For whom values speak.
enum class Perspective { SideToMove, White, Black };
// Of "sidetomove", "white" or "black".
Perspective perspective_from(const std::string& text);
// The side that is meant where `mover` is to move.
Side side_of(Perspective perspective, Side mover);
// A value of the side to move, for the side of the perspective; never -0.
float seen_from(Perspective perspective, mcts::MoverValue value, Side mover);

// The reply to one turn of a query, of whatever kind the news are.
Json analysis_reply(const AnalysisNews& news, Perspective perspective, bool include_policy);
// The reply to a turn at which the game is over.
Json finished_reply(const std::string& id, const Game& game, Perspective perspective);

Json error_reply(const AnalysisError& error);
Json warning_reply(const std::string& id, const std::string& field, const std::string& message);

// One line, whatever bytes the texts hold.
std::string line_of(const Json& reply);

}  // namespace gounki::play
