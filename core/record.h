// Game records: PGN's shape with Gounki's moves (docs/formats.md).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/game.h"

namespace gounki {

struct GameRecord {
  using Tag = std::pair<std::string, std::string>;

  // In the order in which they are written, without Result, FEN and SetUp, which follow from the
  // fields below.
  std::vector<Tag> tags;
  Position first = Position::start();
  Rules rules;
  std::vector<Move> moves;
  // Empty, or one comment for each move ("" for none), without the braces.
  std::vector<std::string> comments;
  // As the record claims it; Ongoing is written "*".
  Outcome result = Outcome::Ongoing;

  const std::string* tag(std::string_view name) const;
  // The game with all moves played; they are trusted.
  Game replay() const;
};

std::string to_string(const GameRecord& record);
// "1-0", "0-1", "1/2-1/2" or "*".
std::string_view to_string(Outcome outcome);

// Reads one record. Every move is checked; an error names the ply and what is wrong with it.
Expected<GameRecord> parse_record(std::string_view text, const Rules& rules = {});
// Splits a file of several records into the text of each, without reading them.
std::vector<std::string_view> split_records(std::string_view text);

}  // namespace gounki
