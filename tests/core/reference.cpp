#include "reference.h"

#include <sstream>
#include <utility>
#include <vector>

namespace reference {
namespace {

struct Place {
  int file = 0, rank = 0;
  bool operator==(const Place&) const = default;
};

std::string name(Place p) { return std::string(1, char('a' + p.file)) + char('1' + p.rank); }

// A run of steps of one kind.
struct Run {
  int file_step = 0;     // -1 toward file a, 1 toward file h
  bool forward = false;  // up for White, down for Black
  int steps_made = 0;
};

enum class Step { Made, Exits, Impossible };

Step take_step(Run& run, Place& place, char side) {
  const int rank = place.rank + (run.forward ? (side == 'w' ? 1 : -1) : 0);
  if (rank < 0 || rank > 7) return Step::Exits;
  int file = place.file + run.file_step;
  if (file < 0 || file > 7) {
    if (run.steps_made == 0) return Step::Impossible;
    run.file_step = -run.file_step;
    file = place.file + run.file_step;
  }
  place = {file, rank};
  ++run.steps_made;
  return Step::Made;
}

// The directions in the order of the policy templates: forward, left, right, forward-left,
// forward-right.
Run run_in(int direction) {
  static const std::vector<Run> runs{{0, true}, {-1, false}, {1, false}, {-1, true}, {1, true}};
  return runs[direction];
}
bool is_round(int direction) { return direction >= 3; }

char other(char side) { return side == 'w' ? 'b' : 'w'; }

class Walker {
 public:
  Walker(const Board& board, bool null_moves) : board_(board), null_moves_(null_moves) {}

  std::map<std::string, Move> all() {
    for (int rank = 0; rank < 8; ++rank)
      for (int file = 0; file < 8; ++file)
        if (board_.cells[rank][file].owner == board_.side) from_place({file, rank});
    return moves_;
  }

 private:
  static Cell& at(Board& board, Place p) { return board.cells[p.rank][p.file]; }

  void from_place(Place from) {
    const Cell stack = board_.cells[from.rank][from.file];
    for (int direction = 0; direction < 5; ++direction)
      for (int steps = 1; steps <= 3; ++steps)
        move_whole(from, stack, direction, steps, direction * 3 + steps - 1);
    if (stack.size() < 2) return;
    if (stack.rounds == 0)
      for (int d = 0; d < 3; ++d) deploy(from, stack, {d}, 15 + d);
    else if (stack.squares == 0)
      for (int d = 3; d < 5; ++d) deploy(from, stack, {d}, 15 + d);
    else {
      int templ = 20;
      for (int round : {3, 4})
        for (int square : {0, 1, 2}) deploy(from, stack, {round, square}, templ++);
      for (int square : {0, 1, 2})
        for (int round : {3, 4}) deploy(from, stack, {square, round}, templ++);
    }
  }

  void move_whole(Place from, Cell stack, int direction, int steps, int templ) {
    if (steps > (is_round(direction) ? stack.rounds : stack.squares)) return;
    Board after = board_;
    at(after, from) = Cell();
    Run run = run_in(direction);
    Place place = from;
    for (int n = 1; n <= steps; ++n) {
      const Step step = take_step(run, place, board_.side);
      if (step == Step::Impossible) return;
      if (step == Step::Exits) {
        if (n == steps) add(from, templ, name(from) + "-OUT", after, true, false);
        return;
      }
      if (n < steps && at(after, place).size() > 0) return;
    }
    Cell& there = at(after, place);
    std::string text = name(from) + '-' + name(place);
    bool quiet = place.rank == from.rank;
    if (there.owner == other(board_.side)) {
      text[2] = 'x';
      there = stack;
      quiet = false;
    } else if (there.size() > 0) {
      if (there.size() + stack.size() > 3) return;
      text += '+';
      there.squares += stack.squares;
      there.rounds += stack.rounds;
    } else {
      there = stack;
    }
    if (place == from && !null_moves_) return;
    add(from, templ, text, after, false, quiet, place == from);
  }

  void deploy(Place from, Cell stack, std::vector<int> directions, int templ) {
    Board after = board_;
    at(after, from) = Cell();
    std::string text = name(from);
    Place place = from;
    bool quiet = true, first_step = true;
    for (const int direction : directions) {
      Run run = run_in(direction);
      const int pieces = is_round(direction) ? stack.rounds : stack.squares;
      for (int n = 0; n < pieces; ++n) {
        const Step step = take_step(run, place, board_.side);
        if (step == Step::Impossible) return;
        if (step == Step::Exits) {
          // From the first step it is the move to OUT.
          if (!first_step) add(from, templ, text + ",OUT", after, true, false);
          return;
        }
        Cell& there = at(after, place);
        if (there.owner == other(board_.side) || there.size() == 3) return;
        text += (first_step ? "*" : ",") + name(place) + (there.size() > 0 ? "+" : "");
        there.owner = board_.side;
        ++(is_round(direction) ? there.rounds : there.squares);
        quiet = quiet && place.rank == from.rank;
        first_step = false;
      }
    }
    add(from, templ, text, after, false, quiet);
  }

  void add(Place from, int templ, const std::string& text, Board after, bool exits, bool quiet,
           bool null = false) {
    after.side = other(board_.side);
    after.quiet = quiet ? board_.quiet + 1 : 0;
    after.ply = board_.ply + 1;
    const int seen_rank = board_.side == 'w' ? from.rank : 7 - from.rank;
    Move& move = moves_[text];
    move.indices.insert((from.file + 8 * seen_rank) * 32 + templ);
    // An exit may leave different pieces behind, depending on the way; the first way counts.
    if (move.after.empty()) move.after = print(after);
    move.exits = exits;
    move.null = null;
  }

  const Board& board_;
  bool null_moves_;
  std::map<std::string, Move> moves_;
};

}  // namespace

Board read(const std::string& position) {
  Board board;
  std::istringstream in(position);
  std::string ranks, side;
  in >> ranks >> side >> board.quiet >> board.ply;
  board.side = side[0];
  int rank = 7, file = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const char c = ranks[i];
    if (c == '/') --rank, file = 0;
    else if (c == ',') continue;
    else if (c == 'x') file += i + 1 < ranks.size() && isdigit(ranks[i + 1]) ? ranks[++i] - '0' : 1;
    else {
      Cell& cell = board.cells[rank][file];
      cell.owner = c == 'S' || c == 'R' ? 'w' : 'b';
      ++(c == 'S' || c == 's' ? cell.squares : cell.rounds);
      if (i + 1 == ranks.size() || ranks[i + 1] == ',' || ranks[i + 1] == '/') ++file;
    }
  }
  return board;
}

std::string print(const Board& board) {
  std::string out;
  for (int rank = 7; rank >= 0; --rank) {
    std::vector<std::string> parts;
    int empty = 0;
    const auto end_empty = [&] {
      if (empty > 0) parts.push_back(empty == 1 ? "x" : "x" + std::to_string(empty));
      empty = 0;
    };
    for (const Cell& cell : board.cells[rank]) {
      if (cell.size() == 0) {
        ++empty;
        continue;
      }
      end_empty();
      const bool white = cell.owner == 'w';
      parts.push_back(std::string(cell.squares, white ? 'S' : 's') +
                      std::string(cell.rounds, white ? 'R' : 'r'));
    }
    end_empty();
    for (std::size_t i = 0; i < parts.size(); ++i) out += (i ? "," : "") + parts[i];
    if (rank > 0) out += '/';
  }
  return out + ' ' + board.side + ' ' + std::to_string(board.quiet) + ' ' +
         std::to_string(board.ply);
}

std::map<std::string, Move> legal_moves(const Board& board, bool null_moves) {
  return Walker(board, null_moves).all();
}

}  // namespace reference
