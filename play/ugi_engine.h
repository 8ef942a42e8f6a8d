// Our engine in a conversation of the Universal Game Interface (docs/ugi.md).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "core/game.h"
#include "mcts/engine.h"
#include "play/ugi_go.h"
#include "play/ugi_settings.h"

namespace gounki::play {

class UgiEngine {
 public:
  // Gets whole lines, without their ends; called by one thread at a time, but also by a search's.
  using Say = std::function<void(const std::string&)>;

  // Throws a UsageError or a Failure when the settings are wrong, or name no evaluator.
  UgiEngine(const UgiSettings& settings, const Rules& rules, Say say);
  // Stops a search under way.
  ~UgiEngine();
  UgiEngine(const UgiEngine&) = delete;
  UgiEngine& operator=(const UgiEngine&) = delete;

  // Answers a line; a search goes on after that by itself. Whatever is wrong with the line is said,
  // and nothing has changed then. False when the line is "quit".
  bool hear(std::string_view line);
  // Ends a search under way; its bestmove has been said when this returns.
  void stop();
  // Says that something is wrong.
  void complain(std::string what);

 private:
  using Words = std::span<const std::string>;
  struct Command;
  static const Command kCommands[];
  void obey(Words words);

  void introduce(Words words);
  void set_option(Words words);
  void get_ready(Words words);
  void begin_game(Words words);
  void set_position(Words words);
  void go(Words words);
  void stop_search(Words words);
  void ponder_hit(Words words);
  void answer_query(Words words);

  mcts::Engine& engine();
  void search(const UgiGo& go, const Game& game, std::uint64_t seed);
  mcts::Report think(const UgiGo& go, const Game& game, std::uint64_t seed);
  void say_lines(const Game& game, const mcts::Report& report);
  void say(const std::string& line);

  UgiSettings settings_;
  const Rules rules_;
  std::shared_ptr<mcts::Evaluator> evaluator_;
  std::unique_ptr<mcts::Engine> engine_;  // made when it is first needed, and after options changed
  Game game_;
  std::uint64_t games_ = 0;

  std::mutex say_mutex_;
  const Say say_;

  std::thread thread_;                   // of the search under way, or of the last one
  std::atomic<bool> searching_ = false;  // from "go" until just before its bestmove is said
  std::atomic<bool> interrupt_ = false;  // ends what the engine thinks about
  std::mutex mutex_;                     // guards what follows
  std::condition_variable changed_;
  bool stopped_ = false;    // the search is to end
  bool pondering_ = false;  // until the opponent plays the move that was guessed
};

}  // namespace gounki::play
