#include "core/public_notation.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/files.h"
#include "core/notation.h"
#include "core/paths.h"
#include "support.h"

using namespace gounki;
using namespace gounki::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

bool exits(Move move, const Position& position) {
  return landings(move, position.stack_on(move.from())).exits();
}

// Every legal move of a position there and back; which texts it makes.
void check_moves(const Position& position) {
  std::map<std::string, std::vector<Move>> by_text;
  for (const Move move : legal_moves(position)) by_text[to_public_text(move, position)].push_back(move);
  for (const auto& [text, moves] : by_text) {
    INFO(text << " in " << to_string(position));
    const auto named = public_moves_named(text, position);
    REQUIRE(named);
    CHECK(*named == moves);
    // Only what wins at once from one square may share a text.
    if (moves.size() == 1) continue;
    for (const Move move : moves) {
      CHECK(exits(move, position));
      CHECK(move.from() == moves[0].from());
    }
  }
}

GameRecord random_game(Rng& rng) {
  Game game;
  while (!game.is_over() && game.moves().size() < 120) {
    const MoveList moves = game.legal_moves();
    game.play(moves[static_cast<int>(rng.below(static_cast<std::uint64_t>(moves.size())))]);
  }
  GameRecord record;
  record.moves = game.moves();
  record.result = game.outcome();
  return record;
}

std::string error_of(std::string_view text) {
  const auto games = parse_public_games(text);
  REQUIRE_FALSE(games);
  return games.error().message;
}

}  // namespace

TEST_CASE("moves as other programs write them") {
  struct Case {
    const char *position, *move, *text;
  };
  const Case cases[] = {
      {"start", "b2-b3", "b2-b3"},
      {"start", "c1-c2+", "c1-c2"},
      {"x8/x8/x8/x8/x8/x,s,x6/x,SR,x6/x8 w", "b2xb3", "b2-b3"},
      {"s,x7/x8/x8/x8/x8/x8/x,SR,x6/x8 w", "b2*b3,c4", "b2+b3-c4"},
      {"s,x7/x8/x8/x8/x8/x8/x,SR,x6/x8 w", "b2*c3,c4", "b2*c3-c4"},
      {"s,x7/x8/x8/x8/x8/x8/x,SSS,x6/x8 w", "b2*b3,b4,b5", "b2+b3-b4-b5"},
      {"s,x7/x8/x8/x8/x8/x8/x,RR,x6/x8 w", "b2*c3,d4", "b2*c3-d4"},
      {"s,x7/x8/x8/x8/x8/x8/x6,SS,x/x8 w", "g2-g2", "g2-g2"},
      {"x6,R,x/x8/x8/x8/x8/x8/x8/s,x7 w", "g8-OUT", "g8#"},
      {"x8/x8/x8/x8/x8/x8/x,sr,x6/S,x7 b", "b2*b1,OUT", "b2#"},
      {"x8/x8/x8/x8/x8/x,sr,x6/x8/S,x7 b", "b3*c2,c1", "b3*c2-c1"},
  };
  for (const Case& c : cases) {
    const Position position = position_of(c.position);
    const auto move = parse_move(c.move, position);
    INFO(c.move);
    REQUIRE(move);
    CHECK(to_public_text(*move, position) == c.text);
    const auto named = public_moves_named(c.text, position);
    REQUIRE(named);
    CHECK(std::count(named->begin(), named->end(), *move) == 1);
  }
}

TEST_CASE("every move of many positions has a public text of its own unless it leaves the board") {
  Rng rng(5);
  for (int i = 0; i < share_of(3000); ++i) check_moves(random_position(rng));
  for (const Position& position : random_walk_positions(rng, share_of(1500))) check_moves(position);
}

TEST_CASE("several ways to leave the board have one text and the simplest is read") {
  const Position position = position_of("x,SSR,x6/x8/x8/x8/x8/x8/x8/s,x7 w");
  int ways = 0;
  for (const Move move : legal_moves(position)) ways += exits(move, position);
  REQUIRE(ways > 1);
  const auto read = parse_public_games("b8#\n", position);
  REQUIRE(read);
  CHECK(to_string(read->games.at(0).moves.at(0), position) == "b8-OUT");
  CHECK(read->games[0].result == Outcome::WhiteWins);
  REQUIRE(read->notes.size() == 1);
  CHECK_THAT(read->notes[0], StartsWith("line 1, column 1: ply 1 (White): b8# is read as b8-OUT; "
                                        "it also stands for b8*"));
}

TEST_CASE("games go to public text and back") {
  Rng rng(11);
  std::string text;
  std::vector<GameRecord> records;
  for (int i = 0; i < share_of(200); ++i) {
    records.push_back(random_game(rng));
    text += (i > 0 ? "\n" : "") + to_public_text(records.back());
  }
  const auto read = parse_public_games(text);
  REQUIRE(read);
  REQUIRE(read->games.size() == records.size());
  std::string again;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const GameRecord& game = read->games[i];
    again += (i > 0 ? "\n" : "") + to_public_text(game);
    CHECK(game.result == records[i].result);
    REQUIRE(game.moves.size() == records[i].moves.size());
    // The last move may be another way to leave the board from the same square.
    CHECK(std::equal(game.moves.begin(), game.moves.end() - 1, records[i].moves.begin()));
  }
  CHECK(again == text);
}

TEST_CASE("a real game goes to public text and back") {
  const auto record = parse_record(read_file(golden_path("game_2003.pgn")));
  REQUIRE(record);
  const auto read = parse_public_games(to_public_text(*record));
  REQUIRE(read);
  CHECK(read->games.at(0).moves == record->moves);
  CHECK(read->games[0].result == Outcome::WhiteWins);
}

TEST_CASE("public games may stand on one line or on many") {
  for (const char* text : {"a2-b3 h7-g6", "a2-b3\nh7-g6\n", "\xEF\xBB\xBF\r\n a2-b3\r\nh7-g6\r\n\r\n"}) {
    const auto read = parse_public_games(text);
    REQUIRE(read);
    REQUIRE(read->games.size() == 1);
    CHECK(read->games[0].moves.size() == 2);
  }
  const auto two = parse_public_games("a2-b3\n\n\na2-b3\nh7-g6");
  REQUIRE(two);
  CHECK(two->games.size() == 2);
  CHECK(parse_public_games("")->games.empty());
}

TEST_CASE("what is wrong in public moves is named with its place") {
  struct Case {
    const char *text, *error;
  };
  const Case cases[] = {
      {"a2-b3\n  i2-b3", "line 2, column 3: ply 2 (Black): expected a square to start from at "
                         "character 1 of the move, found \"i\""},
      {"a9-b3", "expected a rank from 1 to 8 at character 2"},
      {"a2xb3", "expected - and a square, + or * for a deployment, or # for leaving the board at "
                "character 3 of the move, found \"x\""},
      {"a2-", "expected a square to land on at character 4 of the move, found the end"},
      {"a2-b3-c4", "expected the end of the move at character 6"},
      {"a2+a3", "expected - and the next square at character 6"},
      {"a2*b3-c4-d5-e6", "expected the end of the move at character 12"},
      {"a2#x", "expected the end of the move at character 4"},
      {"a2-a4", "line 1, column 1: ply 1 (White): a2-a4 is not legal here: the R on a2 has: a2-b3"},
      {"a2#", "a2# is not legal here: the R on a2 has: a2-b3"},
      {"a4-a5", "a4 is empty"},
      {"a7-a6", "the stack on a7 is not White's, who is to move"},
  };
  for (const Case& c : cases) CHECK_THAT(error_of(c.text), Contains(c.error));
  const auto over = parse_public_games("g8# a2-b3", position_of("x6,R,x/x8/x8/x8/x8/x8/x8/s,x7 w"));
  REQUIRE_FALSE(over);
  CHECK_THAT(over.error().message, StartsWith("line 1, column 5: ply 2 (Black): the moves have ended "
                                              "the game before, 1-0"));
}

TEST_CASE("the rules decide what public moves name") {
  const Position position = position_of("s,x7/x8/x8/x8/x8/x8/x6,SS,x/x8 w");
  Rules rules;
  CHECK(public_moves_named("g2-g2", position, rules)->size() == 1);
  rules.null_moves = false;
  CHECK(public_moves_named("g2-g2", position, rules)->empty());
}

TEST_CASE("boards go to public text and back") {
  CHECK_THAT(to_public_board(Position::start()), StartsWith("B1\nB2\nB1\nB2\nB1\nB2\nB1\nB2\nB2\nB1\n"));
  Rng rng(7);
  std::string text;
  std::vector<Position> positions;
  for (int i = 0; i < share_of(500); ++i) {
    positions.push_back(random_position(rng));
    positions.back().set_counters(0, 0);
    text += to_public_board(positions.back()) + "\n";
    const auto read =
        parse_public_boards(to_public_board(positions.back()), positions.back().side_to_move());
    REQUIRE(read);
    CHECK(read->at(0) == positions.back());
  }
  const auto all = parse_public_boards(text);
  REQUIRE(all);
  REQUIRE(all->size() == positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i].set_side_to_move(Side::White);
    CHECK(all->at(i) == positions[i]);
  }
}

TEST_CASE("every stack has a digit of its own") {
  const std::pair<Stack, const char*> stacks[] = {
      {{1, 0}, "B1"}, {{0, 1}, "B2"}, {{2, 0}, "B3"}, {{0, 2}, "B4"}, {{3, 0}, "B5"},
      {{0, 3}, "B6"}, {{1, 1}, "B7"}, {{2, 1}, "B8"}, {{1, 2}, "B9"}};
  for (const auto& [stack, code] : stacks) {
    Position position;
    position.put(Square(0), Side::White, stack);
    position.put(Square(63), Side::Black, stack);
    const std::string text = to_public_board(position);
    CHECK(text.substr(0, 2) == code);
    CHECK(text.substr(63 * 3, 2) == "N" + std::string(code).substr(1));
    CHECK(text.substr(3, 2) == "V0");
  }
}

TEST_CASE("what is wrong in a public board is named with its place") {
  const std::string start = to_public_board(Position::start());
  const auto error_with = [&](const char* code) {
    std::string text = start;
    text.replace(3, 2, code);  // b1
    const auto read = parse_public_boards(text);
    REQUIRE_FALSE(read);
    return read.error().message;
  };
  for (const char* code : {"X1", "B0", "N0", "V1", "b1", "B", "BB", "B11", "\xFF\xFE"}) {
    INFO(code);
    CHECK_THAT(error_with(code), StartsWith("line 2, column 1: expected what stands on b1"));
  }
  CHECK_THAT(parse_public_boards(start.substr(0, 30)).error().message,
             Contains("ends after 10 of 64 squares, before c2"));
  CHECK_THAT(parse_public_boards(start + "B1").error().message, Contains("after 1 of 64"));
  std::string empty;
  for (int i = 0; i < 64; ++i) empty += "V0\n";
  CHECK_THAT(parse_public_boards(empty).error().message, Contains("the board that ends here"));
}

TEST_CASE("no bytes make the public readers fail otherwise than by an error") {
  Rng rng(3);
  const std::string board = to_public_board(Position::start());
  for (int i = 0; i < share_of(3000); ++i) {
    const std::string moves = mutated("a2-b3 h7-g6 b1-b2 c8-c7 b2+b3-b4", rng);
    if (const auto read = parse_public_games(moves); !read)
      CHECK_THAT(read.error().message, StartsWith("line "));
    if (const auto read = parse_public_boards(mutated(board, rng)); !read)
      CHECK_THAT(read.error().message, StartsWith("line "));
    (void)parse_public_games(random_bytes(rng, 40));
    (void)parse_public_boards(random_bytes(rng, 40));
  }
}
