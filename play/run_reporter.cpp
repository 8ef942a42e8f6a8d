#include "play/run_reporter.h"

#include <spdlog/fmt/fmt.h>

#include "play/tally_text.h"

namespace gounki::play {

using namespace selfplay;

std::string losses_text(const nn::Losses& losses) {
  return fmt::format("policy {:.3f} (KL {:.3f}), value {:.3f}, plies {:.3f}, reply {:.3f}", losses.policy,
                     losses.policy - losses.policy_entropy, losses.value, losses.plies, losses.reply);
}

std::string quality_text(const Quality& quality) {
  return fmt::format("held out: policy {:.3f} (KL {:.3f}), value {:.3f}, {:.1f} % of results foreseen, "
                     "calibration off by {:.3f}, plies by {:.1f}; {} rows",
                     quality.policy, quality.policy_kl, quality.value, 100 * quality.value_accuracy,
                     quality.calibration_error, quality.plies_error, quality.rows);
}

namespace {

// What the iteration's time went to, for who wants it faster.
std::string limit_text(const IterationFinished& event) {
  const double seconds = event.play_seconds + event.learned.seconds;
  if (seconds <= 0) return "";
  const double playing = 100 * event.play_seconds / seconds;
  return fmt::format("; {:.0f} % of the time self-play ({:.0f} % of that in the network), {:.0f} % learning",
                     playing, 100 * event.played.network_share(), 100 - playing);
}

}  // namespace

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
      "{} games/h, {} moves/s, {} evaluations/s, {:.0f} % of the time in the network, batches {:.0f} % full{}",
      count_text(3600 * event.games_per_second()), count_text(event.moves_per_second()),
      count_text(event.evaluations_per_second()), 100 * event.total.network_share(),
      100 * event.total.batch_fill(), cache_text(event.total));
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
  const auto rate = [&](std::int64_t count) {
    return count_text(event.play_seconds > 0 ? static_cast<double>(count) / event.play_seconds : 0);
  };
  console_.log(fmt::format("iteration {} at {}: {} games in all, {} rows, {} in the window{}", event.iteration,
                           duration_text(60 * event.minutes), event.games, event.rows, event.window,
                           limit_text(event)));
  console_.log(fmt::format(
      "  self-play: {} games in {} ({} White, {} Black, {} draws, {} capped), {} games/h, {} moves/s, "
      "{} evaluations/s, batches {:.0f} % full{}",
      played.games, duration_text(event.play_seconds), played.white_wins, played.black_wins, played.draws,
      played.capped, rate(3600 * played.games), rate(played.moves), rate(played.evaluations),
      100 * played.batch_fill(), cache_text(played)));
  console_.log(fmt::format("  learning: step {} in {}, {:.1f} steps/s, {} samples/s, each row {:.1f} times; {}",
                           event.step, duration_text(event.learned.seconds), event.learned.steps_per_second(),
                           count_text(event.samples_per_second), event.reuse,
                           losses_text(event.learned.losses)));
  if (event.quality.rows > 0) console_.log("  " + quality_text(event.quality));
  if (event.gate)
    console_.log(fmt::format("  gate: {:.1f} % of {} games against the last network; {}",
                             100 * event.gate->score, event.gate->games,
                             event.gate->takes_over ? "it takes over" : "the last network goes on"));
}

}  // namespace gounki::play
