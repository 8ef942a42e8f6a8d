#include "play/board_view.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "core/paths.h"

namespace gounki::play {
namespace {

constexpr std::string_view kRule = "   +-----+-----+-----+-----+-----+-----+-----+-----+\n";
constexpr std::string_view kWhiteColor = "\x1b[1;33m", kBlackColor = "\x1b[1;36m",
                           kMarkColor = "\x1b[7m", kNoColor = "\x1b[0m";

// The square of a row and a column counted from the top left corner.
Square square_at(int row, int column, bool flip) {
  return flip ? Square(7 - column, row) : Square(column, 7 - row);
}

std::string repeated(std::string_view text, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += text;
  return out;
}

std::string stack_text(Stack stack, Side owner, bool symbols) {
  if (symbols) {
    const bool white = owner == Side::White;
    return repeated(white ? "□" : "■", stack.squares()) +
           repeated(white ? "○" : "●", stack.rounds());
  }
  std::string letters = to_string(stack);
  if (owner == Side::Black)
    for (char& letter : letters) letter = static_cast<char>(letter - 'A' + 'a');
  return letters;
}

// Five columns wide.
std::string cell(const Position& position, Square square, const BoardStyle& style) {
  const Stack stack = position.stack_at(square);
  const bool marked = style.marked.contains(square);
  if (stack.empty()) {
    if (!marked) return "     ";
    return style.color ? fmt::format("{}     {}", kMarkColor, kNoColor) : " [ ] ";
  }
  const Side owner = position.has_stack_of(Side::White, square) ? Side::White : Side::Black;
  const std::string text = stack_text(stack, owner, style.symbols);
  const int before = (3 - stack.size()) / 2, after = 3 - stack.size() - before;
  const std::string middle = repeated(" ", before) + text + repeated(" ", after);
  if (!style.color) return marked ? "[" + middle + "]" : " " + middle + " ";
  return fmt::format("{}{} {} {}", marked ? kMarkColor : "",
                     owner == Side::White ? kWhiteColor : kBlackColor, middle, kNoColor);
}

std::string material_line(const Position& position, Side side) {
  int squares = 0, rounds = 0, stacks = 0;
  for (const Square square : Bitboard::all()) {
    if (!position.has_stack_of(side, square)) continue;
    ++stacks;
    squares += position.stack_at(square).squares();
    rounds += position.stack_at(square).rounds();
  }
  const auto plural = [](int n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  return fmt::format("{} has {} and {} in {}\n", side == Side::White ? "White" : "Black",
                     plural(squares, "square"), plural(rounds, "round"), plural(stacks, "stack"));
}

}  // namespace

std::string board_view(const Position& position, const BoardStyle& style) {
  std::string files = "   ";
  for (int column = 0; column < 8; ++column)
    files += fmt::format("{}{}", column == 0 ? "   " : "     ", static_cast<char>('a' + square_at(0, column, style.flip).file()));
  files += '\n';

  std::string out = files + std::string(kRule);
  for (int row = 0; row < 8; ++row) {
    const int rank = square_at(row, 0, style.flip).rank() + 1;
    out += fmt::format(" {} ", rank);
    for (int column = 0; column < 8; ++column)
      out += "|" + cell(position, square_at(row, column, style.flip), style);
    out += fmt::format("| {}\n{}", rank, kRule);
  }
  out += files;
  for (const Side side : {Side::White, Side::Black}) out += material_line(position, side);
  return out;
}

Bitboard squares_of_last_move(const Game& game) {
  if (game.moves().empty()) return {};
  const Position& before = game.positions()[game.positions().size() - 2];
  const Move move = game.moves().back();
  const Side mover = before.side_to_move();
  Bitboard squares(move.from().seen_by(mover));
  for (const Landing landing : landings(move, before.stack_on(move.from())))
    if (landing.on_board()) squares |= Bitboard(landing.square().seen_by(mover));
  return squares;
}

}  // namespace gounki::play
