// What training, self-play and learning say on stderr while they go on.
#pragma once

#include <string>

#include "play/console.h"
#include "selfplay/events.h"

namespace gounki::play {

class RunReporter {
 public:
  // The events to hand to the work; they refer to this object.
  selfplay::Events events();
  Console& console() { return console_; }

 private:
  void started(const selfplay::Started& event);
  void group_finished(const selfplay::GroupFinished& event);
  void learner_progress(const selfplay::LearnerProgress& event);
  void iteration_finished(const selfplay::IterationFinished& event);

  Console console_;
};

// "policy 2.310 (KL 0.312), value 0.610, plies 0.021, reply 2.201".
std::string losses_text(const nn::Losses& losses);
// ", 31 % of positions from the cache", or nothing where there was no cache.
std::string cache_text(const selfplay::PlayStats& stats);
// "held out: policy 2.310 (KL 0.312), value 0.610, …", for a network that was measured.
std::string quality_text(const selfplay::Quality& quality);
// A network's result against one opponent, as a line of a table whose first column is `width` wide.
std::string evaluation_text(const selfplay::Evaluated& evaluated, std::size_t width);

}  // namespace gounki::play
