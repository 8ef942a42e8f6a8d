// An engine under load for a long time: searches, reuse, pondering, stops and clocks must leave the
// memory of the process as it is.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "mcts/engine.h"
#include "tests/mcts/brute_force.h"
#include "tests/mcts/positions.h"

namespace gounki::mcts {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// A sanitizer keeps memory of its own for what the program does.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Bytes of this process that are in memory.
std::int64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// Plays games with an engine as a player at a clock would: it thinks, ponders, is stopped, and is given
// now one move, now another position.
class Load {
 public:
  explicit Load(const EngineConfig& config)
      : engine_(config, std::make_shared<HandcraftedEvaluator>()) {}

  void play_a_game(Rng& rng) {
    Game game = testing::random_game(rng.below(50), static_cast<int>(rng.below(20)));
    while (!game.is_over() && game.moves().size() < 80) {
      const Report report = think(game, rng);
      REQUIRE_NOTHROW(testing::check_sane(report.result));
      REQUIRE(report.bytes <= static_cast<std::size_t>(engine_.config().memory_mb) << 20);
      game.play(report.result.best);
      if (game.is_over()) return;
      if (rng.below(3) == 0) ponder(game, rng);
      const MoveList replies = game.legal_moves();
      game.play(replies[static_cast<int>(rng.below(static_cast<std::uint64_t>(replies.size())))]);
    }
    if (rng.below(8) == 0) engine_.forget();
  }

 private:
  Report think(const Game& game, Rng& rng) {
    Request request;
    request.lines = 2;
    request.task.visits = static_cast<std::int64_t>(1 + rng.below(3000));
    if (rng.below(4) == 0) request.clock = Clock{0.05 * rng.uniform(), 0.0, 0};
    if (rng.below(4) > 0) return engine_.think(game, rng(), request);
    std::atomic<bool> stop = false;
    request.stop = &stop;
    request.endless = true;
    std::thread other([&stop, wait = rng.below(3000)] {
      std::this_thread::sleep_for(std::chrono::microseconds(wait));
      stop = true;
    });
    Report report = engine_.think(game, rng(), request);
    other.join();
    return report;
  }
  void ponder(const Game& game, Rng& rng) {
    engine_.ponder(game);
    std::this_thread::sleep_for(std::chrono::microseconds(rng.below(2000)));
  }

  Engine engine_;
};

// So small that they are full soon: what is held already but was never used would come into memory
// later, and look like a leak.
constexpr int kTreeMegabytes = 2, kCacheMegabytes = 1;

// Loads two engines for so many seconds, of which a quarter, and so many games at least, warm up: the
// trees and the allocator's own pools have then seen what they will see, however busy the machine. Says
// how many bytes the memory rose after that.
std::int64_t rise_under_load(double seconds, int games) {
  EngineConfig config;
  config.threads = 4;
  config.batch = 4;
  config.memory_mb = kTreeMegabytes + kCacheMegabytes;
  config.cache_mb = kCacheMegabytes;
  Load load(config);
  config.algorithm = "gumbel";
  Load gumbel(config);
  Rng rng(1);
  const auto begin = std::chrono::steady_clock::now();
  std::int64_t warm = 0;
  for (int game = 0; game < 2 * games || seconds_since(begin) < seconds; ++game) {
    if (seconds_since(begin) < seconds / 4 || game < games) warm = resident_bytes();
    (game % 4 == 3 ? gumbel : load).play_a_game(rng);
  }
  return resident_bytes() - warm;
}

TEST_CASE("an engine under load holds memory flat") {
  const std::int64_t rise = rise_under_load(3.0, 4);
  CHECK((kSanitized || rise < 2 * (kTreeMegabytes + kCacheMegabytes) << 20));
}

// GOUNKI_SOAK_SECONDS=3600 tests_mcts "[soak]" is an hour's load.
TEST_CASE("an engine under load for a long time holds memory flat", "[slow][soak]") {
  const char* seconds = std::getenv("GOUNKI_SOAK_SECONDS");
  const std::int64_t rise = rise_under_load(seconds == nullptr ? 60.0 : std::atof(seconds), 1500);
  CHECK((kSanitized || rise < 4 << 20));
}

}  // namespace
}  // namespace gounki::mcts
