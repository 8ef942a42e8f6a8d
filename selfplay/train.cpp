#include "selfplay/train.h"

#include <algorithm>
#include <chrono>
#include <ratio>
#include <string>
#include <utility>

#include "core/files.h"
#include "selfplay/evaluation.h"
#include "selfplay/learning.h"
#include "selfplay/metrics.h"
#include "selfplay/network.h"
#include "selfplay/play_games.h"
#include "selfplay/quality.h"
#include "selfplay/run_folder.h"
#include "selfplay/window.h"

namespace gounki::selfplay {
namespace {

using Json = nlohmann::ordered_json;

// What an earlier line of the metrics says; 0 where it says nothing.
double minutes_of(const nlohmann::json& line) {
  const auto minutes = line.find("minutes");
  return minutes != line.end() && minutes->is_number() ? minutes->get<double>() : 0;
}

// Minutes that the run has taken, over all its processes. A killed process is counted up to the
// last line that it wrote.
class RunClock {
 public:
  explicit RunClock(const std::vector<nlohmann::json>& metrics) {
    for (const auto& line : metrics) before_ = std::max(before_, minutes_of(line));
  }
  double minutes() const {
    const std::chrono::duration<double, std::ratio<60>> now = Clock::now() - begin_;
    return before_ + now.count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  double before_ = 0;
  Clock::time_point begin_ = Clock::now();
};

Json losses_json(const nn::Losses& losses) {
  Json json;
  nn::Losses::for_each([&](const char* name, auto field) { json[name] = losses.*field; });
  return json;
}

Json gate_json(const std::optional<GateResult>& gate) {
  if (!gate) return nullptr;
  return {{"games", gate->games}, {"score", gate->score}, {"takes_over", gate->takes_over}};
}

Json evaluation_json(const Evaluated& evaluated, double minutes) {
  const arena::Tally total = evaluated.result.total();
  return {{"type", "evaluation"},
          {"step", evaluated.step},
          {"opponent", evaluated.opponent},
          {"games", total.games()},
          {"wins", total.wins},
          {"draws", total.draws},
          {"losses", total.losses},
          {"score", evaluated.strength.score},
          {"elo", evaluated.strength.elo},
          {"elo_low", evaluated.strength.elo_low},
          {"elo_high", evaluated.strength.elo_high},
          {"los", evaluated.strength.los},
          {"capped", evaluated.result.capped()},
          {"minutes", minutes}};
}

Json iteration_json(const IterationFinished& iteration) {
  const PlayStats& played = iteration.played;
  return {{"type", "iteration"},
          {"iteration", iteration.iteration},
          {"step", iteration.step},
          {"games", iteration.games},
          {"rows", iteration.rows},
          {"window", iteration.window},
          {"losses", losses_json(iteration.learned.losses)},
          {"held_out", quality_json(iteration.quality)},
          {"gate", gate_json(iteration.gate)},
          {"played",
           {{"games", played.games},
            {"moves", played.moves},
            {"white_wins", played.white_wins},
            {"black_wins", played.black_wins},
            {"draws", played.draws},
            {"capped", played.capped},
            {"evaluations", played.evaluations},
            {"network_share", played.network_share()},
            {"batch_fill", played.batch_fill()},
            {"cache_hit_share", played.cache_hit_share()},
            {"seconds", iteration.play_seconds}}},
          {"learn_seconds", iteration.learned.seconds},
          {"learn_steps", iteration.learned.steps},
          {"learning_rate", iteration.learned.learning_rate},
          {"samples_per_second", iteration.samples_per_second},
          {"reuse", iteration.reuse},
          {"minutes", iteration.minutes}};
}

// The same events, with the damaged files counted.
Events counting(const Events& events, std::int64_t& damaged) {
  Events counted = events;
  counted.damaged = [&damaged, tell_damaged = events.damaged](const std::string& text) {
    ++damaged;
    tell(tell_damaged, text);
  };
  return counted;
}

// Needs the learner's lock.
class Trainer {
 public:
  Trainer(const RunFolder& run, const RunConfig& config, nn::Backend& backend, Yardstick& yardstick,
          const Events& events, const std::atomic<int>& stop)
      : run_(run), config_(config), backend_(backend), yardstick_(yardstick),
        events_(counting(events, summary_.damaged)), stop_(stop), threads_(thread_count(config)),
        metrics_(run.metrics_path()), earlier_(read_metrics(run.metrics_path())), clock_(earlier_),
        learner_(run, config, backend, threads_, events_),
        window_(run, config.replay, static_cast<std::uint64_t>(config.run.seed), events_.damaged) {}

  TrainSummary run();

 private:
  void begin();
  void mend_checkpoint();
  void iterate();
  void play_iteration();
  void learn_iteration();
  void finish_iteration();
  PlayingNetwork playing_network();
  std::string limit() const;
  bool evaluation_is_due() const;
  std::vector<Evaluated> evaluate();

  bool interrupted() const { return stop_.load() != kGoOn; }
  // Games of the first `iterations` iterations.
  std::int64_t games_of(std::int64_t iterations) const {
    return iterations * config_.selfplay.groups_per_iteration * config_.selfplay.games_per_group;
  }
  std::int64_t end_group() const {
    return (learner_.iteration + 1) * config_.selfplay.groups_per_iteration;
  }

  const RunFolder& run_;
  const RunConfig& config_;
  nn::Backend& backend_;
  Yardstick& yardstick_;
  TrainSummary summary_;
  const Events events_;
  const std::atomic<int>& stop_;
  const int threads_;
  MetricsLog metrics_;
  const std::vector<nlohmann::json> earlier_;
  RunClock clock_;
  RunLearner learner_;
  ReplayWindow window_;

  PlayTotals played_;  // in this iteration
  StepsTaken learned_;
  double last_iteration_ = 0;   // minutes that it took
  double last_evaluation_ = 0;  // minutes of the run at its end
};

TrainSummary Trainer::run() {
  begin();
  summary_.reason = limit();
  while (summary_.reason.empty() && !interrupted()) {
    const double began = clock_.minutes();
    iterate();
    last_iteration_ = clock_.minutes() - began;
    summary_.reason = limit();
    if (summary_.reason.empty() && evaluation_is_due()) evaluate();
  }
  summary_.minutes = clock_.minutes();
  if (!interrupted()) summary_.evaluation = evaluate();
  if (interrupted()) summary_.reason = "interrupt";
  summary_.iterations = learner_.iteration;
  summary_.steps = learner_.steps();
  summary_.games = games_of(learner_.iteration);
  metrics_.append({{"type", "stop"},
                   {"reason", summary_.reason},
                   {"iteration", summary_.iterations},
                   {"step", summary_.steps},
                   {"games", summary_.games},
                   {"minutes", summary_.minutes}});
  metrics_.sync();
  return std::move(summary_);
}

void Trainer::begin() {
  run_.tidy();
  write_file_atomically(run_.config_path(), to_toml(config_));
  const Started started{run_.path(),        backend_.description(), threads_, learner_.restored(),
                        learner_.iteration, learner_.steps(), games_of(learner_.iteration)};
  tell(events_.started, started);
  metrics_.append({{"type", "start"},
                   {"iteration", started.iteration},
                   {"step", started.steps},
                   {"games", started.games},
                   {"threads", threads_},
                   {"device", started.device},
                   {"minutes", clock_.minutes()}});
  mend_checkpoint();

  bool evaluated = false;
  for (const auto& line : earlier_)
    if (const auto type = line.find("type"); type != line.end() && *type == "evaluation") {
      evaluated = true;
      last_evaluation_ = minutes_of(line);
    }
  if (config_.evaluate.at_start && !evaluated && learner_.steps() == 0) evaluate();
}

// Writes the checkpoint of the playing network where it is missing or damaged, from the learner.
void Trainer::mend_checkpoint() {
  if (learner_.steps() != learner_.play_step) return;
  const auto path = nn::checkpoint_path(run_.path(), learner_.play_step);
  const bool exists = std::filesystem::exists(path);
  const auto checkpoint = exists ? nn::load_checkpoint(path) : fail("");
  if (checkpoint) return;
  if (exists) tell(events_.damaged, checkpoint.error().message + "; written again");
  learner_.save_checkpoint();
}

void Trainer::iterate() {
  play_iteration();
  if (!interrupted()) learn_iteration();
}

void Trainer::play_iteration() {
  const std::int64_t end = end_group();
  const std::int64_t first = end - config_.selfplay.groups_per_iteration;
  played_ = {};
  bool missing = false;
  for (std::int64_t group = first; group < end; ++group) missing |= !run_.has_group(group);
  if (!missing) return;
  played_ = play_groups(run_, config_, playing_threads(backend_, threads_), first, end,
                        playing_network(), events_, stop_);
}

PlayingNetwork Trainer::playing_network() {
  if (learner_.steps() == learner_.play_step)
    return serve(backend_, learner_.learner().checkpoint());
  const auto path = nn::checkpoint_path(run_.path(), learner_.play_step);
  if (const auto checkpoint = nn::load_checkpoint(path)) return serve(backend_, *checkpoint);
  return NewestNetwork(run_, backend_, events_).get();
}

void Trainer::learn_iteration() {
  window_.refresh(end_group());
  if (window_.total_rows() < config_.replay.rows_to_start)
    tell(events_.note, "no learning yet: " + window_.state_text());
  const std::int64_t allowed =
      steps_allowed(config_.replay, config_.learner.batch, window_.total_rows());
  const std::int64_t target =
      config_.run.steps > 0 ? std::min(allowed, config_.run.steps) : allowed;
  learned_ = learner_.learn_until(target, window_, stop_);
  if (stop_.load() >= kStopAtOnce) return;
  if (learner_.steps() >= allowed) return finish_iteration();
  // An interrupt or the limit of steps: the iteration goes on when the run does.
  if (!interrupted()) learner_.save_checkpoint();
  learner_.save_state();
}

void Trainer::finish_iteration() {
  IterationFinished event;
  const nn::Checkpoint learned = learner_.learner().checkpoint();
  if (config_.gate.games > 0 && learner_.steps() > learner_.play_step) {
    event.gate = play_gate(config_, threads_, serve(backend_, learned), playing_network(), events_, stop_);
    if (!event.gate) return learner_.save_state();  // interrupted; the match is played again
  }
  event.iteration = learner_.iteration++;
  event.step = learner_.steps();
  if (!event.gate || event.gate->takes_over) {
    learner_.play_step = learner_.steps();
    learner_.save_checkpoint();
  }
  event.games = games_of(learner_.iteration);
  event.rows = window_.total_rows();
  event.window = window_.rows();
  event.played = played_.stats;
  event.play_seconds = played_.seconds;
  event.learned = learned_;
  event.samples_per_second = learned_.steps_per_second() * config_.learner.batch;
  event.reuse = event.rows > 0 ? static_cast<double>(event.step * config_.learner.batch) /
                                     static_cast<double>(event.rows)
                               : 0;
  event.quality = measure_quality(*backend_.serve(learned), window_.held_out(kQualityRows));
  event.minutes = clock_.minutes();
  // The line comes before the state: a kill between them leaves it twice, never out.
  metrics_.append(iteration_json(event));
  metrics_.sync();
  learner_.save_state();
  tell(events_.iteration_finished, event);
}

std::string Trainer::limit() const {
  const RunSection& run = config_.run;
  if (run.iterations > 0 && learner_.iteration >= run.iterations) return "iterations";
  if (run.games > 0 && games_of(learner_.iteration) >= run.games) return "games";
  if (run.steps > 0 && learner_.steps() >= run.steps) return "steps";
  // An iteration begins when at least half of it is to be expected before the limit.
  if (run.minutes > 0 && clock_.minutes() + last_iteration_ / 2 >= run.minutes) return "minutes";
  return "";
}

bool Trainer::evaluation_is_due() const {
  return config_.evaluate.every_minutes > 0 &&
         clock_.minutes() - last_evaluation_ >= config_.evaluate.every_minutes;
}

std::vector<Evaluated> Trainer::evaluate() {
  if (!yardstick_.wanted()) return {};
  auto results =
      yardstick_.evaluate(serve(backend_, learner_.learner().checkpoint()), events_, stop_);
  if (!results) return {};
  last_evaluation_ = clock_.minutes();
  for (const Evaluated& result : *results)
    metrics_.append(evaluation_json(result, last_evaluation_));
  metrics_.sync();
  return std::move(*results);
}

}  // namespace

TrainSummary train(const std::filesystem::path& path, const std::optional<RunConfig>& given,
                   nn::Backend& backend, const Events& events, const std::atomic<int>& stop) {
  const RunFolder run(path);
  const RunConfig config = effective_config(run, given);
  Yardstick yardstick(config, thread_count(config));
  prepare(run, config);
  const FileLock lock = run.lock_learner();
  return Trainer(run, config, backend, yardstick, events, stop).run();
}

}  // namespace gounki::selfplay
