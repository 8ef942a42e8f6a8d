// A process that the tests start beside themselves, and kill: `child play DIR` plays five groups,
// `child train DIR` trains a small run to its end, both with the fake backend.
#include <atomic>
#include <cstdio>
#include <exception>
#include <string>

#include "fake_backend.h"
#include "selfplay/play_games.h"
#include "selfplay/train.h"
#include "support.h"

int main(int argc, char** argv) {
  using namespace gounki::selfplay;
  if (argc != 3) return 2;
  fake::Backend backend;
  const std::atomic<int> stop{0};
  try {
    if (std::string(argv[1]) == "play")
      play_games(argv[2], support::tiny_config(), {5, 1}, backend, {}, stop);
    else
      train(argv[2], support::config_to_kill(), backend, {}, stop);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
