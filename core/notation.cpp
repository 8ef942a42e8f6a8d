#include "core/notation.h"

#include <algorithm>
#include <vector>

#include "core/paths.h"
#include "core/text.h"

namespace gounki {
namespace {

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

  static tl::unexpected<Error> expected(const std::string& what) {
    return fail("expected " + what);
  }

  bool accept_after_spaces(char wanted) {
    const std::size_t before = cursor_.at();
    if (cursor_.next() == wanted) {
      cursor_.advance();
      return true;
    }
    cursor_.go_to(before);
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
    cursor_.go_to(before);
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
  return "the " + to_string(position.stack_at(text.from)) + " on " + from + " can " + what + ":" +
         possible;
}

Expected<Move> find_legal(const MoveText& text, const Position& position, const Rules& rules) {
  for (const Move move : legal_moves(position, rules))
    if (names(text, move, position)) return move;
  return fail(plain_text(text) + " is not legal here: " + reason(text, position, rules));
}

}  // namespace

std::string to_string(Square absolute) {
  return {static_cast<char>('a' + absolute.file()), static_cast<char>('1' + absolute.rank())};
}

std::string to_string(Stack stack) {
  return std::string(stack.squares(), 'S') + std::string(stack.rounds(), 'R');
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

}  // namespace gounki
