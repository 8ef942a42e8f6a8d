#include "play/run_reporter.h"

#include <spdlog/fmt/fmt.h>

#include "play/tally_text.h"

namespace gounki::play {

using namespace selfplay;

std::string losses_text(const nn::Losses& losses) {
  return fmt::format("policy {:.3f}, value {:.3f}, plies {:.3f}", losses.policy, losses.value,
                     losses.plies);
}

std::string cache_text(const PlayStats& stats) {
  if (stats.cache_lookups == 0) return "";
  return fmt::format(", {:.0f} % of positions from the cache", 100 * stats.cache_hit_share());
}

std::string evaluation_text(const Evaluated& evaluated, std::size_t width) {
  return fmt::format("{:<{}}  {}; {}", evaluated.opponent, width,
                     tally_text(evaluated.result.total()), arena::to_string(evaluated.strength));
}

Events RunReporter::events() {
  Events events;
  events.started = [this](const Started& event) { started(event); };
  events.group_finished = [this](const GroupFinished& event) { group_finished(event); };
  events.learner_progress = [this](const LearnerProgress& event) { learner_progress(event); };
  events.iteration_finished = [this](const IterationFinished& event) { iteration_finished(event); };
  events.evaluating = [this](const arena::MatchProgress& p, const std::string& opponent) {
    console_.progress(progress_text("against " + opponent, p.games, p.games_total, "games",
                                    p.seconds));
  };
  events.evaluated = [this](const Evaluated& event) {
    console_.log(fmt::format("step {} against {}", event.step, evaluation_text(event, 0)));
  };
  events.damaged = [this](const std::string& text) { console_.log("left out: " + text); };
  events.note = [this](const std::string& text) { console_.log(text); };
  return events;
}

void RunReporter::started(const Started& event) {
  console_.log(fmt::format("{}; {} thread{}", event.device, event.threads,
                           event.threads == 1 ? "" : "s"));
  console_.log(event.resumed || event.games > 0
                   ? fmt::format("{}: goes on with iteration {} after {} games and {} steps",
                                 event.run.string(), event.iteration, event.games, event.steps)
                   : fmt::format("{}: begins", event.run.string()));
}

void RunReporter::group_finished(const GroupFinished& event) {
  const std::string rates = fmt::format(
      "{:.1f} games/s, {} moves/s, {} evaluations/s, {:.0f} % of the time in the network{}",
      event.games_per_second(), count_text(event.moves_per_second()),
      count_text(event.evaluations_per_second()), 100 * event.total.network_share(),
      cache_text(event.total));
  if (event.groups == 0) {
    console_.progress(fmt::format("self-play: {} games, {}", event.total.games, rates));
    return;
  }
  const double left = event.groups_done > 0
                          ? event.seconds * (event.groups - event.groups_done) / event.groups_done
                          : 0.0;
  console_.progress(fmt::format("self-play: {} of {} groups, {}, {} left", event.groups_done,
                                event.groups, rates, duration_text(left)));
}

void RunReporter::learner_progress(const LearnerProgress& event) {
  console_.progress(fmt::format("learning: step {} of {}, {}, {} samples/s", event.step,
                                event.last_step, losses_text(event.losses),
                                count_text(event.samples_per_second)));
}

void RunReporter::iteration_finished(const IterationFinished& event) {
  const PlayStats& played = event.played;
  console_.log(fmt::format(
      "iteration {} at {}: {} games in {} ({} White, {} Black, {} draws, {} capped), "
      "{} evaluations/s{}; step {} in {}, {}, {} samples/s, {} rows in the window",
      event.iteration, duration_text(60 * event.minutes), played.games,
      duration_text(event.play_seconds), played.white_wins, played.black_wins, played.draws,
      played.capped,
      count_text(event.play_seconds > 0 ? static_cast<double>(played.evaluations) / event.play_seconds
                                        : 0),
      cache_text(played), event.step, duration_text(event.learn_seconds), losses_text(event.losses),
      count_text(event.samples_per_second), event.window));
}

}  // namespace gounki::play
