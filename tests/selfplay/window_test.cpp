#include "selfplay/window.h"

#include <catch2/catch.hpp>

#include <array>
#include <map>
#include <set>

#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;

namespace {

// A run with groups of so many rows each; the rows of group g have game number 1000 g + row.
class FakeRun {
 public:
  explicit FakeRun(const std::vector<int>& rows) : run(folder_.path()) {
    prepare(run, support::tiny_config());
    for (const int n : rows) add(n);
  }
  void add(int rows) {
    Shard shard{0, support::random_samples(rows, static_cast<std::uint64_t>(next_) + 1)};
    for (int i = 0; i < rows; ++i) {
      shard.samples[static_cast<std::size_t>(i)].game = 1000 * next_ + i;
      shard.samples[static_cast<std::size_t>(i)].weight = 1;
    }
    write_file_atomically(run.shard_path(next_), to_bytes(shard));
    write_file_atomically(run.record_path(next_), "");
    ++next_;
  }

 private:
  support::TemporaryFolder folder_;
  std::int64_t next_ = 0;

 public:
  const RunFolder run;
};

ReplaySection section(std::int64_t least, std::int64_t most = 1 << 20) {
  ReplaySection replay;
  replay.window_min = least;
  replay.window_max = most;
  replay.window_exponent = 0.65;
  replay.window_scale = 0.4;
  replay.held_out = 0;
  return replay;
}

using Games = std::set<std::int64_t>;

constexpr std::uint64_t kSeed = 1;

// The games that are drawn, each of one row; so many draws of some dozen rows leave none out.
Games games_in(const ReplayWindow& window) {
  Games games;
  Rng rng(3);
  for (int i = 0; i < 3000; ++i) games.insert(window.draw(rng).game);
  return games;
}

}  // namespace

TEST_CASE("the window grows as a power of the rows") {
  const ReplaySection replay = section(1000, 5000);
  CHECK(window_rows(replay, 0) == 0);
  CHECK(window_rows(replay, 999) == 999);
  CHECK(window_rows(replay, 1000) == 1000);
  // 1000 (1 + 0.4 (4^0.65 - 1) / 0.65) = 1899.9…
  CHECK(window_rows(replay, 4000) == 1899);
  CHECK(window_rows(replay, 1000000000) == 5000);
  for (std::int64_t rows = 0; rows < 20000; rows += 7) {
    CHECK(window_rows(replay, rows) <= rows);
    CHECK(window_rows(replay, rows) <= window_rows(replay, rows + 7));
  }
}

TEST_CASE("steps that the rows allow") {
  ReplaySection replay;
  replay.reuse = 4;
  replay.rows_to_start = 100;
  CHECK(steps_allowed(replay, 64, 0) == 0);
  CHECK(steps_allowed(replay, 64, 99) == 0);
  CHECK(steps_allowed(replay, 64, 100) == 7);  // 6.25 and up
  CHECK(steps_allowed(replay, 64, 160) == 10);
  replay.reuse = 0;
  CHECK(steps_allowed(replay, 64, 1000) == 0);
}

TEST_CASE("the window holds the newest rows") {
  FakeRun fake({3, 4, 5});
  ReplayWindow window(fake.run, section(7, 7), kSeed, {});
  window.refresh();
  CHECK(window.total_rows() == 12);
  CHECK(window.shards() == 3);
  CHECK(games_in(window) == Games{1002, 1003, 2000, 2001, 2002, 2003, 2004});

  fake.add(6);
  window.refresh(3);  // not yet
  CHECK(window.total_rows() == 12);
  window.refresh();
  CHECK(window.total_rows() == 18);
  CHECK(games_in(window) == Games{2004, 3000, 3001, 3002, 3003, 3004, 3005});

  // One that began later sees the same.
  ReplayWindow other(fake.run, section(7, 7), kSeed, {});
  other.refresh();
  CHECK(games_in(other) == games_in(window));
}

TEST_CASE("a window larger than all rows holds them all") {
  FakeRun fake({2, 0, 3});
  ReplayWindow window(fake.run, section(100), kSeed, {});
  window.refresh();
  CHECK(games_in(window) == Games{0, 1, 2000, 2001, 2002});
}

TEST_CASE("damaged shards are left out, told once and counted") {
  FakeRun fake({3, 3, 3, 3});
  write_file_atomically(fake.run.shard_path(1), "no zip");
  // Its row count can still be read, its samples cannot.
  std::string bytes = read_file(fake.run.shard_path(2));
  bytes[bytes.find("board.npy") + 40] ^= 1;
  write_file_atomically(fake.run.shard_path(2), bytes);

  std::vector<std::string> told;
  ReplayWindow window(fake.run, section(100), kSeed,
                      [&](const std::string& text) { told.push_back(text); });
  window.refresh();
  window.refresh();
  CHECK(games_in(window) == Games{0, 1, 2, 3000, 3001, 3002});
  CHECK(window.total_rows() == 6);
  CHECK(window.damaged_shards() == 2);
  REQUIRE(told.size() == 2);
  CHECK_THAT(told[0], Catch::Matchers::StartsWith(fake.run.shard_path(1).string() + ": "));
  CHECK_THAT(told[1], Catch::Matchers::StartsWith(fake.run.shard_path(2).string() + ": "));
  CHECK_THAT(window.state_text(), Catch::Matchers::Contains("6 rows in 2 shards of ") &&
                                      Catch::Matchers::Contains("2 damaged"));
}

TEST_CASE("the samples of a step follow from the seed, the step and the rows") {
  FakeRun fake({10, 10, 10});
  ReplayWindow window(fake.run, section(100), kSeed, {});
  window.refresh();
  const auto draw = [&](std::int64_t seed, std::int64_t step, int size = 64, bool mirror = true) {
    RunConfig config;
    config.run.seed = seed;
    config.learner.batch = size;
    config.replay.mirror = mirror;
    return draw_samples(window, config, step);
  };
  CHECK(draw(1, 5) == draw(1, 5));
  CHECK(draw(1, 5) != draw(1, 6));
  CHECK(draw(1, 5) != draw(2, 5));

  std::map<std::int64_t, Sample> plain;
  for (const Sample& sample : draw(1, 1, 1000, false)) {
    const auto [known, first] = plain.emplace(sample.game, sample);
    CHECK(known->second == sample);
  }
  CHECK(plain.size() == 30);
  int as_they_are = 0;
  for (const Sample& sample : draw(1, 1, 4000)) {
    if (sample == plain.at(sample.game)) ++as_they_are;
    else CHECK(sample == mirrored(plain.at(sample.game)));
  }
  CHECK(as_they_are > 1800);
  CHECK(as_they_are < 2250);  // the start position is its own mirror, with another policy
}

TEST_CASE("rows are drawn by their weight") {
  FakeRun fake({});
  Shard shard{0, support::random_samples(4, 1)};
  const float weights[] = {1, 0, 2, 5};
  for (int i = 0; i < 4; ++i) {
    shard.samples[i].game = i;
    shard.samples[i].weight = weights[i];
  }
  write_file_atomically(fake.run.shard_path(0), to_bytes(shard));
  write_file_atomically(fake.run.record_path(0), "");
  ReplayWindow window(fake.run, section(100), kSeed, {});
  window.refresh();
  std::array<int, 4> drawn{};
  Rng rng(1);
  for (int i = 0; i < 8000; ++i) ++drawn[static_cast<std::size_t>(window.draw(rng).game)];
  CHECK(drawn[0] == Approx(1000).margin(120));
  CHECK(drawn[1] == 0);
  CHECK(drawn[2] == Approx(2000).margin(160));
  CHECK(drawn[3] == Approx(5000).margin(180));
}

TEST_CASE("games that are held out are not learned from") {
  ReplaySection replay = section(1000);
  replay.held_out = 0.3;
  FakeRun fake({100, 100, 100});
  ReplayWindow window(fake.run, replay, kSeed, {});
  window.refresh();
  Games held_out;
  for (const Sample& sample : window.held_out(1000)) held_out.insert(sample.game);
  CHECK(held_out.size() == Approx(90).margin(30));
  CHECK(window.total_rows() == 300 - static_cast<std::int64_t>(held_out.size()));
  for (const std::int64_t game : games_in(window)) CHECK_FALSE(held_out.contains(game));

  const auto newest = window.held_out(5);
  REQUIRE(newest.size() == 5);
  CHECK(newest.back().game == *held_out.rbegin());
  for (std::size_t i = 1; i < 5; ++i) CHECK(newest[i - 1].game < newest[i].game);

  replay.held_out = 0.5;  // those of a smaller share are among those of a larger one
  for (const std::int64_t game : held_out) CHECK(is_held_out(replay, kSeed, game));
}

TEST_CASE("a window without anything to draw says so") {
  FakeRun fake({});
  ReplayWindow window(fake.run, section(100), kSeed, {});
  Rng rng(1);
  CHECK_THROWS_WITH(window.draw(rng), Catch::Contains("no row of the window can be learned from"));
  window.refresh();
  CHECK_THROWS_WITH(window.draw(rng), Catch::Contains("0 rows in 0 shards"));
}
