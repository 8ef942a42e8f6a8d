#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "play/board_view.h"

namespace gounki::play {
namespace {

// In units of the drawing: a square of the board, the margin that holds the coordinates, a piece.
constexpr int kCell = 60, kMargin = 24, kPiece = 24, kLift = 11;
constexpr int kSize = 8 * kCell + 2 * kMargin;

// The pieces of a stack, one above the other, squares below.
std::string draw_stack(Stack stack, Side owner, int x, int y) {
  const char* fill = owner == Side::White ? "#fffdf5" : "#2b2b2b";
  const char* edge = owner == Side::White ? "#2b2b2b" : "#fffdf5";
  std::string out;
  for (int i = 0; i < stack.size(); ++i) {
    const int cy = y + (stack.size() - 1) * kLift / 2 - i * kLift;
    const std::string paint = fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"", fill, edge);
    out += i < stack.squares()
               ? fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n",
                             x - kPiece / 2, cy - kPiece / 2, kPiece, kPiece, paint)
               : fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>\n", x, cy, kPiece / 2, paint);
  }
  return out;
}

std::string label(int x, int y, char text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x, y, text);
}

}  // namespace

std::string board_svg(const Position& position, const BoardStyle& style) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\" width=\"{0}\" "
      "height=\"{0}\" font-family=\"sans-serif\" font-size=\"14\">\n"
      "<title>{1}</title>\n"
      "<rect width=\"{0}\" height=\"{0}\" fill=\"#f7f4ec\"/>\n",
      kSize, to_string(position));
  for (const Square square : Bitboard::all()) {
    const int column = style.flip ? 7 - square.file() : square.file();
    const int row = style.flip ? square.rank() : 7 - square.rank();
    const int x = kMargin + column * kCell, y = kMargin + row * kCell;
    const bool dark = (square.file() + square.rank()) % 2 == 0;
    const char* fill = style.marked.contains(square) ? "#e8c65a" : dark ? "#b9a27c" : "#e6d9bd";
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x, y,
                       kCell, kCell, fill);
    const Stack stack = position.stack_at(square);
    if (stack.empty()) continue;
    const Side owner = position.has_stack_of(Side::White, square) ? Side::White : Side::Black;
    out += draw_stack(stack, owner, x + kCell / 2, y + kCell / 2);
  }
  for (int i = 0; i < 8; ++i) {
    const int middle = kMargin + i * kCell + kCell / 2;
    const char file = static_cast<char>('a' + (style.flip ? 7 - i : i));
    const char rank = static_cast<char>('1' + (style.flip ? i : 7 - i));
    out += label(middle, kSize - 7, file) + label(middle, 17, file);
    out += label(12, middle + 5, rank) + label(kSize - 12, middle + 5, rank);
  }
  return out + "</svg>\n";
}

}  // namespace gounki::play
