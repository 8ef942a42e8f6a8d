// The rules of docs/rules.md once more, walked step by step on a board of letters: slow, plain, and
// sharing nothing with the library, so that the two can be held against each other.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>

namespace reference {

// A stack by its counts; nobody's when it is empty.
struct Cell {
  char owner = ' ';  // 'w', 'b' or ' '
  int squares = 0, rounds = 0;
  int size() const { return squares + rounds; }
};

struct Board {
  // cells[rank][file], both from 0; rank 0 is White's first.
  std::array<std::array<Cell, 8>, 8> cells;
  char side = 'w';
  int quiet = 0, ply = 0;
};

// Reads and prints the canonical form of a position.
Board read(const std::string& position);
std::string print(const Board& board);

struct Move {
  // All policy indices that describe the move.
  std::set<int> indices;
  // The position after it, in the canonical form; for an exit, what is left on the board.
  std::string after;
  bool exits = false;
  bool null = false;
};

// Every legal move by its canonical text.
std::map<std::string, Move> legal_moves(const Board& board, bool null_moves);

}  // namespace reference
