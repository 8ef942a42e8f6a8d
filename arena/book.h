// Opening books: text files with an opening a line, its moves from the start:
//
//     # comments, also behind an opening
//     a2-b3 h7-g6 c2-d3
//     position r,s,r,s,r,s,r,s/… w 0 0 moves a2-b3
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/game.h"

namespace gounki::arena {

struct Book {
  std::vector<Game> openings;  // in the order of the file, each position once
  int repeated = 0;            // openings left out because an earlier one reaches the same position
  std::uint64_t hash = 0;      // of the openings
};

// Throws a Failure that names the file and the line of what is illegal, or of a game that is over.
Book read_book(const std::filesystem::path& path, const Rules& rules = {});
// The lines of these openings, which begin at the start.
std::string book_text(const std::vector<Game>& openings);
// `count` openings of the book in an order that the seed decides; the first n are the same however
// many are asked for. Throws a Failure when it has fewer.
std::vector<Game> draw_openings(const Book& book, int count, std::uint64_t seed);

}  // namespace gounki::arena
