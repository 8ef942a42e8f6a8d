#include "core/notation.h"

#include <algorithm>
#include <vector>

#include "core/paths.h"

namespace gounki {
namespace {

constexpr char kHex[] = "0123456789ABCDEF";
constexpr int kCounterLimit = 65535;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Reads a text from left to right and remembers where.
class Cursor {
 public:
  explicit Cursor(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  // The current character, or 0 at the end.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool at_end() const { return at_ >= text_.size(); }
  void advance() { ++at_; }
  void rewind(std::size_t at) { at_ = at; }
  void skip_spaces() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  // The current character after spaces.
  char next() {
    skip_spaces();
    return peek();
  }
  bool accept(char wanted) {
    if (at_end() || peek() != wanted) return false;
    advance();
    return true;
  }
  std::string found() const { return found_at(text_, at_); }
  int character() const { return character_number(text_, at_); }

 private:
  std::string_view text_;
  std::size_t at_;
};

// ------------------------------------------------------------------------------------- positions

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
      cursor_.rewind(start);
      return expected(what + ", 0 to " + std::to_string(kCounterLimit) + ",");
    }
    return value;
  }

  Cursor cursor_;
  Position position_;
};

// ----------------------------------------------------------------------------------------- moves

// The squares that a text names; absolute.
struct MoveText {
  Square from;
  bool deploys = false;
  std::vector<Landing> landings;
};

class MoveReader {
 public:
  MoveReader(std::string_view text, std::size_t at, const Position& position)
      : cursor_(text, at), position_(position) {}

  // When the text has not the form of a move, the error says what was expected at at().
  // `whole_text`: a deployment takes all the landings that are there, and nothing may follow.
  Expected<MoveText> read(bool whole_text) {
    MoveText move;
    const auto from = read_square("a square to start from");
    if (!from) return tl::make_unexpected(from.error());
    move.from = *from;
    const char mark = cursor_.next();
    move.deploys = mark == '*';
    if (move.deploys || is_mark(mark) || mark == '+') cursor_.advance();

    const int pieces = position_.stack_at(move.from).size();
    const int most = !move.deploys ? 1 : whole_text ? 3 : std::max(pieces, 1);
    do {
      const auto landing = read_landing();
      if (!landing) return tl::make_unexpected(landing.error());
      move.landings.push_back(*landing);
      accept_after_spaces('+');
    } while (!move.landings.back().is_out() && goes_on(move, most));
    if (!whole_text) return move;
    cursor_.skip_spaces();
    if (!cursor_.at_end()) return expected(end_of(move));
    return move;
  }

  std::size_t at() const { return cursor_.at(); }

 private:
  static bool is_mark(char c) { return c == '-' || c == ',' || lower(c) == 'x'; }
  static bool is_file(char c) { return lower(c) >= 'a' && lower(c) <= 'h'; }

  static tl::unexpected<Error> expected(const std::string& what) { return fail("expected " + what); }

  bool accept_after_spaces(char wanted) {
    const std::size_t before = cursor_.at();
    if (cursor_.next() == wanted) {
      cursor_.advance();
      return true;
    }
    cursor_.rewind(before);
    return false;
  }

  Expected<Square> read_square(const std::string& what) {
    const char file = lower(cursor_.next());
    if (!is_file(file)) return expected(what);
    cursor_.advance();
    const char rank = cursor_.next();
    if (rank < '1' || rank > '8') return expected("a rank from 1 to 8");
    cursor_.advance();
    return Square(file - 'a', rank - '1');
  }

  Expected<Landing> read_landing() {
    if (lower(cursor_.next()) != 'o') {
      const auto square = read_square("a square to land on or OUT");
      if (!square) return tl::make_unexpected(square.error());
      return Landing(*square);
    }
    for (const char letter : {'o', 'u', 't'}) {
      if (lower(cursor_.next()) != letter) return expected("OUT");
      cursor_.advance();
    }
    return Landing::out();
  }

  // Whether another landing of a deployment follows; steps over the mark before it. A comma says
  // that one does, also where the stack has no piece left for it.
  bool goes_on(const MoveText& move, int most) {
    const int count = static_cast<int>(move.landings.size());
    if (!move.deploys || count == 3) return false;
    const std::size_t before = cursor_.at();
    const char c = cursor_.next();
    if (c == ',' || (count < most && is_mark(c))) {
      cursor_.advance();
      return true;
    }
    if (count < most && (is_file(c) || lower(c) == 'o')) return true;
    cursor_.rewind(before);
    return false;
  }

  static std::string end_of(const MoveText& move) {
    if (!move.deploys) return "the end of the move (a deployment needs * after its first square)";
    return move.landings.back().is_out() ? "the end of the move after OUT"
                                         : "the end of the move or \",\" and a square";
  }

  Cursor cursor_;
  const Position& position_;
};

std::string landing_text(Landing landing, Side mover) {
  return landing.is_out() ? "OUT" : to_string(landing.square().seen_by(mover));
}

bool names(const MoveText& text, Move move, const Position& position) {
  const Side mover = position.side_to_move();
  if (move.from().seen_by(mover) != text.from) return false;
  // A deployment whose first step exits is the same thing as the move to OUT.
  const bool exits_at_once = text.landings.size() == 1 && text.landings[0].is_out();
  if (move.how().deploys() != (text.deploys && !exits_at_once)) return false;
  const Landings landed = landings(move, position.stack_on(move.from()));
  if (landed.size() != static_cast<int>(text.landings.size())) return false;
  for (int i = 0; i < landed.size(); ++i) {
    const Landing wanted = text.landings[i];
    if (landed[i].is_out() != wanted.is_out()) return false;
    if (!wanted.is_out() && landed[i].square().seen_by(mover) != wanted.square()) return false;
  }
  return true;
}

std::string plain_text(const MoveText& move) {
  std::string text = to_string(move.from) + (move.deploys ? '*' : '-');
  for (std::size_t i = 0; i < move.landings.size(); ++i)
    text += (i ? "," : "") + landing_text(move.landings[i], Side::White);
  return text;
}

// Why a text that has the form of a move names none here.
std::string reason(const MoveText& text, const Position& position, const Rules& rules) {
  const Side mover = position.side_to_move();
  const std::string from = to_string(text.from);
  const std::string side = mover == Side::White ? "White" : "Black";
  if (position.is_lost()) return "the game is over";
  if (position.stack_at(text.from).empty()) return from + " is empty";
  if (!position.has_stack_of(mover, text.from))
    return "the stack on " + from + " is not " + side + "'s, who is to move";
  const int pieces = position.stack_at(text.from).size();
  if (text.deploys && pieces == 1) return "one piece alone moves, only a stack deploys";

  std::string possible;
  for (const Move move : legal_moves(position, rules))
    if (move.from().seen_by(mover) == text.from && move.how().deploys() == text.deploys)
      possible += " " + to_string(move, position);
  const std::string what = text.deploys ? "deploy" : "move";
  if (possible.empty()) return "the stack on " + from + " cannot " + what;
  return "the " + to_string(position.stack_at(text.from)) + " on " + from + " can " + what + ":" + possible;
}

Expected<Move> find_legal(const MoveText& text, const Position& position, const Rules& rules) {
  for (const Move move : legal_moves(position, rules))
    if (names(text, move, position)) return move;
  return fail(plain_text(text) + " is not legal here: " + reason(text, position, rules));
}

}  // namespace

int character_number(std::string_view text, std::size_t at) {
  int number = 1;
  for (const char c : text.substr(0, at)) number += (c & 0xC0) != 0x80;
  return number;
}

std::string found_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return "the end";
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte >= 0x20 && byte < 0x7F) return std::string("\"") + text[at] + '"';
  return std::string("byte 0x") + kHex[byte >> 4] + kHex[byte & 15];
}

std::string to_string(Square absolute) {
  return {static_cast<char>('a' + absolute.file()), static_cast<char>('1' + absolute.rank())};
}

std::string to_string(Stack stack) {
  return std::string(stack.squares(), 'S') + std::string(stack.rounds(), 'R');
}

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
    word.rewind(word.at() + 5);
    word.skip_spaces();
    if (word.at_end()) return Position::start();
    return fail("position: expected the end after start at character " +
                std::to_string(word.character()) + ", found " + word.found());
  }
  return PositionReader(text).read();
}

std::string to_string(Move move, const Position& position) {
  const Side mover = position.side_to_move();
  const Square from = move.from();
  const Landings landed = landings(move, position.stack_on(from));
  std::string text = to_string(from.seen_by(mover));
  Bitboard friends = position.own() & ~Bitboard(from);

  if (move.how().deploys()) {
    char mark = '*';
    for (const Landing landing : landed) {
      text += mark + landing_text(landing, mover);
      mark = ',';
      if (landing.is_out()) break;
      if (friends.contains(landing.square())) text += '+';
      friends |= Bitboard(landing.square());
    }
    return text;
  }
  const Landing to = landed[0];
  const bool captures = to.on_board() && position.enemy().contains(to.square());
  text += (captures ? 'x' : '-') + landing_text(to, mover);
  if (to.on_board() && friends.contains(to.square())) text += '+';
  return text;
}

Expected<Move> parse_move(std::string_view text, const Position& position, const Rules& rules) {
  MoveReader reader(text, 0, position);
  const auto move = reader.read(true);
  if (!move)
    return fail("move: " + move.error().message + " at character " +
                std::to_string(character_number(text, reader.at())) + ", found " +
                found_at(text, reader.at()));
  return find_legal(*move, position, rules);
}

Expected<Move> read_move(std::string_view text, std::size_t& at, const Position& position,
                         const Rules& rules) {
  MoveReader reader(text, at, position);
  const auto move = reader.read(false);
  if (!move) {
    at = reader.at();
    return fail(move.error().message + ", found " + found_at(text, at));
  }
  auto found = find_legal(*move, position, rules);
  if (found) at = reader.at();
  return found;
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
