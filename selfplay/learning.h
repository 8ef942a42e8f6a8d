// The learner of a run: its state on disk, and steps over the replay window.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "nn/network.h"
#include "selfplay/events.h"
#include "selfplay/run_folder.h"
#include "selfplay/window.h"

namespace gounki::selfplay {

class RunLearner {
 public:
  // The learner as `learner.safetensors` has it, or a new one. A file that cannot be read is told,
  // put aside as "learner.safetensors.damaged", and learning begins anew with the samples there
  // are.
  RunLearner(const RunFolder& run, const RunConfig& config, nn::Backend& backend, int threads,
             const Events& events);

  nn::Learner& learner() { return *learner_; }
  std::int64_t steps() const { return learner_->steps(); }
  bool restored() const { return restored_; }

  // Where `train` stands, kept with the learner's state: the iteration that goes on, and the
  // learner steps of the network that plays it.
  std::int64_t iteration = 0;
  std::int64_t play_step = 0;

  // Steps until steps() is `target`, over the window's rows. Saves everything on the way whenever
  // the steps are a multiple of save_steps. An interrupt of any level ends it after the step under
  // way. Throws a Failure that names the saved batch when a loss is not finite.
  StepsTaken learn_until(std::int64_t target, const ReplayWindow& window,
                         const std::atomic<int>& stop);

  // The learner's whole state, for going on to the same bits.
  void save_state() const;
  // The checkpoint for players, served and held against the learned network first (nn/parity.h).
  void save_checkpoint();

 private:
  void restore(nn::Backend& backend, int threads);
  nn::Losses step(const ReplayWindow& window);
  void check_parity();

  const RunFolder& run_;
  const RunConfig& config_;
  nn::Backend& backend_;
  const Events& events_;
  std::vector<float> last_planes_;  // some of the last batch's
  std::unique_ptr<nn::Learner> learner_;
  bool restored_ = false;
};

// Writes the learner's checkpoint into the run and returns its path.
std::filesystem::path save_checkpoint(const RunFolder& run, const RunConfig& config,
                                      const nn::Learner& learner);

}  // namespace gounki::selfplay
