// Alpha-beta search as a player.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "arena/alphabeta.h"
#include "arena/player.h"

namespace gounki::arena {

class AlphaBetaPlayer : public Player {
 public:
  // The config's depth limits every search; with depth_too false only those that neither a limit of
  // nodes or time nor a clock ends.
  AlphaBetaPlayer(const AlphaBetaConfig& config, std::string name, bool depth_too = true);
  void choose(std::span<const Turn> turns, std::span<Choice> choices) override;
  std::string name() const override { return name_; }

 private:
  AlphaBetaConfig limits(const Turn& turn) const;
  std::unique_ptr<AlphaBeta> borrow();
  void give_back(std::unique_ptr<AlphaBeta> search);

  AlphaBetaConfig config_;
  std::string name_;
  bool depth_too_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<AlphaBeta>> idle_;  // one for each thread that ever chose at once
};

}  // namespace gounki::arena
