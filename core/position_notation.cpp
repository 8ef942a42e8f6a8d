#include "core/notation.h"

#include "core/text.h"

namespace gounki {
namespace {

constexpr int kCounterLimit = 65535;

char piece_letter(char upper_case, Side owner) {
  return owner == Side::White ? upper_case : lower(upper_case);
}

std::string owned_stack_text(const Position& position, Square square) {
  const Side owner = position.has_stack_of(Side::White, square) ? Side::White : Side::Black;
  std::string letters = to_string(position.stack_at(square));
  for (char& letter : letters) letter = piece_letter(letter, owner);
  return letters;
}

class PositionReader {
 public:
  explicit PositionReader(std::string_view text) : cursor_(text) {}

  Expected<Position> read() {
    cursor_.skip_spaces();
    for (int rank = 7; rank >= 0; --rank) {
      if (auto done = read_rank(rank); !done) return tl::make_unexpected(done.error());
      if (rank > 0 && !cursor_.accept('/'))
        return expected("\"/\" and rank " + std::to_string(rank));
    }
    if (auto done = read_side(); !done) return tl::make_unexpected(done.error());
    if (auto done = read_counters(); !done) return tl::make_unexpected(done.error());
    if (auto valid = position_.validate(); !valid)
      return fail("position: " + valid.error().message);
    return position_;
  }

 private:
  tl::unexpected<Error> expected(const std::string& what) const {
    return fail("position: expected " + what + " at character " +
                std::to_string(cursor_.character()) + ", found " + cursor_.found());
  }

  Expected<void> read_rank(int rank) {
    const std::string name = "rank " + std::to_string(rank + 1);
    for (int file = 0; file < 8;) {
      if (file > 0 && !cursor_.accept(','))
        return expected("\",\" (" + name + " has " + std::to_string(file) + " of 8 squares)");
      if (cursor_.peek() == 'x') {
        cursor_.advance();
        const int room = 8 - file;
        if (is_digit(cursor_.peek())) {
          const int count = cursor_.peek() - '0';
          if (count < 1 || count > room)
            return expected("1 to " + std::to_string(room) + " empty squares in " + name);
          cursor_.advance();
          file += count;
        } else {
          ++file;
        }
      } else {
        if (auto done = read_stack(Square(file, rank)); !done) return done;
        ++file;
      }
    }
    if (cursor_.peek() == ',') return expected("the end of " + name + " after 8 squares");
    return {};
  }

  Expected<void> read_stack(Square square) {
    int squares = 0, rounds = 0;
    Side owner = Side::White;
    for (;; cursor_.advance()) {
      const char c = cursor_.peek();
      const bool is_square = lower(c) == 's', is_round = lower(c) == 'r';
      if (!is_square && !is_round) break;
      const Side side = c == lower(c) ? Side::Black : Side::White;
      if (squares + rounds == 0) owner = side;
      if (side != owner) return expected("a stack of one colour on " + to_string(square));
      if (squares + rounds == 3) return expected("at most 3 pieces on " + to_string(square));
      ++(is_square ? squares : rounds);
    }
    if (squares + rounds == 0)
      return expected("x or a stack of S and R (Black's s and r) on " + to_string(square));
    position_.put(square, owner, Stack(squares, rounds));
    return {};
  }

  Expected<void> read_side() {
    if (!cursor_.at_end() && !is_space(cursor_.peek())) return expected("a space after the board");
    const char side = cursor_.next();
    if (side != 'w' && side != 'b') return expected("the side to move, w or b,");
    cursor_.advance();
    if (!cursor_.at_end() && !is_space(cursor_.peek())) return expected("a space or the end");
    position_.set_side_to_move(side == 'w' ? Side::White : Side::Black);
    return {};
  }

  Expected<void> read_counters() {
    cursor_.skip_spaces();
    if (cursor_.at_end()) return {};
    const auto quiet = read_counter("the number of quiet plies");
    if (!quiet) return tl::make_unexpected(quiet.error());
    cursor_.skip_spaces();
    const auto ply = read_counter("the number of plies");
    if (!ply) return tl::make_unexpected(ply.error());
    cursor_.skip_spaces();
    if (!cursor_.at_end()) return expected("the end");
    position_.set_counters(*quiet, *ply);
    return {};
  }

  Expected<int> read_counter(const std::string& what) {
    const std::size_t start = cursor_.at();
    int value = 0;
    for (; is_digit(cursor_.peek()); cursor_.advance()) {
      value = value * 10 + (cursor_.peek() - '0');
      if (value > kCounterLimit) break;
    }
    const bool too_large = value > kCounterLimit;
    if (cursor_.at() == start || too_large) {
      cursor_.go_to(start);
      return expected(what + ", 0 to " + std::to_string(kCounterLimit) + ",");
    }
    return value;
  }

  Cursor cursor_;
  Position position_;
};

}  // namespace

std::string to_string(const Position& position) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    for (int file = 0; file < 8;) {
      if (file > 0) text += ',';
      int empty = 0;
      while (file < 8 && position.stack_at(Square(file, rank)).empty()) ++empty, ++file;
      if (empty > 0) text += empty > 1 ? "x" + std::to_string(empty) : "x";
      else text += owned_stack_text(position, Square(file++, rank));
    }
    if (rank > 0) text += '/';
  }
  text += position.side_to_move() == Side::White ? " w " : " b ";
  return text + std::to_string(position.quiet_plies()) + ' ' + std::to_string(position.ply());
}

Expected<Position> parse_position(std::string_view text) {
  Cursor word(text);
  word.skip_spaces();
  if (text.substr(word.at()).substr(0, 5) == "start") {
    word.go_to(word.at() + 5);
    word.skip_spaces();
    if (word.at_end()) return Position::start();
    return fail("position: expected the end after start at character " +
                std::to_string(word.character()) + ", found " + word.found());
  }
  return PositionReader(text).read();
}

std::string board_text(const Position& position) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    text += std::to_string(rank + 1);
    for (int file = 0; file < 8; ++file) {
      const Square square(file, rank);
      const bool empty = position.stack_at(square).empty();
      const std::string cell = empty ? "." : owned_stack_text(position, square);
      text += std::string(4 - cell.size(), ' ') + cell;
    }
    text += '\n';
  }
  text += ' ';
  for (int file = 0; file < 8; ++file) text += std::string("   ") + static_cast<char>('a' + file);
  return text + '\n';
}

}  // namespace gounki
