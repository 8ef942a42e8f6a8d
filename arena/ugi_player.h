// Another program as a player: an engine that speaks the Universal Game Interface (docs/ugi.md).
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "arena/player.h"
#include "arena/ugi_client.h"

namespace gounki::arena {

class UgiPlayer : public Player {
 public:
  // Starts nothing yet.
  UgiPlayer(const UgiConfig& config, std::vector<std::string> command,
            UgiClient::Settings settings, std::string name);
  ~UgiPlayer() override;

  // Starts a first process, which the first turn will use. The error says why none can be, or why
  // an option cannot be set.
  Expected<void> prepare();

  // One turn after another; turns chosen at the same time have a process each. What an engine does
  // wrong ends in the choice's fault; after a crash, a stall or garbage a later turn starts it anew.
  void choose(std::span<const Turn> turns, std::span<Choice> choices) override;
  std::string name() const override { return name_; }
  bool wants_whole_games() const override { return true; }
  int restarts() const override;

 private:
  Choice choose(const Turn& turn);
  std::optional<Choice> fault_of_giving_up() const;
  void start(UgiClient& client);
  std::unique_ptr<UgiClient> borrow(const Game& game);
  void give_back(std::unique_ptr<UgiClient> client);

  const UgiConfig config_;
  const std::vector<std::string> command_;
  const UgiClient::Settings settings_;
  const std::string name_;

  mutable std::mutex mutex_;                      // guards all below
  std::vector<std::unique_ptr<UgiClient>> idle_;  // one for each thread that ever chose at once
  int restarts_ = 0;
  int failures_ = 0;    // in a row, without a move between
  int to_replace_ = 0;  // processes that failed and were not started anew yet
};

}  // namespace gounki::arena
