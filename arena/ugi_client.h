// One engine process that speaks the Universal Game Interface, and what has been said to it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arena/player.h"
#include "arena/process.h"
#include "arena/ugi_lines.h"
#include "core/params.h"

namespace gounki::arena {

struct UgiConfig {
  int movetime = 0;
  std::int64_t nodes = 0;
  int depth = 0;
  int margin_ms = 100;
  int grace_ms = 1000;
  int timeout_ms = 60'000;
  int handshake_ms = 10'000;
  int quit_ms = 1000;
  int restarts = 5;
  std::string log;

  // What is thought for when nothing limits it: milliseconds.
  static constexpr int kDefaultMovetime = 1000;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = UgiConfig;
    visit("movetime", &C::movetime, Range{0, 86'400'000},
          "Milliseconds for each move; 0 for no limit. Without a movetime, nodes, depth or clocks it "
          "is 1000.");
    visit("nodes", &C::nodes, Range{0, 9e15},
          "Nodes for each move, as the engine counts them; 0 for no limit.");
    visit("depth", &C::depth, Range{0, 10'000},
          "Depth for each move, as the engine means it; 0 for no limit.");
    visit("margin_ms", &C::margin_ms, Range{0, 60'000},
          "Milliseconds that a move may come after its time; later is a time loss.");
    visit("grace_ms", &C::grace_ms, Range{0, 600'000},
          "Milliseconds for an answer to stop, sent then; after that the engine is killed for a stall.");
    visit("timeout_ms", &C::timeout_ms, Range{1, 86'400'000},
          "Milliseconds for a move that only nodes or depth limit.");
    visit("handshake_ms", &C::handshake_ms, Range{1, 600'000},
          "Milliseconds for an answer to ugi and to isready.");
    visit("quit_ms", &C::quit_ms, Range{0, 60'000},
          "Milliseconds to end after quit, and again after SIGTERM, before the engine is killed.");
    visit("restarts", &C::restarts, Range{0, 1'000'000},
          "How often it is started anew, in a row without a move between, after it failed.");
    visit("log", &C::log, Range{},
          "File that the engine's standard error is added to; lost without one.");
  }
};

// How an engine failed a turn. After a time loss or an illegal move it can be spoken to; otherwise
// it has to be ended.
struct UgiFault {
  Fault fault;
  std::string text;

  bool ends_process() const { return fault != Fault::TimeLoss && fault != Fault::IllegalMove; }
};

class UgiClient {
 public:
  using Settings = std::vector<std::pair<std::string, std::string>>;

  // Starts nothing. `settings` are the engine's own options, names and values.
  UgiClient(const UgiConfig& config, std::vector<std::string> command, Settings settings);
  // Ends the process as quit() and finish() do.
  ~UgiClient();

  bool running() const { return process_ != nullptr; }
  // Starts the process, up to its first readyok. Throws a UgiFault, also when it has not an option
  // that is to be set.
  void start();
  // Whether the game goes on from the turn answered last: with the move chosen then, and one more.
  bool follows(const Game& game) const;
  // Whether the process answers, when nothing else is asked of it.
  bool answers();
  // Throws a UgiFault.
  Choice choose(const Turn& turn);

  // Asks the process to end, without waiting.
  void quit();
  // Waits for the end, `quit_ms` and again after SIGTERM, then kills.
  void finish();
  // For a process that failed: ends it without much patience.
  void kill();

 private:
  void say(const std::string& line);
  // Reads lines until one is the one that is waited for; false when it does not come in time. Throws
  // a UgiFault for what ends a process.
  bool read_until(Deadline deadline,
                  const std::function<bool(const std::vector<std::string>&)>& is_last);
  void wait_for(const std::string& answer);
  void set_options();
  void greet();
  void set_position(const Game& game);
  std::string best_move(const Turn& turn, Choice& choice);

  const UgiConfig config_;
  const std::vector<std::string> command_;
  const Settings settings_;

  std::unique_ptr<Process> process_;
  std::vector<UgiOption> options_;
  std::string doing_;           // what was said last, for the text of a fault
  std::size_t received_ = 0;    // bytes since then
  std::optional<Game> last_;    // the game answered last, with the move chosen
};

}  // namespace gounki::arena
