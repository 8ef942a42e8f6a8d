#include "arena/ugi_player.h"

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "core/text.h"
#include "tests/arena/children.h"
#include "tests/temporary_folder.h"

namespace gounki::arena {
namespace {

using Catch::Matchers::Contains;

// Times short enough for a test, and long enough for a busy machine where an answer is expected.
UgiConfig quick_config() {
  UgiConfig config;
  config.movetime = 50;
  config.margin_ms = 50;
  config.grace_ms = 200;
  config.handshake_ms = 5000;
  config.quit_ms = 50;
  return config;
}

// An engine that has its time: what fails does so whatever the limits.
UgiConfig patient_config() {
  UgiConfig config = quick_config();
  config.movetime = 5000;
  config.quit_ms = 5000;
  return config;
}

UgiPlayer bad_engine(const std::vector<std::string>& arguments, const UgiConfig& config,
                     const UgiClient::Settings& settings = {}) {
  std::vector<std::string> command{GOUNKI_BAD_ENGINE};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return UgiPlayer(config, command, settings, "ugi:bad");
}

Choice choice_of(UgiPlayer& player, const Game& game = Game()) {
  const Turn turn{.game = &game};
  Choice choice;
  static_cast<Player&>(player).choose({&turn, 1}, {&choice, 1});
  return choice;
}

// The processes whose numbers stand in an engine's log, and all that they started, are gone.
void check_gone(const std::string& log) {
  CHECK(have_no_children());
  std::ifstream file(log);
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || !is_digit(line[0])) continue;
    CHECK(group_ends(std::stoi(line)));
    ++count;
  }
  CHECK(count > 0);
}

std::string move_of(const Choice& choice) { return to_string(choice.move, Position::start()); }

Game game_after(std::initializer_list<const char*> moves, const Position& first = Position::start()) {
  Game game(first);
  for (const char* move : moves) game.play(*parse_move(move, game.position()));
  return game;
}

TEST_CASE("a move comes with the engine's opinion of it") {
  UgiPlayer player = bad_engine({"good"}, patient_config());
  const Choice choice = choice_of(player);
  REQUIRE(choice.fault == Fault::None);
  CHECK(move_of(choice) == "a2-b3");
  CHECK(choice.depth == 3);
  CHECK(choice.nodes == 77);
  REQUIRE(choice.value.has_value());
  CHECK(choice.value->v == value_of(UgiScore{false, 35}).v);
  CHECK_FALSE(choice.proof.known());
  CHECK(player.wants_whole_games());
  CHECK(player.name() == "ugi:bad");
}

TEST_CASE("a move is found among lines that say nothing") {
  UgiPlayer player = bad_engine({"quarrel"}, patient_config());
  const Choice choice = choice_of(player);
  REQUIRE(choice.fault == Fault::None);
  CHECK(move_of(choice) == "a2-b3");
  CHECK(choice.value->v == 1.0f);
  CHECK(choice.depth == 0);
}

TEST_CASE("a line that arrives in pieces is one line") {
  UgiPlayer player = bad_engine({"pieces"}, patient_config());
  CHECK(move_of(choice_of(player)) == "a2-b3");
}

// What a way to fail is told apart as, and a part of what is said about it.
struct Failing {
  const char* way;
  const char* fault;
  const char* text;
};

// Each leaves no process behind.
void check_faults(const std::vector<Failing>& rows, UgiConfig config) {
  for (const Failing& row : rows) {
    INFO(row.way);
    const testing::TemporaryFolder folder;
    config.log = (folder / "log").string();
    {
      UgiPlayer player = bad_engine({row.way}, config);
      const Choice choice = choice_of(player);
      CHECK(to_string(choice.fault) == row.fault);
      CHECK_THAT(choice.fault_text, Contains(row.text));
    }
    check_gone(config.log);
  }
}

TEST_CASE("an engine that ends has crashed") {
  check_faults({{"start", "crash", "ended with exit status 3"},
                {"handshake", "crash", "ended with exit status 4"},
                {"die", "crash", "ended with exit status 5"},
                {"signal", "crash", "was ended by signal 9"},
                {"leave", "crash", "closed a pipe, but runs after \"go\""}},
               patient_config());
}

TEST_CASE("an engine that says nothing stalls") {
  check_faults({{"hang", "stall", "was told to stop"},
                {"stubborn", "stall", "was told to stop"},
                {"deaf", "stall", "was told to stop"},
                {"partial", "stall", "was told to stop"}},
               quick_config());
}

TEST_CASE("an engine that answers late loses on time") {
  UgiConfig config = quick_config();
  config.grace_ms = 5000;
  check_faults({{"late", "time loss", "it had 50 ms"}, {"slow", "time loss", "it had 50 ms"}},
               config);
}

TEST_CASE("an engine that names no legal move is told so") {
  check_faults({{"illegal", "illegal move", "\"a2-a8\": "},
                {"nonsense", "illegal move", "\"%?\": move: expected a square"},
                {"none", "illegal move", "names no move"}},
               patient_config());
}

TEST_CASE("an engine that floods or sends bytes that are no text is garbage") {
  check_faults({{"flood", "garbage", "more than 32 MiB in the answer to \"go\""},
                {"longline", "garbage", "a line of more than 1 MiB"},
                {"zero", "garbage", "a byte 0"},
                {"chatter", "garbage", "more than 32 MiB in the answer to \"ugi\""}},
               patient_config());
}

TEST_CASE("an engine that never answers the handshake stalls") {
  for (const char* way : {"mute", "unready"}) {
    INFO(way);
    UgiConfig config = quick_config();
    config.handshake_ms = 300;
    UgiPlayer player = bad_engine({way}, config);
    const Choice choice = choice_of(player);
    CHECK(to_string(choice.fault) == "stall");
    CHECK_THAT(choice.fault_text, Contains("within 300 ms"));
  }
  CHECK(have_no_children());
}

TEST_CASE("an engine that failed is started anew for the next turn") {
  for (const char* way : {"start", "die", "flood", "zero"}) {
    INFO(way);
    const testing::TemporaryFolder folder;
    UgiPlayer player = bad_engine({way, (folder / "failed").string()}, patient_config());
    CHECK(choice_of(player).fault != Fault::None);
    CHECK(player.restarts() == 0);
    CHECK(move_of(choice_of(player)) == "a2-b3");
    CHECK(player.restarts() == 1);
    CHECK(move_of(choice_of(player)) == "a2-b3");
    CHECK(player.restarts() == 1);
  }
}

TEST_CASE("an engine that ends between two games loses none of them") {
  UgiPlayer player = bad_engine({"once"}, patient_config());
  for (int i = 0; i < 3; ++i) {
    CHECK(move_of(choice_of(player)) == "a2-b3");
    CHECK(player.restarts() == i);
  }
  // In the middle of a game it does.
  const Choice choice = choice_of(player, game_after({"a2-b3", "h7-g6"}));
  CHECK(choice.fault == Fault::Crash);
}

TEST_CASE("an engine that answers late or wrong is kept") {
  for (const char* way : {"illegal", "late"}) {
    UgiPlayer player = bad_engine({way}, quick_config());
    for (int i = 0; i < 2; ++i) CHECK(choice_of(player).fault != Fault::None);
    CHECK(player.restarts() == 0);
  }
}

TEST_CASE("an engine that always fails is given up") {
  UgiConfig config = quick_config();
  config.restarts = 2;
  UgiPlayer player = bad_engine({"die"}, config);
  for (int i = 0; i < 6; ++i) {
    const Choice choice = choice_of(player);
    CHECK(choice.fault == Fault::Crash);
    CHECK_THAT(choice.fault_text,
               Contains(i < 3 ? "exit status 5" : "3 times in a row and is not started again"));
  }
  CHECK(player.restarts() == 2);
}

TEST_CASE("turns at the same time have processes of their own") {
  const testing::TemporaryFolder folder;
  UgiConfig config = patient_config();
  config.log = (folder / "log").string();
  {
    UgiPlayer player = bad_engine({"pieces"}, config);
    std::vector<Choice> choices(8);
    std::vector<std::thread> threads;
    for (Choice& choice : choices)
      threads.emplace_back([&] { choice = choice_of(player); });
    for (std::thread& thread : threads) thread.join();
    for (const Choice& choice : choices) CHECK(move_of(choice) == "a2-b3");
  }
  check_gone(config.log);
}

// What the engine was told after its start.
std::vector<std::string> told(const std::string& log) {
  std::vector<std::string> lines;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);)
    if (!is_digit(line[0])) lines.push_back(line);
  return lines;
}

TEST_CASE("an engine is told of new games and of positions and of its time") {
  const testing::TemporaryFolder folder;
  UgiConfig config = patient_config();
  config.log = (folder / "log").string();
  UgiPlayer player = bad_engine({"echo"}, config);
  const Game start, later = game_after({"a2-b3", "h7-g6"});
  choice_of(player, start);
  choice_of(player, later);
  choice_of(player, later);
  CHECK(told(config.log) ==
        std::vector<std::string>{
            "uginewgame", "position startpos", "info string go movetime 5000",
            "position startpos moves a2-b3 h7-g6", "info string go movetime 5000",
            "uginewgame", "position startpos moves a2-b3 h7-g6", "info string go movetime 5000"});
}

TEST_CASE("a position that is not the start is written out") {
  const testing::TemporaryFolder folder;
  UgiConfig config = patient_config();
  config.log = (folder / "log").string();
  UgiPlayer player = bad_engine({"echo"}, config);
  const std::string text = "r,s,x6/x8/x8/x8/x8/x8/R,S,x6/S,R,x6 w 3 40";
  choice_of(player, game_after({}, *parse_position(text)));
  CHECK(told(config.log)[1] == "position fen " + text);
}

TEST_CASE("limits and clocks in the words of the protocol") {
  struct Row {
    int movetime;
    std::int64_t nodes;
    int depth;
    std::optional<Clocks> clocks;
    const char* go;
  };
  const Clocks clocks{.own = {12.5, 0.1, 0}, .other = {9.0, 0.2, 0}};
  const Clocks with_moves{.own = {2.0, 0.0, 40}, .other = {0.0, 0.0, 0}};
  const Row rows[] = {
      {70, 0, 0, {}, "go movetime 70"},
      {0, 0, 0, {}, "go movetime 1000"},
      {0, 500, 0, {}, "go nodes 500"},
      {0, 0, 3, {}, "go depth 3"},
      {70, 500, 3, {}, "go movetime 70 nodes 500 depth 3"},
      {70, 0, 0, clocks, "go p1time 12500 p2time 9000 p1inc 100 p2inc 200"},
      {0, 9, 0, with_moves, "go p1time 2000 p2time 1 p1inc 0 p2inc 0 movestogo 40"},
  };
  for (const Row& row : rows) {
    const testing::TemporaryFolder folder;
    UgiConfig config = patient_config();
    config.margin_ms = 5000;
    config.log = (folder / "log").string();
    config.movetime = row.movetime;
    config.nodes = row.nodes;
    config.depth = row.depth;
    UgiPlayer player = bad_engine({"echo"}, config);
    const Game game;
    const Turn turn{.game = &game, .clocks = row.clocks};
    Choice choice;
    static_cast<Player&>(player).choose({&turn, 1}, {&choice, 1});
    CHECK(choice.fault == Fault::None);
    CHECK(told(config.log).back() == "info string " + std::string(row.go));
  }
  const testing::TemporaryFolder folder;
  UgiConfig config = patient_config();
  config.log = (folder / "log").string();
  UgiPlayer player = bad_engine({"echo"}, config);
  const Game black = game_after({"a2-b3"});
  const Turn turn{.game = &black, .clocks = clocks};
  Choice choice;
  static_cast<Player&>(player).choose({&turn, 1}, {&choice, 1});
  CHECK(told(config.log).back() == "info string go p1time 9000 p2time 12500 p1inc 200 p2inc 100");
}

TEST_CASE("a clock that has run out is a time loss") {
  UgiConfig config = quick_config();
  UgiPlayer player = bad_engine({"late"}, config);
  const Game game;
  const Turn turn{.game = &game, .clocks = Clocks{.own = {0.04, 0.0, 0}, .other = {9.0, 0.0, 0}}};
  Choice choice;
  static_cast<Player&>(player).choose({&turn, 1}, {&choice, 1});
  CHECK(choice.fault == Fault::TimeLoss);
  CHECK_THAT(choice.fault_text, Contains("it had 40 ms"));
}

TEST_CASE("a text makes the player and sets the engine's options") {
  const testing::TemporaryFolder folder;
  const std::string engine = "'" GOUNKI_BAD_ENGINE "'";
  const std::string text = "ugi:" + engine + " echo, movetime=4000, option.Level=3, "
                           "option.Book File='a, b=c', option.Style=wild, option.Clear=, log=" +
                           (folder / "log").string();
  {
    auto player = make_player(text);
    INFO((player ? "" : player.error().message));
    REQUIRE(player);
    CHECK((*player)->name() == text);
    const Game game;
    const Turn turn{.game = &game};
    Choice choice;
    (*player)->choose({&turn, 1}, {&choice, 1});
    CHECK(choice.fault == Fault::None);
    CHECK((*player)->restarts() == 0);
  }
  CHECK(told((folder / "log").string()) ==
        std::vector<std::string>{"setoption name Level value 3",
                                 "setoption name Book File value a, b=c",
                                 "setoption name Style value wild", "setoption name Clear",
                                 "uginewgame", "position startpos", "info string go movetime 4000"});
  check_gone((folder / "log").string());
}

TEST_CASE("a player whose engine cannot be used is not made") {
  const std::string engine = "ugi:'" GOUNKI_BAD_ENGINE "' ";
  const std::pair<std::string, std::string> rows[] = {
      {"ugi:no-such-program-anywhere", "cannot start \"no-such-program-anywhere\": No such file"},
      {"ugi:'no such program' --with arguments", "cannot start \"no such program\""},
      {"ugi:movetime=5", "cannot start \"movetime=5\""},
      {"ugi:/", "cannot start \"/\": Permission denied"},
      {engine + "start", "ended with exit status 3"},
      {engine + "handshake", "ended with exit status 4"},
      {engine + "mute,handshake_ms=100", "no ugiok within 100 ms"},
      {engine + "good,option.Levle=3", "no option \"Levle\", did you mean \"Level\"?"},
      {engine + "good,option.Level=10", "option Level: expected 1 to 9, found \"10\""},
      {engine + "good,option.Style=loud", "option Style: expected calm or wild"},
  };
  for (const auto& [text, expected] : rows) {
    INFO(text);
    CHECK(check_player_text(text));
    const auto player = make_player(text);
    REQUIRE_FALSE(player);
    CHECK_THAT(player.error().message, Contains(expected));
  }
  CHECK(have_no_children());
}

TEST_CASE("a ugi player's text is checked without starting anything") {
  for (const char* text : {"ugi:engine", "ugi:engine --x=3 'a,b',nodes=4", "ugi:a=b",
                           "ugi:engine,option.x=1,option.y="})
    CHECK(check_player_text(text));
  const std::pair<const char*, const char*> rows[] = {
      {"ugi", "COMMAND is missing, expected ugi:COMMAND,key=value"},
      {"ugi:", "COMMAND is missing"},
      {"ugi:,movetime=3", "COMMAND is missing"},
      {"ugi:''", "command cannot be empty"},
      {"ugi:'engine", "the quote ' is not closed"},
      {"ugi:engine,movetme=3", "did you mean \"movetime\"?"},
      {"ugi:engine,movetime=-3", "movetime: "},
      {"ugi:engine,movetime", "\"movetime\" has no value"},
      {"ugi:engine,option.x", "\"option.x\" has no value"},
      {"ugi:engine,nodes=1,nodes=2", "given twice"},
      {"ugi:engine,", "an empty option"},
      {"ugi:engine,option.x='a", "option.x: the quote ' is not closed"},
      {"ugi:engine\nugi", "control character"},
  };
  for (const auto& [text, expected] : rows) {
    INFO(text);
    const auto checked = check_player_text(text);
    REQUIRE_FALSE(checked);
    CHECK_THAT(checked.error().message, Contains(expected));
  }
}

}  // namespace
}  // namespace gounki::arena
