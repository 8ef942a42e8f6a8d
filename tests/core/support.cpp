#include "support.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "core/files.h"
#include "core/game.h"
#include "core/notation.h"

namespace gounki::test {

std::string golden_path(const std::string& name) { return std::string(GOUNKI_GOLDEN) + "/" + name; }

std::vector<std::vector<std::string>> golden_rows(const std::string& name) {
  std::ifstream in(golden_path(name));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields;
    for (std::size_t at; (at = line.find(" | ")) != std::string::npos; line.erase(0, at + 3))
      fields.push_back(line.substr(0, at));
    fields.push_back(line);
    rows.push_back(fields);
  }
  if (rows.empty()) throw std::runtime_error("nothing in " + golden_path(name));
  return rows;
}

Position position_of(std::string_view text) {
  auto position = parse_position(text);
  if (!position) throw std::runtime_error(position.error().message);
  return *position;
}

namespace {

Square random_square(Rng& rng, Side owner, int style) {
  int file = static_cast<int>(rng.below(8));
  int rank = static_cast<int>(rng.below(8));
  if (style == 1 && rng.below(3) > 0) file = rng.below(2) ? file % 2 : 7 - file % 2;
  if (style == 2 && rng.below(3) > 0) rank = owner == Side::White ? 5 + rank % 3 : rank % 3;
  return Square(file, rank);
}

}  // namespace

Position random_position(Rng& rng) {
  Position position;
  const int style = static_cast<int>(rng.below(3));
  for (const Side owner : {Side::White, Side::Black}) {
    int squares = 8 + static_cast<int>(rng.below(5)), rounds = 20 - squares;
    const int stacks = 1 + static_cast<int>(rng.below(14));
    for (int placed = 0; placed < stacks && squares + rounds > 0;) {
      const Square square = random_square(rng, owner, style);
      if (!position.stack_at(square).empty()) continue;
      const int size = 1 + static_cast<int>(rng.below(3));
      int s = static_cast<int>(rng.below(size + 1));
      int r = std::min(size - s, rounds);
      s = std::min(s, squares);
      if (s + r == 0) continue;
      squares -= s;
      rounds -= r;
      position.put(square, owner, Stack(s, r));
      ++placed;
    }
  }
  if (rng.below(2)) position.set_side_to_move(Side::Black);
  position.set_counters(static_cast<int>(rng.below(100)), static_cast<int>(rng.below(300)));
  return position;
}

std::vector<Position> random_walk_positions(Rng& rng, int count) {
  std::vector<Position> positions;
  while (true) {
    Game game;
    while (!game.is_over()) {
      positions.push_back(game.position());
      if (static_cast<int>(positions.size()) == count) return positions;
      const MoveList moves = game.legal_moves();
      game.play(moves[static_cast<int>(rng.below(moves.size()))]);
    }
  }
}

std::string mutated(std::string text, Rng& rng) {
  static constexpr std::string_view kLikely = "abh128OUTx-+*,/ wSRsr019.{};[]\"\\\n%$\t\xC3";
  const int changes = 1 + static_cast<int>(rng.below(4));
  for (int i = 0; i < changes; ++i) {
    const std::size_t at = rng.below(text.size() + 1);
    const char likely = kLikely[rng.below(kLikely.size())];
    switch (rng.below(5)) {
      case 0: text.insert(at, 1, likely); break;
      case 1: if (at < text.size()) text[at] = likely; break;
      case 2: if (at < text.size()) text.erase(at, 1 + rng.below(3)); break;
      case 3: if (at < text.size()) text[at] = static_cast<char>(rng.below(256)); break;
      case 4: text.insert(at, text.substr(rng.below(text.size() + 1), rng.below(12))); break;
    }
  }
  return text;
}

std::string random_bytes(Rng& rng, int longest) {
  std::string bytes(rng.below(longest + 1), '\0');
  for (char& c : bytes) c = static_cast<char>(rng.below(256));
  return bytes;
}

}  // namespace gounki::test
