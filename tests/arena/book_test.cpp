#include "arena/book.h"

#include <set>

#include <catch2/catch.hpp>

#include "arena/openings.h"
#include "core/error.h"
#include "core/files.h"
#include "core/notation.h"
#include "core/random.h"
#include "tests/temporary_folder.h"

namespace gounki::arena {
namespace {

using testing::TemporaryFolder;

TEST_CASE("a book reads back as it was written") {
  const TemporaryFolder folder;
  const std::vector<Game> openings = make_openings(20, 4);
  write_file_atomically(folder / "book.txt", "# a book\n\n" + book_text(openings));
  const Book book = read_book(folder / "book.txt");
  REQUIRE(book.openings.size() == 20);
  CHECK(book.repeated == 0);
  for (std::size_t i = 0; i < 20; ++i) CHECK(book.openings[i].moves() == openings[i].moves());
}

TEST_CASE("a book may have positions, comments, other line ends and repeated openings") {
  const TemporaryFolder folder;
  const std::string start = to_string(Position::start());
  write_file_atomically(folder / "book.txt", "a2-b3 # good\r\n position " + start + " moves a2-b3\n" +
                                                 "position start moves h1-g2+ # other\n" +
                                                 "position " + start);
  const Book book = read_book(folder / "book.txt");
  REQUIRE(book.openings.size() == 3);
  CHECK(book.repeated == 1);
  CHECK(book.openings[0].moves().size() == 1);
  CHECK(book.openings[2].moves().empty());
}

TEST_CASE("what is wrong in a book is named with its line") {
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& text) -> std::string {
    write_file_atomically(folder / "book.txt", text);
    try {
      read_book(folder / "book.txt");
      return "";
    } catch (const Failure& failure) {
      return failure.what();
    }
  };
  CHECK_THAT(error_of(""), Catch::Contains("no openings"));
  CHECK_THAT(error_of("# only this\n"), Catch::Contains("no openings"));
  CHECK_THAT(error_of("a2-b3\na2-a8\n"), Catch::Contains("line 2: move 1: "));
  CHECK_THAT(error_of("position nonsense moves a2-b3\n"), Catch::Contains("line 1: "));
  const std::string lost = "position x7,R/x8/x8/x8/x8/x8/x8/x6,r,x w 0 0 moves h8-OUT";
  CHECK_THAT(error_of("a2-b3\n" + lost + "\n"), Catch::Contains("the game is over"));
  CHECK_THAT(error_of(lost + " g1-OUT\n"), Catch::Contains("move 2: the game is over"));
}

TEST_CASE("a hostile book is an error or a book and never worse") {
  const TemporaryFolder folder;
  const std::string good = book_text(make_openings(3, 1)) + "position start moves a2-b3\n";
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    std::string text = good;
    for (int i = 0; i < 3; ++i) text[rng.below(text.size())] = static_cast<char>(rng.below(256));
    write_file_atomically(folder / "book.txt", text);
    try {
      for (const Game& game : read_book(folder / "book.txt").openings) CHECK_FALSE(game.is_over());
    } catch (const Failure& failure) {
      CHECK_THAT(failure.what(), Catch::Contains("book.txt, line "));
    }
  }
}

TEST_CASE("the openings drawn are different and follow from the seed") {
  const TemporaryFolder folder;
  write_file_atomically(folder / "book.txt", book_text(make_openings(30, 4)));
  const Book book = read_book(folder / "book.txt");
  const auto hashes = [&](int count, std::uint64_t seed) {
    std::vector<std::uint64_t> out;
    for (const Game& game : draw_openings(book, count, seed)) out.push_back(game.position().hash());
    return out;
  };
  const auto all = hashes(30, 1), few = hashes(10, 1);
  CHECK(std::set(all.begin(), all.end()).size() == 30);
  CHECK(std::equal(few.begin(), few.end(), all.begin()));
  CHECK(hashes(30, 2) != all);
  CHECK_THROWS_WITH(draw_openings(book, 31, 1),
                    Catch::Contains("30 different openings, but 31 are needed"));
}

TEST_CASE("a book's hash tells other openings apart and no other comments") {
  const TemporaryFolder folder;
  const auto hash_of = [&](const std::string& text) {
    write_file_atomically(folder / "book.txt", text);
    return read_book(folder / "book.txt").hash;
  };
  CHECK(hash_of("a2-b3\nh2-h3\n") == hash_of("# x\na2b3 # y\n\nh2-h3"));
  CHECK(hash_of("a2-b3\nh2-h3\n") != hash_of("h2-h3\na2-b3\n"));
  CHECK(hash_of("a2-b3\n") != hash_of("a2-b3\nh2-h3\n"));
}

}  // namespace
}  // namespace gounki::arena
