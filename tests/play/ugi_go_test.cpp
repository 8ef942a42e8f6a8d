#include "play/ugi_go.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "core/text.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;

namespace {

UgiGo read(const std::string& line, const Game& game = Game()) {
  const std::vector<std::string> words = words_of(line);
  return read_ugi_go(words, game);
}

Game black_to_move() {
  Game game;
  game.play(*parse_move("a2-b3", game.position()));
  return game;
}

}  // namespace

TEST_CASE("go alone asks for what the options say") {
  const UgiGo go = read("go");
  CHECK(go.request.task.visits == 0);
  CHECK(go.request.task.nodes == 0);
  CHECK(go.request.task.moves.empty());
  CHECK_FALSE(go.request.clock);
  CHECK(go.request.seconds == 0.0);
  CHECK_FALSE(go.request.endless);
  CHECK_FALSE(go.ponder);
  CHECK(go.complaints.empty());
}

TEST_CASE("each limit of go") {
  CHECK(read("go movetime 250").request.seconds == 0.25);
  CHECK(read("go movetime 0").request.seconds == 0.001);
  CHECK(read("go visits 70").request.task.visits == 70);
  const auto nodes = read("go nodes 900").request.task;
  CHECK(nodes.nodes == 900);
  CHECK(nodes.visits == mcts::Task::kEndless);
  const auto both = read("go nodes 900 visits 70").request.task;
  CHECK(both.nodes == 900);
  CHECK(both.visits == 70);
  CHECK(read("go infinite").request.endless);
  CHECK(read("go ponder movetime 5").ponder);
  CHECK(read("go visits -5").request.task.visits == 1);
  for (const char* text : {"go visits -5", "go movetime 0", "go nodes 0"})
    CHECK(read(text).complaints.size() == 1);
  CHECK(read("go visits 99999999999").request.task.visits == mcts::Task::kEndless);
}

TEST_CASE("the clock of the side to move counts") {
  const std::string line = "go p1time 60000 p2time 30000 p1inc 500 p2inc 250 movestogo 12";
  const auto white = read(line).request.clock;
  REQUIRE(white);
  CHECK(white->left == 60.0);
  CHECK(white->increment == 0.5);
  CHECK(white->moves_to_go == 12);
  const auto black = read(line, black_to_move()).request.clock;
  REQUIRE(black);
  CHECK(black->left == 30.0);
  CHECK(black->increment == 0.25);
  CHECK(read("go p1time -20").request.clock->left == 0.0);

  const UgiGo missing = read("go p1time 1000", black_to_move());
  CHECK_FALSE(missing.request.clock);
  REQUIRE(missing.complaints.size() == 1);
  CHECK_THAT(missing.complaints[0], Contains("p2time, is missing"));
}

TEST_CASE("searchmoves takes the moves up to the next word of go") {
  const Game game;
  const UgiGo go = read("go searchmoves a2-b3 c2-d3 a2b3 movetime 20", game);
  REQUIRE(go.request.task.moves.size() == 2);
  CHECK(to_string(go.request.task.moves[1], game.position()) == "c2-d3");
  CHECK(go.request.seconds == 0.02);
  CHECK(go.complaints.empty());

  const UgiGo partly = read("go searchmoves a2-a8 a2-b3");
  CHECK(partly.request.task.moves.size() == 1);
  REQUIRE(partly.complaints.size() == 1);
  CHECK_THAT(partly.complaints[0], Contains("searchmoves, \"a2-a8\": "));
  CHECK(read("go searchmoves").complaints.size() == 1);
}

TEST_CASE("what go cannot follow is told and the rest is done") {
  struct Row {
    const char *line, *complaint;
  };
  const Row rows[] = {
      {"go movetime", "\"movetime\" needs a number, found the end"},
      {"go visits many", "\"visits\" needs a number, found \"many\""},
      {"go movetime nodes 5", "\"movetime\" needs a number, found \"nodes\""},
      {"go nodes 1e6", "found \"1e6\""},
      {"go movetime 99999999999999999999", "needs a number"},
      {"go quickly", "what is \"quickly\"?"},
      {"go depth 5", "a tree search has no depth to end at"},
  };
  for (const Row& row : rows) {
    INFO(row.line);
    const UgiGo go = read(row.line);
    REQUIRE(go.complaints.size() == 1);
    CHECK_THAT(go.complaints[0], Contains(row.complaint));
  }
  CHECK(read("go movetime nodes 5").request.task.nodes == 5);
  CHECK(read("go visits many movetime 9").request.seconds == 0.009);
}
