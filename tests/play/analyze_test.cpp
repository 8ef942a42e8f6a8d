// gounki analyze as a program speaks with it.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/random.h"
#include "program.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using Json = nlohmann::ordered_json;

namespace {

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    REQUIRE(end != std::string::npos);
    out.push_back(Json::parse(text.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

// The replies to these lines, in the order in which they came.
std::vector<Json> asked(const std::string& arguments, const std::string& input) {
  const Ran ran = gounki_program("analyze " + arguments, input);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK(ran.err.empty());
  return lines_of(ran.out);
}

std::vector<Json> finals_of(const std::vector<Json>& replies, const std::string& id) {
  std::vector<Json> out;
  for (const Json& reply : replies)
    if (reply.value("id", "") == id && reply.contains("isDuringSearch") && !reply["isDuringSearch"])
      out.push_back(reply);
  return out;
}

}  // namespace

TEST_CASE("a query gets the analysis that a search gives") {
  for (const std::string evaluator : {"handcrafted", "hash", "rollout"}) {
    const std::string common = " --evaluator " + evaluator + " --seed 5";
    const std::string moves = R"("moves":["a2-b3","h7-g6","c1-b1"],"rules":"no-null-moves")";
    std::string input;
    for (int i = 0; i < 6; ++i)
      input += "{\"id\":\"" + std::to_string(i) + "\"," + moves + ",\"maxVisits\":" +
               std::to_string(20 + 40 * i) + ",\"includePolicy\":true}\n";
    const auto replies = asked("--threads 2 --parallel 5 --cache-mb 2" + common, input);
    REQUIRE(replies.size() == 6);
    for (int i = 0; i < 6; ++i) {
      const Json reply = finals_of(replies, std::to_string(i)).at(0);
      const Ran ran = gounki_program("search --json --no-null-moves --moves 'a2-b3 h7-g6 c1-b1' --visits " +
                                     std::to_string(20 + 40 * i) + common);
      const Json search = Json::parse(ran.out);
      CHECK(reply["turnNumber"] == 3);
      CHECK(reply["perspective"] == "black");
      CHECK(reply["rootInfo"]["utility"] == search["value"]);
      CHECK(reply["rootInfo"]["visits"] == search["visits"]);
      CHECK(reply["rootInfo"]["nodes"] == search["nodes"]);
      CHECK(reply["policy"].size() == search["moves"].size());
      REQUIRE(reply["moveInfos"].size() > 1);
      for (std::size_t k = 0; k < reply["moveInfos"].size(); ++k) {
        const Json &a = reply["moveInfos"][k], &b = search["moves"][k];
        CHECK(a["move"] == b["move"]);
        CHECK(a["visits"] == b["visits"]);
        CHECK(a["utility"] == b["value"]);
        CHECK(a["utilityLcb"] == b["lower_bound"]);
        CHECK(a["prior"] == b["prior"]);
      }
      CHECK(reply["moveInfos"][0]["pv"] == search["lines"][0]["moves"]);
    }
  }
}

TEST_CASE("each turn that is asked for gets one final reply") {
  const auto replies = asked("--visits 30",
      R"({"id":"g","moves":["a2-b3","h7-g6"],"analyzeTurns":[2,0,1]})" "\n");
  std::set<int> turns;
  for (const Json& reply : finals_of(replies, "g")) turns.insert(reply["turnNumber"].get<int>());
  CHECK(turns == std::set<int>{0, 1, 2});
  CHECK(replies.size() == 3);
}

TEST_CASE("a game that is over is answered by its result") {
  const auto replies = asked("", R"({"id":"g","initialPosition":"x6,R,x/x8/x8/x8/x8/x8/x8/s,x7 w",)"
                                 R"("moves":["g8-OUT"],"analyzeTurns":[0,1]})" "\n");
  REQUIRE(replies.size() == 2);
  for (const Json& reply : replies) {
    CHECK(reply["rootInfo"]["proven"] == true);
    CHECK(reply.contains("gameOver") == (reply["turnNumber"] == 1));
  }
}

TEST_CASE("bad lines are answered and the next ones are read") {
  const std::string input = "not json\n\n{\"id\":\"bad\",\"maxVisits\":-1}\n" +
                            std::string((1 << 20) + 1, 'x') + "\n" + std::string(900'000, '[') +
                            "\n{\"id\":\"\xC3\"}\n" + R"({"id":"warned","maxVisit":3,"maxVisits":3})" + "\n" +
                            R"({"id":"good","maxVisits":3})";
  const auto replies = asked("", input);
  REQUIRE(replies.size() == 8);
  CHECK_THAT(replies[0]["error"].get<std::string>(), StartsWith("not JSON"));
  CHECK(replies[1]["field"] == "maxVisits");
  CHECK(replies[1]["id"] == "bad");
  CHECK_THAT(replies[2]["error"].get<std::string>(), Contains("more than 1048576 bytes"));
  CHECK_THAT(replies[3]["error"].get<std::string>(), Contains("nested"));
  CHECK_THAT(replies[4]["error"].get<std::string>(), StartsWith("not JSON"));
  CHECK(replies[5]["warning"].get<std::string>().starts_with("unknown and ignored"));
  CHECK(finals_of(replies, "warned").size() == 1);
  CHECK(finals_of(replies, "good").size() == 1);
}

TEST_CASE("actions are answered") {
  const auto replies = asked("--cache-mb 1 --evaluator handcrafted", R"({"id":"v","action":"query_version","note":[1]})" "\n"
                                             R"({"id":"m","action":"query_models"})" "\n"
                                             R"({"id":"c","action":"clear_cache"})" "\n"
                                             R"({"id":"t","action":"terminate","terminateId":"none"})" "\n");
  REQUIRE(replies.size() == 4);
  CHECK_THAT(replies[0]["version"].get<std::string>(), StartsWith("gounki "));
  CHECK(replies[0]["note"] == Json::parse("[1]"));
  CHECK(replies[1]["models"][0]["name"] == "handcrafted");
  CHECK(replies[2] == Json::parse(R"({"id":"c","action":"clear_cache"})"));
  CHECK(replies[3]["terminateId"] == "none");
}

TEST_CASE("terminated searches answer with what they have found") {
  const std::string endless = R"("maxVisits":100000000,"overrideSettings":{"memory_mb":32}})";
  const auto replies = asked("--parallel 1 --threads 1",
      "{\"id\":\"a\",\"priority\":1," + endless + "\n{\"id\":\"b\"," + endless + "\n" +
      R"({"id":"c","maxVisits":4})" "\n"
      R"({"id":"t","action":"terminate","terminateId":"b"})" "\n"
      R"({"id":"u","action":"terminate_all"})" "\n");
  for (const char* id : {"a", "b", "c"}) CHECK(finals_of(replies, id).size() == 1);
  CHECK(finals_of(replies, "b")[0] ==
        Json::parse(R"({"id":"b","turnNumber":0,"isDuringSearch":false,"noResults":true})"));
  CHECK(std::count_if(replies.begin(), replies.end(),
                      [](const Json& reply) { return reply.contains("action"); }) == 2);
}

TEST_CASE("a search reports while it runs") {
  const auto replies = asked("", R"({"id":"a","maxVisits":60000,"reportDuringSearchEvery":0.001})" "\n");
  REQUIRE(replies.size() > 1);
  int visits = 0;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    CHECK(replies[i]["isDuringSearch"] == (i + 1 < replies.size()));
    CHECK(replies[i]["rootInfo"]["visits"].get<int>() > visits);
    visits = replies[i]["rootInfo"]["visits"].get<int>();
  }
  CHECK(visits == 60000);
}

TEST_CASE("one Ctrl-C ends the conversation with what is known") {
  const Ran ran = shell(
      "cd \"$(mktemp -d)\" && mkfifo pipe && exec 3<>pipe\n"
      "\"$gounki\" analyze <&3 >out & child=$!\n"
      "echo '{\"id\":\"a\",\"maxVisits\":100000000,\"reportDuringSearchEvery\":0.01,"
      "\"overrideSettings\":{\"memory_mb\":32}}' >&3\n"
      "while ! grep -q '\"isDuringSearch\":true' out; do sleep 0.05; done\n"
      "kill -INT $child; wait $child; code=$?; tail -n 1 out; rm -r \"$PWD\"; exit $code");
  INFO(ran.err);
  CHECK(ran.status == 0);
  const Json last = lines_of(ran.out).at(0);
  CHECK(last["id"] == "a");
  CHECK(last["isDuringSearch"] == false);
  CHECK(last["rootInfo"]["visits"].get<int>() > 0);
}

TEST_CASE("a flood of queries is answered in little memory") {
  std::string input;
  for (int i = 0; i < 3000; ++i) input += "{\"id\":\"" + std::to_string(i) + "\",\"maxVisits\":2}\n";
  const auto replies = asked("--queue 5 --parallel 4 --threads 2", input);
  std::set<std::string> ids;
  for (const Json& reply : replies) ids.insert(reply["id"].get<std::string>());
  CHECK(replies.size() == 3000);
  CHECK(ids.size() == 3000);
}

TEST_CASE("whatever lines come the program answers each and goes on") {
  const std::string whole = R"({"id":"q","moves":["a2-b3","h7-g6"],"maxVisits":5,"analyzeTurns":[0,2],)"
                            R"("overrideSettings":{"cpuct":1.5},"includePolicy":false})";
  Rng rng(2);
  std::string input;
  for (int i = 0; i < 400; ++i) {
    std::string line = whole;
    for (std::uint64_t n = 1 + rng.below(3); n-- > 0;) {
      const std::size_t at = rng.below(line.size());
      if (rng.below(2)) line[at] = static_cast<char>(1 + rng.below(255));
      else line.erase(at, 1 + rng.below(5));
    }
    std::replace(line.begin(), line.end(), '\n', ' ');
    input += line + "\n";
  }
  const auto replies = asked("", input + R"({"id":"last","maxVisits":2})" "\n");
  CHECK(finals_of(replies, "last").size() == 1);
  CHECK(replies.size() > 400);
}

TEST_CASE("a record is analysed move by move") {
  const std::string arguments = "analyze --record \"$golden/game_2003.pgn\" --evaluator handcrafted --visits 200 ";
  const Ran text = gounki_program(arguments);
  REQUIRE(text.status == 0);
  CHECK_THAT(text.out, StartsWith("game 1, handcrafted with 200 visits, values for the side that moves"));
  CHECK_THAT(text.out, Contains("  31 e6*d7,c8,OUT    +1.000  +1.000  0.000    e6*d7,c8,OUT   win in 1\n"));
  CHECK_THAT(last_line(text.out), StartsWith("Black: 15 moves"));
  const Ran json = gounki_program(arguments + "--json --perspective white --threads 1 --parallel 3");
  REQUIRE(json.status == 0);
  const Json review = lines_of(json.out).at(0);
  CHECK(review["moves"].size() == 31);
  CHECK(review["tags"]["White"] == "MGounki");
  CHECK(review["moves"][30]["after"] == 1.0);
  CHECK(review["white"]["moves"] == 16);
  const Ran again = gounki_program(arguments + "--json --perspective white --threads 2 --parallel 31");
  CHECK(again.out == json.out);
}

TEST_CASE("several games of a record and one of them") {
  const std::string two = "1. a2-b3 *\n\n[Event \"x\"]\n\n1. c2-d3 h7-g6 *\n";
  const TemporaryFolder folder;
  const std::string file = (folder / "two.pgn").string();
  REQUIRE(shell("cat > " + file, two).status == 0);
  const auto both = lines_of(gounki_program("analyze --visits 5 --json --record " + file).out);
  REQUIRE(both.size() == 2);
  CHECK(both[1]["moves"].size() == 2);
  const auto second = lines_of(gounki_program("analyze --visits 5 --json --game 2 --record " + file).out);
  REQUIRE(second.size() == 1);
  CHECK(second[0] == both[1]);
}

TEST_CASE("what analyze refuses") {
  struct Case {
    const char* arguments;
    int status;
    const char* error;
  };
  const Case cases[] = {
      {"--json", 2, "--json and --game go with --record"},
      {"--visits 5 --set visits=6", 2, "give one of them"},
      {"--visits 0", 2, "--visits: visits: 0 is out of range"},
      {"--set cput=1", 2, "did you mean \"cpuct\"?"},
      {"--set threads=2", 2, "unknown key \"threads\""},
      {"--evaluator magic", 2, "unknown evaluator \"magic\""},
      {"--evaluator net:no-such-file", 1, "no-such-file"},
      {"--perspective red", 2, "--perspective"},
      {"--parallel 0", 2, "--parallel"},
      {"--record no-such-file", 1, "no-such-file"},
      {"--record \"$golden/game_2003.pgn\" --game 2", 1, "holds 1 game"},
      {"--record \"$golden/perft.txt\"", 1, "game 1: line"},
  };
  for (const Case& c : cases) {
    const Ran ran = gounki_program("analyze " + std::string(c.arguments));
    INFO(c.arguments << "\n" << ran.err);
    CHECK(ran.status == c.status);
    CHECK_THAT(ran.err, Contains(c.error));
    CHECK(ran.out.empty());
  }
}
