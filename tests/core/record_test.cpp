#include "core/record.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/files.h"
#include "core/notation.h"
#include "support.h"

using namespace gounki;
using namespace gounki::test;

namespace {

GameRecord record_of(std::string_view text, const Rules& rules = {}) {
  auto record = parse_record(text, rules);
  if (!record) FAIL(record.error().message << " in\n" << text);
  return *record;
}

void check_same(const GameRecord& a, const GameRecord& b) {
  CHECK(a.tags == b.tags);
  CHECK(a.first == b.first);
  CHECK(a.rules == b.rules);
  CHECK(a.moves == b.moves);
  CHECK(a.comments == b.comments);
  CHECK(a.opening_comment == b.opening_comment);
  CHECK(a.result == b.result);
}

std::string move_text(const GameRecord& record) {
  std::string text;
  Position position = record.first;
  for (const Move move : record.moves) {
    text += (text.empty() ? "" : " ") + to_string(move, position);
    position = position.after(move);
  }
  return text;
}

std::string random_comment(Rng& rng) {
  static const std::vector<std::string> kWords{
      "[%eval 0.31]", "splendid", "}", "{", "1-0", "*", "[Event", "%", ";", "\"", "\\", "1.",
      "caf\xC3\xA9", "c8-OUT", "$1", "(", "a-word-that-is-a-good-deal-longer-than-any-line-of-a-record-"
      "may-be-so-that-it-must-stand-alone-on-one"};
  std::string comment;
  for (int n = static_cast<int>(rng.below(30)); n > 0; --n)
    comment += (comment.empty() ? "" : " ") + kWords[rng.below(kWords.size())];
  return comment;
}

GameRecord random_record(Rng& rng) {
  GameRecord record;
  record.tags = {{"Event", "a \"quoted\" \\ name"}, {"White", "caf\xC3\xA9"}, {"Round", ""}};
  if (rng.below(2)) record.first = random_position(rng);
  record.first.set_counters(std::min(record.first.quiet_plies(), 50), record.first.ply());
  record.rules = {rng.below(2) == 0, rng.below(2) == 0, rng.below(2) == 0};
  Game game(record.first, record.rules);
  for (int ply = static_cast<int>(rng.below(120)); ply > 0 && !game.is_over(); --ply) {
    const MoveList moves = game.legal_moves();
    game.play(moves[static_cast<int>(rng.below(moves.size()))]);
  }
  record.moves = game.moves();
  record.result = game.outcome();
  if (rng.below(2) && !record.moves.empty()) {
    for (std::size_t i = 0; i < record.moves.size(); ++i)
      record.comments.push_back(rng.below(3) ? "" : random_comment(rng));
    record.comments[0] = "first";
    record.opening_comment = random_comment(rng);
  }
  return record;
}

constexpr std::string_view kLonely =
    "[SetUp \"1\"]\n[FEN \"s,x7/x8/x8/x8/x8/x8/x8/S,x7 b\"]\n";

}  // namespace

TEST_CASE("the game of 2003 replays, and written and read back is the same game") {
  const GameRecord record = record_of(read_file(golden_path("game_2003.pgn")));
  CHECK(record.moves.size() == 31);
  CHECK(record.result == Outcome::WhiteWins);
  CHECK(*record.tag("White") == "MGounki");
  CHECK(record.tag("Black") != nullptr);
  CHECK(record.tag("Result") == nullptr);
  CHECK(record.comments.at(24) == "a splendid move");

  Game game = record.replay();
  CHECK(game.outcome() == Outcome::WhiteWins);
  CHECK(game.position().exited());
  const Move last = game.moves().back();
  game.undo();
  CHECK(to_string(last, game.position()) == "e6*d7,c8,OUT");

  const std::string written = to_string(record);
  check_same(record_of(written), record);
  CHECK(to_string(record_of(written)) == written);
}

TEST_CASE("a record is written in PGN's shape") {
  const GameRecord record = record_of(read_file(golden_path("game_2003.pgn")));
  CHECK(to_string(record) ==
        "[Event \"beta-test game\"]\n"
        "[Date \"2003.04.12\"]\n"
        "[White \"MGounki\"]\n"
        "[Black \"the game's author\"]\n"
        "[Result \"1-0\"]\n"
        "\n"
        "1. c1-b1+ a8-b7+ 2. b1-b2+ b8-b7+ 3. b2*c3,c4,c5 e7-d7+ 4. f1-e2+ d7*c7+,d6\n"
        "5. d2-e2+ d6xc5 6. e2-f3 b7-b5 7. f3-d5 a7-b7 8. a2-b3 g8-f7+ 9. d5-e5 h8-h7+\n"
        "10. g1-g2+ c8-d7 11. g2-f2+ d8-d7+ 12. f2-f4 d7-e6 13. f4*f5,f6,e7 {a splendid\n"
        "move} 13... f8-e8+ 14. f6xe6 f7xe6 15. e5xe6 e8xe7 16. e6*d7,c8,OUT 1-0\n");
}

TEST_CASE("a game from a position has its tags, and Black's first move its dots") {
  GameRecord record;
  record.tags = {{"Event", "x"}, {"FEN", "not written"}, {"Result", "nor this"}};
  record.first = position_of("s,x7/x8/x8/x8/x8/x8/x8/S,x7 b 4 17");
  record.rules = {.null_moves = false, .quiet_draw = false};
  for (const char* text : {"a8-a7", "a1-a2", "a7-b7"})
    record.moves.push_back(parse_move(text, record.replay().position()).value());
  record.comments = {"", "", "a } b"};
  const std::string text = to_string(record);
  CHECK(text ==
        "[Event \"x\"]\n"
        "[Result \"*\"]\n"
        "[SetUp \"1\"]\n"
        "[FEN \"s,x7/x8/x8/x8/x8/x8/x8/S,x7 b 4 17\"]\n"
        "[Rules \"no-null-moves,no-quiet-draw\"]\n"
        "\n"
        "9... a8-a7 10. a1-a2 a7-b7 ; a } b\n"
        "*\n");
  record.tags.resize(1);
  check_same(record_of(text), record);
}

TEST_CASE("records written and read back are the same, in lines of 80 at most") {
  Rng rng(41);
  for (int i = 0; i < share_of(500); ++i) {
    const GameRecord record = random_record(rng);
    const std::string text = to_string(record);
    CAPTURE(text);
    check_same(record_of(text), record);
    CHECK(split_records(text) == std::vector<std::string_view>{text});
    if (record.comments.empty()) {
      std::istringstream lines(text.substr(text.find("\n\n")));
      for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
    }
  }
}

TEST_CASE("moves are told apart whatever stands between them") {
  const std::string expected = "c1-b1+ a8-b7+ b1-b2+ b8-b7+ b2*c3,c4,c5 e7-d7+";
  for (const std::string text : {
           "1. c1 b1+ a8 b7+ 2. b1 b2+ b8 b7+ 3. b2 * c3 c4 c5 e7 d7+ *",
           "c1b1 a8b7 b1b2 b8b7 b2*c3c4c5 e7d7 *",
           "1.c1-b1+ a8-b7+ 2.b1-b2+ b8-b7+ 3.b2*c3,c4,c5 e7-d7+*",
           "1 c1-b1 1... a8-b7 2 . b1-b2 b8-b7 3. b2*c3,c4,c5 {[%eval 0.1]} 3. ... e7-d7 *",
           "1.\nc1\n-\nb1\na8\nb7\n2.\nb1\nb2\nb8\nb7\n3.\nb2\n*\nc3\nc4\nc5\ne7\nd7\n*\n",
           "C1 B1 $14 A8 B7!? ; to the end of the line 1-0\n% an escape 0-1\nb1b2 b8b7 B2*C3 C4 "
           "C5?? e7d7 *",
           "\xEF\xBB\xBF[Event \"a\"]\r\n\r\n1. c1-b1 a8-b7 2. b1-b2 b8-b7 3. b2*c3,c4,c5 e7-d7 "
           "*\r\n",
           "{before} [Event \"a\"] [Site \"b\"] 1. c1-b1 a8-b7 b1-b2 b8-b7 b2*c3,c4,c5 e7-d7 * "
           "{after}",
       }) {
    CAPTURE(text);
    CHECK(move_text(record_of(text)) == expected);
  }
}

TEST_CASE("comments are kept, with their spaces as one") {
  const GameRecord record = record_of(
      "[Event \"a\"]\n{ one\n two } ; three\n 1. c1-b1+ {a [%eval\t0.1]} $3 ; b\n {} a8-b7 * "
      "{end}");
  CHECK(record.opening_comment == "one two three");
  CHECK(record.comments == std::vector<std::string>{"a [%eval 0.1] b", "end"});
  CHECK(record_of("1. c1-b1 *").comments.empty());
}

TEST_CASE("results are read with spaces, and claims stand unless the moves say otherwise") {
  struct Row { std::string text; Outcome result; };
  for (const Row& row : {
           Row{"1. c1-b1 1 - 0", Outcome::WhiteWins},
           Row{"1. c1-b1 0-1", Outcome::BlackWins},
           Row{"1. c1-b1 1/2 - 1/2", Outcome::Draw},
           Row{"1. c1-b1 1 / 2-1 / 2", Outcome::Draw},
           Row{"1. c1-b1 *", Outcome::Ongoing},
           Row{"[Result \" 0 - 1 \"]\n0-1", Outcome::BlackWins},
           Row{"[Result \"1/2 - 1/2\"] 1/2-1/2", Outcome::Draw},
           Row{"[SetUp \"1\"][FEN \"s,x,S,x5/x8/x8/x8/x8/x8/x8/x8 w\"] c8-OUT *", Outcome::Ongoing},
       }) {
    CAPTURE(row.text);
    CHECK(record_of(row.text).result == row.result);
  }
}

TEST_CASE("rules come from the record, or else from the reader") {
  const Rules none{.null_moves = false, .repetition_draw = false, .quiet_draw = false};
  CHECK(record_of("*").rules == Rules());
  CHECK(record_of("*", none).rules == none);
  CHECK(record_of("[Rules \"no-null-moves, no-repetition-draw,no-quiet-draw\"] *").rules == none);
  CHECK(record_of("[Rules \"\"] *", none).rules == Rules());
}

TEST_CASE("what is wrong with a record is told with line, column and ply") {
  const std::string lonely(kLonely);
  struct Row { std::string text, message; };
  for (const Row& row : {
           Row{"", "line 1, column 1: ply 1 (White): expected a move or the result (1-0, 0-1, "
                   "1/2-1/2 or *), found the end"},
           Row{"1. c1-b1 a8-b7", "line 1, column 15: ply 3 (White): expected a move or the result "
                                 "(1-0, 0-1, 1/2-1/2 or *), found the end"},
           Row{"\n1. c1-b1 a8-a1 *",
               "line 2, column 10: ply 2 (Black): a8-a1 is not legal here: the "
                                     "R on a8 can move: a8-b7+"},
           Row{"1. c1-b1 a8-b *", "line 1, column 15: ply 2 (Black): expected a rank from 1 to 8, "
                                  "found \"*\""},
           Row{"1. resigns", "line 1, column 4: ply 1 (White): expected a square to start from, "
                             "found \"r\""},
           Row{"1. c1-b12. a8-b7 *", "line 1, column 9: ply 1 (White): expected a space after the "
                                     "move, found \"2\""},
           Row{"c1-b1 (c1-d2) *", "line 1, column 7: ply 2 (Black): expected a move or the result "
                                  "(1-0, 0-1, 1/2-1/2 or *), found \"(\""},
           Row{"c1-b1 {\xC3\xA9} @",
               "line 1, column 11: ply 2 (Black): expected a move or the result "
                                     "(1-0, 0-1, 1/2-1/2 or *), found \"@\""},
           Row{"c1-b1 {never", "line 1, column 7: this comment is never closed"},
           Row{"* c1-b1", "line 1, column 3: expected the end after the result, found \"c\""},
           Row{"[Event a]", "line 1, column 8: expected the value of Event in quotes, found \"a\""},
           Row{"[\"a\"]", "line 1, column 2: expected the name of a tag, found \"\"\""},
           Row{"[Event \"a\n\"]", "line 1, column 8: the value of Event has no end"},
           Row{"[Event \"a\\", "line 1, column 8: the value of Event has no end"},
           Row{"[Event \"a\" b]",
               "line 1, column 12: expected ] after the value of Event, found \"b\""},
           Row{"[Result \"2-0\"]",
               "line 1, column 9: expected 1-0, 0-1, 1/2-1/2 or * as the Result"},
           Row{"[Result \"1-0 0-1\"]",
               "line 1, column 9: expected 1-0, 0-1, 1/2-1/2 or * as the Result"},
           Row{"[SetUp \"1\"]\n\n*",
               "line 3, column 1: the SetUp tag announces a position, but there "
                                     "is no FEN tag"},
           Row{"[FEN \"x9\"] *",
               "line 1, column 6: position: expected 1 to 8 empty squares in rank 8 "
                                 "at character 2, found \"9\""},
           Row{"[Rules \"no-bounce\"] *", "line 1, column 8: unknown rule \"no-bounce\", known: "
                                          "no-null-moves,no-repetition-draw,no-quiet-draw"},
           Row{"[Result \"0-1\"]\n1. c1-b1 1-0",
               "line 2, column 10: the moves end with 1-0, but the "
                                                 "Result tag says 0-1"},
           Row{"[FEN \"s,x,S,x5/x8/x8/x8/x8/x8/x8/x8 w\"] c8-OUT 0-1",
               "line 1, column 48: the result is given as 0-1, but the moves end the game 1-0"},
           Row{"[FEN \"s,x,S,x5/x8/x8/x8/x8/x8/x8/x8 w\"] c8-OUT a8-a7 1-0",
               "line 1, column 48: ply 2 (Black): the moves have ended the game before, 1-0"},
           Row{lonely + "a8-b8 a1-b1 b8-a8 b1-a1 a8-b8 a1-b1 b8-a8 b1-a1 1-0",
               "line 3, column 49: the result is given as 1-0, but the moves end the game 1/2-1/2"},
           Row{"[Rules \"no-null-moves\"][FEN \"s,x7/x8/x8/x8/x8/x8/x8/x6,SS,x w\"] g1-g1 *",
               "line 1, column 65: ply 1 (White): g1-g1 is not legal here: the SS on g1 can move: "
               "g1-g2 g1-g3 g1-f1 g1-e1 g1-h1"},
       }) {
    CAPTURE(row.text);
    const auto record = parse_record(row.text);
    REQUIRE_FALSE(record.has_value());
    CHECK(record.error().message == row.message);
  }
}

TEST_CASE("a file of records is split at their tags") {
  Rng rng(42);
  std::vector<std::string> texts;
  std::string all;
  for (int i = 0; i < 100; ++i) {
    texts.push_back(to_string(random_record(rng)));
    all += texts.back() + (i % 3 ? "\n" : "");
  }
  const auto parts = split_records(all);
  REQUIRE(parts.size() == texts.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    check_same(record_of(parts[i]), record_of(texts[i]));

  CHECK(split_records("").empty());
  CHECK(split_records(" \n\n").empty());
  CHECK(split_records("\xEF\xBB\xBF[A \"]\"] [B \"[\"] 1. c1-b1 *\n[A \"x\"] *").size() == 2);
  CHECK(split_records("1. c1-b1 {[Event \"a\"]} ; [Event\n% [Event\n a8-b7 *").size() == 1);
}

TEST_CASE("no text breaks the reader of records") {
  Rng rng(43);
  const std::string golden = read_file(golden_path("game_2003.pgn"));
  int read = 0;
  for (int i = 0; i < share_of(6000); ++i) {
    const std::string text = i % 4 == 0   ? random_bytes(rng, 300)
                             : i % 4 == 1 ? mutated(golden, rng)
                                          : mutated(to_string(random_record(rng)), rng);
    for (const std::string_view part : split_records(text)) CHECK_FALSE(part.empty());
    const auto record = parse_record(text);
    if (!record) {
      REQUIRE(record.error().message.rfind("line ", 0) == 0);
      continue;
    }
    ++read;
    // What was read can be written and read again.
    const auto again = parse_record(to_string(*record));
    CAPTURE(text);
    REQUIRE(again.has_value());
    check_same(*again, *record);
  }
  CHECK(read > share_of(300));
}
