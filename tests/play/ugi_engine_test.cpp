#include "play/ugi_engine.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "core/random.h"
#include "core/text.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

UgiSettings small_settings() {
  UgiSettings settings;
  settings.visits = 50;
  settings.memory_mb = 64;
  return settings;
}

// A conversation, with what was said to us.
class Talk {
 public:
  explicit Talk(const UgiSettings& settings = small_settings())
      : engine_(settings, {}, [this](const std::string& line) {
          const std::lock_guard lock(mutex_);
          lines_.push_back(line);
          said_.notify_all();
        }) {}

  bool tell(const std::string& line) { return engine_.hear(line); }
  // What the line is answered at once.
  std::vector<std::string> ask(const std::string& line) {
    clear();
    tell(line);
    return lines();
  }
  std::string ask_one(const std::string& line) {
    const auto answers = ask(line);
    REQUIRE(answers.size() == 1);
    return answers[0];
  }
  // The first line that begins so; waits for it.
  std::string wait_for(const std::string& begin) {
    std::unique_lock lock(mutex_);
    std::string found;
    const auto there = [&] {
      for (const std::string& line : lines_)
        if (line.starts_with(begin)) found = line;
      return !found.empty();
    };
    REQUIRE(said_.wait_for(lock, std::chrono::seconds(60), there));
    return found;
  }
  // The move that "go …" ends in.
  std::string best(const std::string& go) {
    clear();
    tell(go);
    return wait_for("bestmove").substr(9);
  }
  std::vector<std::string> lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    lines_.clear();
  }
  bool heard(const std::string& begin) {
    const auto all = lines();
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& line) { return line.starts_with(begin); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable said_;
  std::vector<std::string> lines_;
  UgiEngine engine_;  // last, so that its end can still be said
};

const char* const kWinInOne = "position fen R,x7/x8/x8/x8/x8/x8/x8/x7,s w";
const char* const kStillPosition = "position startpos";

bool is_legal_move(const std::string& text, const Position& position = Position::start()) {
  const auto move = parse_move(text, position);
  return move && to_string(*move, position) == text;
}

}  // namespace

TEST_CASE("the greeting names the program and lists its options") {
  Talk talk;
  const auto lines = talk.ask("ugi");
  REQUIRE(lines.size() == 3 + ugi_options(small_settings()).size());
  CHECK_THAT(lines[0], StartsWith("id name gounki "));
  CHECK_THAT(lines[1], StartsWith("id author "));
  CHECK(lines[2] == "option name evaluator type string default reference");
  CHECK(lines.back() == "ugiok");
  CHECK(talk.ask_one("isready") == "readyok");
}

TEST_CASE("a search ends with its line and its move") {
  Talk talk;
  talk.tell(kStillPosition);
  const std::string best = talk.best("go visits 80");
  CHECK(is_legal_move(best));
  const auto lines = talk.lines();
  REQUIRE(lines.size() >= 2);
  CHECK(lines.back() == "bestmove " + best);
  const std::string& info = lines[lines.size() - 2];
  for (const char* part : {"info depth ", " seldepth ", " multipv 1 ", " score cp ", " nodes ",
                           " nps ", " hashfull ", " time "})
    CHECK_THAT(info, Contains(part));
  CHECK_THAT(info, Contains(" pv " + best));
}

TEST_CASE("each form of go ends in a legal move") {
  Talk talk;
  for (const char* go : {"go", "go movetime 20", "go nodes 100", "go visits 10", "go depth 3",
                         "go p1time 400 p2time 400 p1inc 0 p2inc 0", "go p1time 1 p2time 1",
                         "go searchmoves h1-g1+ movetime 10", "go nonsense", "go movetime x"}) {
    INFO(go);
    CHECK(is_legal_move(talk.best(go)));
  }
  CHECK(talk.best("go searchmoves g2-h3 visits 20") == "g2-h3");
  talk.best("go depth 3");
  CHECK(talk.heard("info string error go: a tree search has no depth"));
}

TEST_CASE("a proven win is a mate in plies and a loss one with a minus") {
  Talk talk;
  talk.tell(kWinInOne);
  CHECK(talk.best("go") == "a8-OUT");
  CHECK_THAT(talk.wait_for("info depth"), Contains(" score mate 1 "));
  // Black has one stack, far from its goal, and cannot stop the exit.
  talk.tell("position fen R,x7/x8/x8/x7,s/x8/x8/x8/x8 b");
  talk.best("go");
  CHECK_THAT(talk.wait_for("info depth"), Contains(" score mate -2 "));
}

TEST_CASE("several lines are numbered and begin with different moves") {
  Talk talk;
  talk.tell("setoption name multipv value 3");
  talk.best("go visits 200");
  std::vector<std::string> firsts;
  for (int number = 1; number <= 3; ++number) {
    const std::string mark = " multipv " + std::to_string(number) + " ";
    for (const std::string& line : talk.lines())
      if (line.find(mark) != std::string::npos) {
        const auto words = words_of(line.substr(line.find(" pv ") + 4));
        firsts.push_back(words.at(0));
      }
  }
  REQUIRE(firsts.size() == 3);
  CHECK(std::set<std::string>(firsts.begin(), firsts.end()).size() == 3);
}

TEST_CASE("a search without an end goes on until it is stopped") {
  Talk talk;
  talk.tell(kStillPosition);
  talk.clear();
  talk.tell("go infinite");
  CHECK(talk.ask_one("isready") == "readyok");
  CHECK(talk.ask_one("query p1turn") == "response true");
  for (const char* line : {"position startpos", "go", "setoption name visits value 3", "uginewgame"})
    CHECK(talk.ask_one(line) == "info string error " + words_of(line)[0] +
                                    ": a search is under way, send stop first");
  CHECK_FALSE(talk.heard("bestmove"));
  talk.clear();
  talk.tell("stop");
  CHECK(is_legal_move(talk.lines().back().substr(9)));
  CHECK(talk.ask("stop").empty());
}

TEST_CASE("a search without an end tells how it goes") {
  Talk talk;
  talk.tell("go infinite");
  talk.wait_for("info depth");
  CHECK_FALSE(talk.heard("bestmove"));
  talk.tell("stop");
}

TEST_CASE("quit and the end of the conversation end a search with its move") {
  Talk talk;
  talk.tell("go infinite");
  CHECK_FALSE(talk.tell("quit"));
  CHECK(talk.heard("bestmove "));
  { Talk other; other.tell("go infinite"); }
}

TEST_CASE("pondering ends in a move only when the guess was right or it is stopped") {
  Talk talk;
  talk.tell("position startpos moves a2-b3");
  talk.clear();
  talk.tell("go ponder visits 100");
  CHECK(talk.ask_one("isready") == "readyok");
  CHECK_FALSE(talk.heard("bestmove"));
  talk.tell("ponderhit");
  const Game game = [] {
    Game out;
    out.play(*parse_move("a2-b3", out.position()));
    return out;
  }();
  CHECK(is_legal_move(talk.wait_for("bestmove").substr(9), game.position()));
  CHECK_THAT(talk.ask_one("ponderhit"), StartsWith("info string error ponderhit"));

  talk.clear();
  talk.tell("go ponder visits 100");
  talk.tell("stop");
  CHECK(is_legal_move(talk.wait_for("bestmove").substr(9), game.position()));

  // A proof ends the thinking, not the pondering.
  talk.tell(kWinInOne);
  talk.clear();
  talk.tell("go ponder");
  talk.ask("isready");
  CHECK_FALSE(talk.heard("bestmove"));
  talk.tell("ponderhit");
  CHECK(talk.wait_for("bestmove") == "bestmove a8-OUT");

  // A ponderhit does not end another search.
  talk.tell(kStillPosition);
  talk.tell("go infinite");
  CHECK_THAT(talk.ask_one("ponderhit"), StartsWith("info string error ponderhit"));
  CHECK(talk.ask_one("isready") == "readyok");
  talk.tell("stop");
}

TEST_CASE("the expected answer is named only when it is asked for") {
  Talk talk;
  CHECK(words_of(talk.best("go visits 200")).size() == 1);
  talk.tell("setoption name Ponder value true");
  const auto words = words_of(talk.best("go visits 200"));
  REQUIRE(words.size() == 3);
  CHECK(words[1] == "ponder");
}

TEST_CASE("queries about the game") {
  struct Row {
    const char *position, *p1turn, *gameover, *result;
  };
  const Row rows[] = {
      {"position startpos", "true", "false", "none"},
      {"position startpos moves a2-b3", "false", "false", "none"},
      {"position fen R,x7/x8/x8/x8/x8/x8/x8/x7,s w 0 0 moves a8-OUT", "false", "true", "p1win"},
      {"position fen x7,R/x8/x8/x8/x8/x8/x8/x7,s b 0 0 moves h1-OUT", "true", "true", "p2win"},
      {"position fen x8/x8/x8/R,x7/x7,r/x8/x8/x8 w 100 200", "true", "true", "draw"},
  };
  Talk talk;
  for (const Row& row : rows) {
    INFO(row.position);
    CHECK(talk.ask(row.position).empty());
    CHECK(talk.ask_one("query p1turn") == "response " + std::string(row.p1turn));
    CHECK(talk.ask_one("query gameover") == "response " + std::string(row.gameover));
    CHECK(talk.ask_one("query result") == "response " + std::string(row.result));
  }
  CHECK_THAT(talk.ask_one("query weather"), StartsWith("info string error query: expected p1turn"));
  CHECK_THAT(talk.ask_one("query"), StartsWith("info string error query"));
}

TEST_CASE("a game that is over has no best move") {
  Talk talk;
  talk.tell("position fen R,x7/x8/x8/x8/x8/x8/x8/x7,s w 0 0 moves a8-OUT");
  CHECK(talk.best("go") == "none");
  CHECK(talk.heard("info string error go: the game is over, White wins"));
}

TEST_CASE("a wrong position is told and the last one stays") {
  struct Row {
    const char *line, *error;
  };
  const Row rows[] = {
      {"position", "expected startpos or fen"},
      {"position here", "expected startpos or fen"},
      {"position startpos a2-b3", "expected startpos or fen"},
      {"position fen", "position"},
      {"position fen x8/x8 w", "position"},
      {"position startpos moves a2-a8", "move 1, \"a2-a8\": "},
      {"position startpos moves a2-b3 a2-b3", "move 2, \"a2-b3\": "},
      {"position fen R,x7/x8/x8/x8/x8/x8/x8/x7,s w 0 0 moves a8-OUT h1-h2", "the game is over"},
  };
  Talk talk;
  talk.tell("position startpos moves a2-b3");
  for (const Row& row : rows) {
    INFO(row.line);
    CHECK_THAT(talk.ask_one(row.line),
               StartsWith("info string error position: ") && Contains(row.error));
    CHECK(talk.ask_one("query p1turn") == "response false");
  }
}

TEST_CASE("a wrong option is told and nothing changes") {
  Talk talk;
  for (const char* line : {"setoption", "setoption name", "setoption name visits", "setoption visits 3",
                           "setoption name value 3", "setoption name vists value 3",
                           "setoption name visits value", "setoption name visits value many",
                           "setoption name algorithm value best",
                           "setoption name evaluator value net:no/such/file",
                           "setoption name evaluator value magic"}) {
    INFO(line);
    CHECK_THAT(talk.ask_one(line), StartsWith("info string error setoption: "));
  }
  const auto options = talk.ask("ugi");
  for (const char* line : {"option name visits type spin default 50 min 1 max 100000000",
                           "option name evaluator type string default reference"})
    CHECK(std::count(options.begin(), options.end(), line) == 1);
}

TEST_CASE("options take effect") {
  Talk talk;
  CHECK(talk.ask("setoption name evaluator value uniform").empty());
  CHECK(talk.ask("setoption name Visits value 7").empty());
  CHECK(talk.ask("setoption name algorithm value gumbel").empty());
  CHECK(is_legal_move(talk.best("go")));
  const auto options = talk.ask("ugi");
  CHECK(std::count(options.begin(), options.end(),
                   "option name algorithm type combo default gumbel var puct var gumbel") == 1);
}

TEST_CASE("the same words get the same moves") {
  const auto conversation = [] {
    Talk talk;
    std::string moves, line = "position startpos moves";
    talk.tell("uginewgame");
    for (int ply = 0; ply < 6; ++ply) {
      if (ply > 0) talk.tell(line);
      const std::string best = talk.best("go visits 60");
      line += " " + best;
    }
    return line;
  };
  CHECK(conversation() == conversation());
}

TEST_CASE("whatever is said gets one line of text or none") {
  const std::vector<std::string> seeds{
      "position startpos moves a2-b3 h7-g6", "position fen R,x7/x8/x8/x8/x8/x8/x8/x7,s w 0 0",
      "go visits 3", "setoption name visits value 5", "query result", "isready", "ponderhit", "stop",
      "go searchmoves a2-b3 visits 2", "uginewgame"};
  Talk talk;
  Rng rng(3);
  for (int i = 0; i < 3000; ++i) {
    std::string line = seeds[rng.below(seeds.size())];
    for (std::uint64_t edits = rng.below(5); edits > 0 && !line.empty(); --edits) {
      const std::size_t at = rng.below(line.size());
      const char letter = static_cast<char>(rng.below(256));
      switch (rng.below(3)) {
        case 0: line.insert(at, 1, letter); break;
        case 1: line.erase(at, 1); break;
        default: line[at] = letter;
      }
    }
    if (line.starts_with("quit") || line.find("infinite") != std::string::npos) continue;
    talk.tell(line);
    talk.tell("stop");
  }
  for (const std::string& line : talk.lines())
    CHECK(std::none_of(line.begin(), line.end(), is_control));
  CHECK(talk.ask_one("isready") == "readyok");
  CHECK_THAT(talk.ask_one(std::string(100'000, 'x')), StartsWith("info string error unknown command"));
  CHECK(talk.ask("").empty());
  CHECK(talk.ask(" \t ").empty());
}
