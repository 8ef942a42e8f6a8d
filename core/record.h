// Game records: PGN's shape with Gounki's moves (docs/formats.md). Rules that differ from the default
// are a tag, [Rules "…"], that lists what is switched off, with commas between: "no-null-moves",
// "no-repetition-draw", "no-quiet-draw".
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

  // In the order in which they are written, without Result, SetUp, FEN and Rules, which follow from
  // the fields below and are not written from here. A name has letters, digits and underscores only.
  std::vector<Tag> tags;
  Position first = Position::start();
  Rules rules;
  std::vector<Move> moves;
  // Empty, or one comment for each move ("" for none), without the braces. Any run of spaces and line
  // ends in a comment counts as one space.
  std::vector<std::string> comments;
  // What stands before the first move.
  std::string opening_comment;
  // As the record claims it; Ongoing is written "*". A side may resign and players may agree on a
  // draw, so a claim is wrong only where the moves have ended the game otherwise.
  Outcome result = Outcome::Ongoing;

  const std::string* tag(std::string_view name) const;
  // The game with all moves played; they are trusted.
  Game replay() const;
};

std::string to_string(const GameRecord& record);
// "1-0", "0-1", "1/2-1/2" or "*".
std::string_view to_string(Outcome outcome);

// Reads one record. Every move is checked; an error names line, column and ply, and what is wrong.
// `rules` are those of a record without a Rules tag.
Expected<GameRecord> parse_record(std::string_view text, const Rules& rules = {});
// Splits a file of several records into the text of each, without reading them: a record begins with
// its tags.
std::vector<std::string_view> split_records(std::string_view text);

}  // namespace gounki
