// gounki rate as a user has it.
#include <catch2/catch.hpp>

#include "core/files.h"
#include "program.h"
#include "xml_check.h"

namespace gounki::play {
namespace {

using Catch::Contains;

TEST_CASE("logs of matches are rated whatever their order") {
  const TemporaryFolder folder;
  const std::string one = (folder / "one").string(), two = (folder / "two").string();
  CHECK(gounki_program("match greedy random --pairs 5 --log " + one).status == 0);
  CHECK(gounki_program("match alphabeta:depth=1 greedy --pairs 5 --log " + two).status == 0);
  const std::string svg = (folder / "ratings.svg").string();
  const Ran ran = gounki_program("rate " + one + " " + two + " --anchor greedy --svg " + svg);
  CHECK(ran.status == 0);
  CHECK(ran.out.find("alphabeta:depth=1") < ran.out.find("greedy "));
  CHECK_THAT(ran.out, Contains("Elo relative to greedy, which has 0"));
  CHECK(gounki_program("rate " + two + " " + one + " --anchor greedy").out == ran.out);
  CHECK(xml_error(read_file(svg)) == "");
  CHECK_THAT(gounki_program("rate --json " + one).out, Contains("{\"ratings\":[{\"player\":\"greedy\""));

  const Ran anchor = gounki_program("rate " + one + " --anchor greed");
  CHECK(anchor.status == 2);
  CHECK_THAT(last_line(anchor.err), Contains("did you mean \"greedy\"?"));
  write_file_atomically(folder / "bad", read_file(one) + "{\"type\":\"pair\"}\n");
  const Ran bad = gounki_program("rate " + one + " " + (folder / "bad").string());
  CHECK(bad.status == 1);
  CHECK_THAT(last_line(bad.err), Contains("bad, line 7: "));
  CHECK(gounki_program("rate " + folder.path().string()).status == 1);
  CHECK(gounki_program("rate " + one + " --ladder random").status == 2);
}

TEST_CASE("a run has a curve that survives kills") {
  const Ran ran = shell(R"sh(
    cd "$(mktemp -d)"
    "$gounki" train "$golden/../../configs/ci.toml" --run a --set run.iterations=1 \
      --set selfplay.groups_per_iteration=1 --set selfplay.games_per_group=8 \
      --set selfplay.games_at_once=8 --set replay.rows_to_start=50 --set evaluate.games=2 \
      >/dev/null 2>err || cat err
    cp -r a b
    rate="--set visits=2 --ladder random --ladder greedy --pairs 40 --block 4 --opening-plies 4"
    "$gounki" rate a $rate >a.txt 2>/dev/null
    for kill in 1 2 3 4; do
      "$gounki" rate b $rate >/dev/null 2>&1 & pid=$!
      until [ "$(cat b/ratings/*.jsonl 2>/dev/null | wc -l)" -ge $((8 * kill)) ]; do
        kill -0 $pid 2>/dev/null || break
        sleep 0.005
      done
      kill -9 $pid 2>/dev/null && echo killed
      wait $pid
    done
    "$gounki" rate b $rate >b.txt 2>/dev/null
    rm -f b/ratings/*.lock
    cmp a.txt b.txt && diff -r a/ratings b/ratings && echo same
    cat a/ratings/curve.json
    "$gounki" rate a/ratings/*.jsonl --anchor greedy | tail -n 1
    rm -r "$PWD")sh");
  CHECK_THAT(ran.out, Contains("killed\n"));
  CHECK_THAT(ran.out, Contains("same\n"));
  CHECK_THAT(ran.out, Contains("\"run_games\": 8") && Contains("\"player\": \"greedy\""));
  CHECK_THAT(ran.out, Contains("Elo relative to greedy"));
}

}  // namespace
}  // namespace gounki::play
