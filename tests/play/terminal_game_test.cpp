#include "play/terminal_game.h"

#include <sstream>
#include <vector>

#include <catch2/catch.hpp>

#include "core/files.h"
#include "core/notation.h"
#include "play/options.h"
#include "program.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;

namespace {

struct Session {
  std::string out;
  GameRecord record;
};

Session session_with(arena::Player& player, const std::string& input, Side person = Side::White,
                     const std::string& position = "start", bool ponder = false) {
  TerminalGame terminal(Game(parse_position(position).value()), player, person, 1, {}, ponder);
  std::istringstream in(input);
  std::ostringstream out;
  terminal.run(in, out);
  return {out.str(), terminal.record()};
}

Session session_of(const std::string& input, Side person = Side::White,
                   const std::string& position = "start") {
  const auto player = player_from_text("greedy");
  return session_with(*player, input, person, position);
}

// Plays the first legal move, and notes what it is told.
class NotingPlayer : public arena::Player {
 public:
  void choose(std::span<const arena::Turn> turns, std::span<arena::Choice> choices) override {
    choices[0] = {turns[0].game->legal_moves()[0], {}};
    notes.push_back("choose " + std::to_string(turns[0].game->moves().size()));
  }
  std::string name() const override { return "noting"; }
  void follow_game() override { notes.push_back("follow"); }
  void ponder(const Game& game) override {
    notes.push_back("ponder " + std::to_string(game.moves().size()));
  }

  std::vector<std::string> notes;
};

// Fails each of its turns.
class FailingPlayer : public arena::Player {
 public:
  void choose(std::span<const arena::Turn>, std::span<arena::Choice> choices) override {
    choices[0].fault = arena::Fault::Stall;
    choices[0].fault_text = "no answer";
  }
  std::string name() const override { return "failing"; }
};

const char* const kWonForWhite = "x2,S,x5/x8/x8/x8/x8/x8/x8/s,x7 w";

}  // namespace

TEST_CASE("a person's move is answered") {
  const Session session = session_of("a2 b3\n");
  CHECK(session.record.moves.size() == 2);
  CHECK_THAT(session.out, Contains("You play White against greedy") && Contains("Black plays "));
  CHECK_THAT(session.out, Contains("No more input"));
  CHECK(session.record.result == Outcome::Ongoing);
}

TEST_CASE("a player that fails ends the game without a result") {
  FailingPlayer player;
  const Session session = session_with(player, "hint\na2 b3\n");
  CHECK_THAT(session.out, Contains("no hint: stall, no answer\n"));
  CHECK_THAT(session.out, Contains("failing has no move: stall, no answer."));
  CHECK(session.record.moves.size() == 1);
  CHECK(session.record.result == Outcome::Ongoing);
}

TEST_CASE("the player begins where the person has Black") {
  CHECK(session_of("", Side::Black).record.moves.size() == 1);
}

TEST_CASE("a game that ends says how") {
  const Session session = session_of("c8 out\n", Side::White, kWonForWhite);
  CHECK_THAT(session.out, Contains("1-0  White wins: it left the board"));
  CHECK(session.record.result == Outcome::WhiteWins);
}

TEST_CASE("what is no move is explained and the game goes on") {
  const Session session = session_of("a2-a5\nxyzzy\n\na2-b3\n");
  CHECK_THAT(session.out, Contains("a2-a5 is not legal here") && Contains("expected"));
  CHECK(session.record.moves.size() == 2);
}

TEST_CASE("moves are listed by number and played by number") {
  const Session session = session_of("moves\n2\n", Side::White, kWonForWhite);
  CHECK_THAT(session.out, Contains("  1 c8-OUT") && Contains("  3 c8-d8"));
  REQUIRE_FALSE(session.record.moves.empty());
  CHECK(to_string(session.record.moves[0], session.record.first) == "c8-b8");
}

TEST_CASE("undo takes back the last move and its answer") {
  const Session session = session_of("undo\na2-b3\nundo\nc2-d3\n");
  CHECK_THAT(session.out, Contains("no move to take back"));
  REQUIRE(session.record.moves.size() == 2);
  CHECK(to_string(session.record.moves[0], Position::start()) == "c2-d3");
}

TEST_CASE("a hint is a legal move and is not played") {
  const Session session = session_of("hint\n", Side::White, kWonForWhite);
  CHECK_THAT(session.out, Contains("c8-OUT"));
  CHECK(session.record.moves.empty());
}

TEST_CASE("a player follows the game and ponders on the person's time if it is wanted") {
  using Notes = std::vector<std::string>;
  NotingPlayer ponders, waits;
  session_with(ponders, "a2-b3\nundo\nc2-d3\n", Side::White, "start", true);
  CHECK(ponders.notes == Notes{"follow", "ponder 0", "choose 1", "ponder 2", "ponder 0",
                               "choose 1", "ponder 2"});
  session_with(waits, "a2-b3\nquit\n", Side::White, "start", false);
  CHECK(waits.notes == Notes{"follow", "choose 1"});
}

TEST_CASE("a search that ponders plays on after moves and hints and take-backs") {
  const auto player = player_from_text("handcrafted:visits=100,memory_mb=64,threads=2");
  const Session session = session_with(
      *player, "a2-b3\nhint\nundo\nc2-d3\nhint\nmoves\n1\n", Side::White, "start", true);
  REQUIRE(session.record.moves.size() == 4);
  CHECK(to_string(session.record.moves[0], Position::start()) == "c2-d3");
  CHECK_THAT(session.out, Contains("No more input"));
}

TEST_CASE("resigning and leaving end the game") {
  CHECK(session_of("resign\na2-b3\n").record.result == Outcome::BlackWins);
  CHECK(session_of("quit\na2-b3\n").record.moves.empty());
}

TEST_CASE("flip turns the board, help helps") {
  const Session session = session_of("flip\nhelp\nboard\n");
  CHECK_THAT(session.out, Contains("      h     g     f") && Contains("resign, quit"));
}

TEST_CASE("a game is saved as a record that reads back") {
  const TemporaryFolder folder;
  const std::string file = (folder / "game.pgn").string();
  const Session session = session_of("a2-b3\nsave\nsave " + file + "\nsave /no/such/folder/game.pgn\n");
  const auto record = parse_record(read_file(file));
  REQUIRE(record);
  CHECK(record->moves == session.record.moves);
  CHECK(*record->tag("White") == "a person");
  CHECK_THAT(session.out, Contains("Save where?") && Contains("Saved to " + file));
  CHECK_THAT(session.out, Contains("cannot write /no/such/folder/game.pgn"));
}
