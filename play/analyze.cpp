// gounki analyze: queries in, analyses out, many positions at once; or the analysis of a game record.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <deque>
#include <memory>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/record.h"
#include "mcts/engine.h"
#include "mcts/workers.h"
#include "play/analyze_record.h"
#include "play/analyze_session.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/console.h"
#include "play/evaluators.h"
#include "play/interrupt.h"
#include "play/line_reader.h"
#include "play/options.h"

namespace gounki::play {
namespace {

constexpr std::size_t kMostLine = 1 << 20;  // bytes

struct AnalyzeOptions : RulesOptions {
  std::string evaluator = kDefaultEvaluator;
  std::vector<std::string> settings;
  std::string visits, record, perspective = "sidetomove";
  std::int64_t seed = 1;
  int parallel = 16, threads = 0, queue = 1000, cache_mb = 0, game = 0;
  bool json = false;
};

AnalysisSetup make_setup(const AnalyzeOptions& options) {
  AnalysisSetup setup;
  AnalysisDefaults& defaults = setup.defaults;
  set_params(defaults.config, options.settings);
  if (!options.visits.empty()) {
    for (const std::string& text : options.settings)
      if (text.starts_with("visits="))
        throw UsageError("--visits and --set visits: give one of them");
    value_or_throw<UsageError>(set_param(defaults.config, "visits", options.visits), "--visits");
  }
  value_or_throw<UsageError>(defaults.config.check());
  // Whoever asks for too many visits gets a full tree, not a machine without memory.
  if (defaults.config.memory_mb == 0)
    defaults.config.memory_mb = std::max(1, mcts::half_of_memory_mb() / options.parallel);
  defaults.rules = options.rules();
  const int threads = options.threads > 0 ? options.threads : mcts::core_count();
  setup.limits = {threads, options.parallel, options.queue};
  setup.evaluator = options.evaluator;
  setup.seed = options.seed;
  setup.cache_mb = options.cache_mb;
  setup.perspective = perspective_from(options.perspective);
  return setup;
}

void answer_queries(const AnalysisSetup& setup) {
  const std::atomic<bool>& stop = catch_interrupts().stop;
  AnalysisSession session(setup, [](const std::string& line) {
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fflush(stdout);
  });
  LineReader reader(0, kMostLine);
  std::string line;
  for (;;) {
    const LineReader::Got got = reader.next(line, stop);
    if (got == LineReader::Got::End) break;
    if (got == LineReader::Got::TooLong)
      session.refuse(fmt::format("a line of more than {} bytes", kMostLine));
    else if (line.find_first_not_of(" \t\r") != std::string::npos)
      session.take(line, stop);
    if (std::ferror(stdout)) return;  // nobody hears us: main() says so
  }
  session.finish(stop);
}

// A game whose positions are searched.
struct GameWork {
  GameWork(int number, GameRecord read)
      : number(number), record(std::move(read)), game(std::make_shared<Game>(record.replay())),
        judgements(game->positions().size()), left(static_cast<int>(judgements.size())) {}

  int number;
  GameRecord record;
  std::shared_ptr<const Game> game;
  std::vector<Judgement> judgements;
  std::mutex mutex;
  std::string error;         // guarded
  std::atomic<int> left;     // positions without a judgement
};

class RecordAnalysis {
 public:
  RecordAnalysis(const AnalyzeOptions& options, const AnalysisSetup& setup)
      : options_(options), setup_(setup), evaluators_(setup_), scheduler_(setup.limits) {}

  void run() {
    const std::string text = read_record_file(options_.record);
    const std::vector<std::string_view> games = split_records(text);
    if (options_.game > static_cast<int>(games.size()) || games.empty())
      throw Failure(fmt::format("{}: holds {} games", options_.record, games.size()));
    for (int number = 1; number <= static_cast<int>(games.size()) && !stop_; ++number) {
      if (options_.game != 0 && number != options_.game) continue;
      auto record = parse_record(games[static_cast<std::size_t>(number - 1)], options_.rules());
      if (!record)
        throw Failure(fmt::format("{}: game {}: {}", options_.record, number,
                                  record.error().message));
      submit(number, std::move(*record));
      print_finished();
    }
    while (!waiting_.empty() && !stop_) {
      scheduler_.wait(std::chrono::milliseconds(50));
      print_finished();
    }
    if (stop_) throw Failure(fmt::format("{}: stopped; {} games were analysed", options_.record, printed_));
  }

 private:
  void submit(int number, GameRecord record) {
    waiting_.push_back(std::make_shared<GameWork>(number, std::move(record)));
    const std::shared_ptr<GameWork> work = waiting_.back();
    const auto last = work->game->moves().size();
    const auto evaluator = evaluators_.for_rules(work->game->rules());
    positions_ += static_cast<int>(last) + 1;
    for (std::size_t turn = 0; turn <= last; ++turn) {
      if (turn == last && work->game->is_over()) {
        work->judgements[turn] = judgement_of_end(*work->game);
        count(*work);
        continue;
      }
      AnalysisJob job;
      job.game = work->game;
      job.turn = static_cast<int>(turn);
      job.config = setup_.defaults.config;
      job.batch = setup_.defaults.config.batch;
      job.seed = static_cast<std::uint64_t>(setup_.seed);
      job.evaluator = evaluator;
      job.tell = [this, work](const AnalysisNews& news) { take(*work, news); };
      scheduler_.submit(std::move(job), &stop_);
      show_progress();
    }
  }

  // In a worker.
  void take(GameWork& work, const AnalysisNews& news) {
    if (news.result != nullptr) {
      work.judgements[static_cast<std::size_t>(news.job.turn)] = judgement_of(*news.result);
    } else if (news.kind == AnalysisNews::Kind::Failed) {
      const std::lock_guard lock(work.mutex);
      work.error = news.error;
    }
    count(work);
  }
  void count(GameWork& work) {
    ++done_;
    --work.left;
  }

  void show_progress() {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    console_.progress(progress_text("analyze", done_, positions_, "positions", spent.count()));
  }

  // Those that are finished and whose predecessors are.
  void print_finished() {
    show_progress();
    for (; !waiting_.empty() && waiting_.front()->left == 0 && !stop_; waiting_.pop_front()) {
      GameWork& work = *waiting_.front();
      const std::lock_guard lock(work.mutex);
      if (!work.error.empty())
        throw Failure(fmt::format("{}: game {}: {}", options_.record, work.number, work.error));
      const GameReview result = review(*work.game, std::move(work.judgements));
      if (options_.json) {
        fmt::print("{}", line_of(review_json(work.number, work.record, result, setup_.perspective)));
      } else {
        if (printed_ > 0) fmt::print("\n");
        fmt::print("game {}, {} with {} visits, ", work.number, evaluators_.name(),
                   setup_.defaults.config.visits);
        fmt::print("{}", review_text(work.record, result, setup_.perspective));
      }
      ++printed_;
    }
  }

  const AnalyzeOptions& options_;
  const AnalysisSetup& setup_;
  const std::atomic<bool>& stop_ = catch_interrupts().stop;
  AnalysisEvaluators evaluators_;
  Console console_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<int> done_ = 0;
  int positions_ = 0, printed_ = 0;
  std::deque<std::shared_ptr<GameWork>> waiting_;
  AnalysisScheduler scheduler_;  // last, so that its workers end before what they use
};

void run_analyze(const AnalyzeOptions& options) {
  if (options.record.empty() && (options.json || options.game != 0))
    throw UsageError("--json and --game go with --record; queries are always answered in JSON");
  const AnalysisSetup setup = make_setup(options);
  if (options.record.empty()) answer_queries(setup);
  else RecordAnalysis(options, setup).run();
}

}  // namespace

void add_analyze(Program& program) {
  auto options = std::make_shared<AnalyzeOptions>();
  Command command = program.add_command(
      "analyze", "Answer JSON queries, many positions at once; or analyse a game record");
  command.option("--evaluator", options->evaluator, kEvaluatorHelp);
  command.option("--visits", options->visits, "Simulations for each position, 400 unless given",
                 {.type = "N"});
  command.repeated("--set", options->settings, "Any parameter of the search", "KEY=VALUE");
  command.option("--parallel", options->parallel, "Positions that are searched at once",
                 {.range = {1, 4096}});
  command.option("--threads", options->threads, "Workers; 0 for as many as there are cores",
                 {.range = {0, 1024}});
  command.option("--queue", options->queue, "Positions that may wait before no more is read",
                 {.range = {1, 1e6}});
  command.option("--cache-mb", options->cache_mb,
                 "Megabytes in which evaluations are remembered; 0 for none", {.range = {0, 1e6}});
  command.option("--perspective", options->perspective, "For whom values speak",
                 {.choices = {"sidetomove", "white", "black"}});
  command.option("--seed", options->seed, "Of all that is drawn at random", kSeedInfo);
  command.option("--record", options->record, "Analyse the games of this file, move by move",
                 {.type = "FILE"});
  command.option("--game", options->game, "Only the record's game of this number",
                 {.range = {0, 1e9}});
  command.flag("--json", options->json, "Print one JSON object a line, one for each game");
  add_rules_options(command, *options);
  add_device_option(command);
  command.example(
      "gounki analyze --record game.pgn --visits 2000",
      "Queries are JSON objects, one a line, on the standard input, such as\n"
      "  {\"id\": \"a\", \"moves\": [\"a2-b3\"], \"maxVisits\": 1000, \"analyzeTurns\": [0, 1]}\n"
      "docs/analysis.md has all fields. The end of the input waits for all answers, Ctrl-C for none.\n\n"
      "Parameters for --set (name, default, range):\n" +
          params_help(describe_params(AnalysisConfig())));
  command.run([options] { run_analyze(*options); });
}

}  // namespace gounki::play
