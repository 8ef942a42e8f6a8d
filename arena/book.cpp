#include "arena/book.h"

#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/notation.h"
#include "core/random.h"
#include "core/text.h"

namespace gounki::arena {
namespace {

constexpr std::string_view kPosition = "position", kMoves = "moves";

// The words of a line taken apart: those of the first position, and the moves.
struct Words {
  std::string position;
  std::vector<std::string> moves;
};

Words words_of_opening(std::string_view line) {
  Words out;
  std::vector<std::string> words = words_of(line.substr(0, line.find('#')));
  auto word = words.begin();
  if (word != words.end() && *word == kPosition)
    for (++word; word != words.end() && *word != kMoves; ++word)
      out.position += (out.position.empty() ? "" : " ") + *word;
  if (word != words.end() && *word == kMoves) ++word;
  out.moves.assign(word, words.end());
  return out;
}

Game read_opening(const Words& words, const Rules& rules) {
  Position first = Position::start();
  if (!words.position.empty()) {
    const auto position = parse_position(words.position);
    if (!position) throw Failure(position.error().message);
    first = *position;
  }
  Game game(first, rules);
  for (const std::string& word : words.moves) {
    const std::string where = "move " + std::to_string(game.moves().size() + 1) + ": ";
    if (game.is_over()) throw Failure(where + "the game is over before it");
    const auto move = parse_move(word, game.position(), rules);
    if (!move) throw Failure(where + move.error().message);
    game.play(*move);
  }
  if (game.is_over()) throw Failure("the game is over at the end of this opening");
  return game;
}

}  // namespace

Book read_book(const std::filesystem::path& path, const Rules& rules) {
  Book book;
  std::unordered_set<std::uint64_t> seen;
  check_ordinary_file(path, "read");
  std::string bytes = read_file(path);
  if (bytes.starts_with(kByteOrderMark)) bytes.erase(0, kByteOrderMark.size());
  int number = 0;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const Words words = words_of_opening(std::string_view(bytes).substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (words.position.empty() && words.moves.empty()) continue;
    try {
      Game game = read_opening(words, rules);
      if (!seen.insert(game.position().hash()).second) {
        ++book.repeated;
        continue;
      }
      book.hash = derive_seed({book.hash, game.positions().front().hash(), game.position().hash()});
      book.openings.push_back(std::move(game));
    } catch (const Failure& failure) {
      throw Failure(path.string() + ", line " + std::to_string(number) + ": " + failure.what());
    }
  }
  if (book.openings.empty()) throw Failure(path.string() + ": no openings in this file");
  return book;
}

std::string book_text(const std::vector<Game>& openings) {
  std::string out;
  for (const Game& game : openings) {
    std::string line;
    for (std::size_t i = 0; i < game.moves().size(); ++i)
      line += (i > 0 ? " " : "") + to_string(game.moves()[i], game.positions()[i]);
    out += line + "\n";
  }
  return out;
}

std::vector<Game> draw_openings(const Book& book, int count, std::uint64_t seed) {
  if (count > static_cast<int>(book.openings.size()))
    throw Failure("the book has " + std::to_string(book.openings.size()) +
                  " different openings, but " + std::to_string(count) +
                  " are needed: make a larger one with `gounki openings`, or play fewer pairs");
  // Fisher and Yates' shuffle, as far as it is needed.
  std::vector<Game> openings = book.openings;
  Rng rng(seed);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    std::swap(openings[i], openings[i + rng.below(openings.size() - i)]);
  openings.resize(static_cast<std::size_t>(count), Game());
  return openings;
}

}  // namespace gounki::arena
