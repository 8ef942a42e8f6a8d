#include "core/public_notation.h"

#include <algorithm>
#include <array>

#include "core/notation.h"
#include "core/paths.h"
#include "core/text.h"

namespace gounki {
namespace {

constexpr char kExit = '#', kSquaresFirst = '+', kRoundsFirst = '*', kSeparator = '-';

// The form of a move's text, without asking whether it is legal.
class FormReader {
 public:
  explicit FormReader(std::string_view text) : cursor_(text) {}

  Expected<Square> read() {
    const auto from = read_square("a square to start from");
    if (!from) return from;
    const char mark = cursor_.peek();
    if (mark == kExit) {
      cursor_.advance();
    } else {
      if (mark != kSeparator && mark != kSquaresFirst && mark != kRoundsFirst)
        return expected("- and a square, + or * for a deployment, or # for leaving the board");
      int landings = 0;
      do {
        cursor_.advance();
        if (const auto to = read_square("a square to land on"); !to) return to;
        ++landings;
      } while (mark != kSeparator && landings < 3 && cursor_.peek() == kSeparator);
      if (mark != kSeparator && landings == 1) return expected("- and the next square");
    }
    if (!cursor_.at_end()) return expected("the end of the move");
    return from;
  }

 private:
  tl::unexpected<Error> expected(const std::string& what) const {
    return fail("expected " + what + " at character " + std::to_string(cursor_.character()) +
                " of the move, found " + cursor_.found());
  }
  Expected<Square> read_square(const std::string& what) {
    const char file = cursor_.peek();
    if (file < 'a' || file > 'h') return expected(what);
    cursor_.advance();
    const char rank = cursor_.peek();
    if (rank < '1' || rank > '8') return expected("a rank from 1 to 8");
    cursor_.advance();
    return Square(file - 'a', rank - '1');
  }

  Cursor cursor_;
};

// Why a text that has the form of a move names none here.
std::string reason(std::string_view text, const Position& position, const Rules& rules) {
  const Side mover = position.side_to_move();
  const Square from(text[0] - 'a', text[1] - '1');
  const std::string square = to_string(from);
  if (position.stack_at(from).empty()) return square + " is empty";
  if (!position.has_stack_of(mover, from))
    return "the stack on " + square + " is not " + (mover == Side::White ? "White" : "Black") +
           "'s, who is to move";
  std::vector<std::string> possible;
  for (const Move move : legal_moves(position, rules))
    if (move.from().seen_by(mover) == from) possible.push_back(to_public_text(move, position));
  possible.erase(std::unique(possible.begin(), possible.end()), possible.end());
  if (possible.empty()) return "the stack on " + square + " cannot move";
  std::string list;
  for (const std::string& each : possible) list += " " + each;
  return "the " + to_string(position.stack_at(from)) + " on " + square + " has:" + list;
}

class GamesReader {
 public:
  GamesReader(std::string_view text, const Position& first, const Rules& rules)
      : text_(text), first_(first), rules_(rules) {}

  Expected<PublicGames> read() {
    Cursor cursor(text_, text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    for (;;) {
      const std::size_t before = cursor.at();
      cursor.skip_spaces();
      const auto gap = text_.substr(before, cursor.at() - before);
      if (std::count(gap.begin(), gap.end(), '\n') > 1) end_game();
      if (cursor.at_end()) break;
      const std::size_t start = cursor.at();
      while (!cursor.at_end() && !is_space(cursor.peek())) cursor.advance();
      if (auto done = play(start, text_.substr(start, cursor.at() - start)); !done)
        return tl::make_unexpected(done.error());
    }
    end_game();
    return std::move(out_);
  }

 private:
  void end_game() {
    if (game_.moves().empty()) return;
    GameRecord record;
    record.first = first_;
    record.rules = rules_;
    record.moves = game_.moves();
    record.result = game_.outcome();
    out_.games.push_back(std::move(record));
    game_ = Game(first_, rules_);
  }

  Expected<void> play(std::size_t at, std::string_view word) {
    const Position& position = game_.position();
    if (game_.is_over())
      return fail(place(at) + "the moves have ended the game before, " +
                  std::string(to_string(game_.outcome())) +
                  "; expected an empty line before the next game");
    const auto named = public_moves_named(word, position, rules_);
    if (!named) return fail(place(at) + named.error().message);
    if (named->empty())
      return fail(place(at) + std::string(word) + " is not legal here: " +
                  reason(word, position, rules_));
    if (named->size() > 1) note_choice(at, word, *named);
    game_.play(named->front());
    return {};
  }

  void note_choice(std::size_t at, std::string_view word, const std::vector<Move>& named) {
    std::string others;
    for (std::size_t i = 1; i < named.size(); ++i)
      others += (i > 1 ? ", " : "") + to_string(named[i], game_.position());
    out_.notes.push_back(place(at) + std::string(word) + " is read as " +
                         to_string(named[0], game_.position()) + "; it also stands for " + others);
  }

  std::string place(std::size_t at) const {
    const bool white = game_.position().side_to_move() == Side::White;
    return line_and_column(text_, at) + ": ply " + std::to_string(game_.moves().size() + 1) +
           (white ? " (White): " : " (Black): ");
  }

  std::string_view text_;
  Position first_;
  Rules rules_;
  Game game_{first_, rules_};
  PublicGames out_;
};

// The stacks by their digit; 0 is an empty square.
constexpr std::array<Stack, 10> kStacks{Stack(0, 0), Stack(1, 0), Stack(0, 1), Stack(2, 0),
                                        Stack(0, 2), Stack(3, 0), Stack(0, 3), Stack(1, 1),
                                        Stack(2, 1), Stack(1, 2)};
constexpr char kWhite = 'B', kBlack = 'N', kEmpty = 'V';  // blanc, noir, vide

// Puts what a code says on a square; false when it is no code.
bool put_code(std::string_view code, Square square, Position& position) {
  if (code.size() != 2 || !is_digit(code[1])) return false;
  const Stack stack = kStacks[static_cast<std::size_t>(code[1] - '0')];
  if (code[0] == kEmpty) return stack.empty();
  if (stack.empty() || (code[0] != kWhite && code[0] != kBlack)) return false;
  position.put(square, code[0] == kWhite ? Side::White : Side::Black, stack);
  return true;
}

}  // namespace

std::string to_public_text(Move move, const Position& position) {
  const Side mover = position.side_to_move();
  const Landings landed = landings(move, position.stack_on(move.from()));
  std::string text = to_string(move.from().seen_by(mover));
  if (landed.exits()) return text + kExit;
  char mark = !move.how().deploys()        ? kSeparator
              : move.how().rounds_first() ? kRoundsFirst
                                           : kSquaresFirst;
  for (const Landing landing : landed) {
    text += mark + to_string(landing.square().seen_by(mover));
    mark = kSeparator;
  }
  return text;
}

Expected<std::vector<Move>> public_moves_named(std::string_view text, const Position& position,
                                               const Rules& rules) {
  if (const auto from = FormReader(text).read(); !from) return tl::make_unexpected(from.error());
  std::vector<Move> named;
  for (const Move move : legal_moves(position, rules))
    if (to_public_text(move, position) == text) named.push_back(move);
  return named;
}

std::string to_public_text(const GameRecord& record) {
  std::string text;
  Position position = record.first;
  for (const Move move : record.moves) {
    text += to_public_text(move, position) + "\n";
    position = position.after(move);
  }
  return text;
}

Expected<PublicGames> parse_public_games(std::string_view text, const Position& first,
                                         const Rules& rules) {
  return GamesReader(text, first, rules).read();
}

std::string to_public_board(const Position& position) {
  std::string text;
  for (int i = 0; i < 64; ++i) {
    const Square square(i);
    const Stack stack = position.stack_at(square);
    const auto code = std::find(kStacks.begin(), kStacks.end(), stack) - kStacks.begin();
    text += stack.empty()                                  ? kEmpty
            : position.has_stack_of(Side::White, square) ? kWhite
                                                           : kBlack;
    text += static_cast<char>('0' + code);
    text += '\n';
  }
  return text;
}

Expected<std::vector<Position>> parse_public_boards(std::string_view text, Side side_to_move) {
  std::vector<Position> boards;
  Position board;
  int squares = 0;
  Cursor cursor(text, text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  for (cursor.skip_spaces(); !cursor.at_end(); cursor.skip_spaces()) {
    const std::size_t start = cursor.at();
    while (!cursor.at_end() && !is_space(cursor.peek())) cursor.advance();
    const std::string_view code = text.substr(start, cursor.at() - start);
    if (!put_code(code, Square(squares), board))
      return fail(line_and_column(text, start) + ": expected what stands on " +
                  to_string(Square(squares)) + ", V0 or B or N with a digit from 1 to 9, found " +
                  (code.size() > 2 ? "a longer word" : found_at(text, start)));
    if (++squares < 64) continue;
    board.set_side_to_move(side_to_move);
    if (const auto valid = board.validate(); !valid)
      return fail(line_and_column(text, start) + ": the board that ends here: " +
                  valid.error().message);
    boards.push_back(board);
    board = Position();
    squares = 0;
  }
  if (squares > 0)
    return fail(line_and_column(text, text.size()) + ": the board ends after " +
                std::to_string(squares) + " of 64 squares, before " + to_string(Square(squares)));
  return boards;
}

}  // namespace gounki
