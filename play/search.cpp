// gounki search: one search of a position, as a table.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "core/text.h"
#include "mcts/engine.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/console.h"
#include "play/evaluators.h"
#include "play/interrupt.h"
#include "play/options.h"
#include "play/search_report.h"

namespace gounki::play {
namespace {

// Parameters that have an option of their own, beside --set.
struct DirectOption {
  const char *key, *type, *help;
};
constexpr DirectOption kDirectOptions[] = {
    {"visits", "N", "Simulations; beside --movetime whatever comes first"},
    {"movetime", "MS", "Milliseconds; 0 for no limit"},
    {"threads", "N", "Workers; 0 for as many as there are cores"},
};

struct SearchOptions : PositionOptions {
  std::string evaluator = kDefaultEvaluator;
  std::vector<std::string> settings;
  std::map<std::string, std::string> direct;
  std::string only, exclude;
  std::int64_t seed = 1;
  int lines = 1, rows = 10;
  bool endless = false, json = false;
};

// What the options say about the search itself.
struct Plan {
  mcts::EngineConfig config;
  bool visits_given = false;
  bool endless = false;

  // The number of visits that ends the search, where one does.
  std::optional<int> visits() const {
    if (endless || (config.movetime > 0 && !visits_given)) return std::nullopt;
    return config.visits;
  }
};

Plan make_plan(const SearchOptions& options) {
  Plan plan;
  plan.endless = options.endless;
  set_params(plan.config, options.settings);
  const auto is_set = [&](const std::string& key) {
    return std::any_of(options.settings.begin(), options.settings.end(),
                       [&](const std::string& text) { return text.starts_with(key + "="); });
  };
  for (const auto& [key, value] : options.direct) {
    if (is_set(key)) throw UsageError("--" + key + " and --set " + key + ": give one of them");
    value_or_throw<UsageError>(set_param(plan.config, key, value), "--" + key);
  }
  plan.visits_given = options.direct.contains("visits") || is_set("visits");
  if (plan.endless && (plan.visits_given || plan.config.movetime > 0 || plan.config.nodes > 0))
    throw UsageError("--endless: a limit of visits, nodes or time is also given; leave one out");
  if (!plan.visits() && plan.config.memory_mb == 0)
    plan.config.memory_mb = mcts::half_of_memory_mb();
  value_or_throw<UsageError>(plan.config.check());
  return plan;
}

std::vector<Move> read_moves(const std::string& text, const Game& game, std::string_view option) {
  std::vector<Move> moves;
  for (std::size_t at = 0;;) {
    at = text.find_first_not_of(" \t\n", at);
    if (at == std::string::npos) return moves;
    const std::string place = fmt::format("{}, move {} at character {}", option, moves.size() + 1,
                                          character_number(text, at));
    moves.push_back(
        value_or_throw<Failure>(read_move(text, at, game.position(), game.rules()), place));
  }
}

// The moves that --only and --exclude leave; none where all are left.
std::vector<Move> moves_to_search(const SearchOptions& options, const Game& game) {
  if (options.only.empty() && options.exclude.empty()) return {};
  std::vector<Move> moves = read_moves(options.only, game, "--only");
  const std::vector<Move> excluded = read_moves(options.exclude, game, "--exclude");
  if (moves.empty())
    for (const Move move : game.legal_moves()) moves.push_back(move);
  std::erase_if(moves, [&](Move move) {
    return std::find(excluded.begin(), excluded.end(), move) != excluded.end();
  });
  if (moves.empty()) throw Failure("--exclude leaves no move to search");
  return moves;
}

Json config_json(const SearchOptions& options, const Plan& plan) {
  const auto visits = plan.visits();
  return {{"algorithm", plan.config.algorithm},
          {"visits", visits ? Json(*visits) : Json()},
          {"movetime", plan.config.movetime > 0 ? Json(plan.config.movetime) : Json()},
          {"threads", plan.config.threads},
          {"seed", options.seed}};
}

mcts::Report search(const SearchOptions& options, const Plan& plan, const Game& game,
                    std::shared_ptr<mcts::Evaluator> evaluator) {
  mcts::Request request;
  request.task.moves = moves_to_search(options, game);
  if (plan.visits_given) request.task.visits = plan.config.visits;
  request.endless = plan.endless;
  request.lines = options.lines;

  mcts::Engine engine(plan.config, std::move(evaluator));
  Console console;
  mcts::Watch watch;
  watch.every_seconds = 0.2;
  watch.report = [&](const mcts::Report& report) {
    console.progress(search_progress_text(game, report));
  };
  request.stop = &catch_interrupts().stop;
  return engine.think(game, static_cast<std::uint64_t>(options.seed), request, watch);
}

void run_search(const SearchOptions& options) {
  const Plan plan = make_plan(options);
  const Game game = options.game();
  if (game.is_over()) throw Failure("nothing to search, the game is over: " + outcome_text(game));
  const auto evaluator = evaluator_from_text(options.evaluator, options.seed, options.rules());
  const mcts::Report report = search(options, plan, game, evaluator);

  const std::string position = to_string(game.position());
  if (options.json) {
    Json out = {{"position", position},
                {"evaluator", evaluator->name()},
                {"config", config_json(options, plan)}};
    out.update(search_json(game, report));
    fmt::print("{}\n", out.dump());
    return;
  }
  fmt::print("{}\n{}, {}, {}\n{}", position, outcome_text(game), evaluator->name(),
             plan.config.algorithm, search_text(game, report, options.rows));
}

}  // namespace

void add_search(Program& program) {
  auto options = std::make_shared<SearchOptions>();
  Command command = program.add_command(
      "search", "Search a position once: moves, visits, values, priors, best lines");
  add_position_options(command, *options);
  command.option("--evaluator", options->evaluator, kEvaluatorHelp);
  const mcts::EngineConfig defaults;
  for (const DirectOption& direct : kDirectOptions)
    for (const ParamInfo& param : describe_params(defaults))
      if (param.name == direct.key)
        command.function(
            "--" + param.name,
            [options, key = param.name](const std::string& value) { options->direct[key] = value; },
            direct.help, direct.type, param.value);
  command.flag("--endless", options->endless,
               "Search until Ctrl-C, or until the result is proven");
  command.repeated("--set", options->settings, "Any parameter of the search", "KEY=VALUE");
  command.option("--only", options->only, "Search these moves only, such as \"a2-b3 c1-c2\"",
                 {.type = "MOVES"});
  command.option("--exclude", options->exclude, "Search all moves but these", {.type = "MOVES"});
  command.option("--lines", options->lines, "Best lines to show, each with another first move",
                 {.range = {1, 1000}});
  command.option("--rows", options->rows, "Moves to print", {.range = {1, 1000}});
  command.option("--seed", options->seed, "Of all that is drawn at random", kSeedInfo);
  command.flag("--json", options->json, "Print one JSON object with every move");
  add_device_option(command);
  command.example(
      "gounki search --moves \"a2-b3\" --movetime 5000 --threads 0 --lines 3",
      "Values are for the side to move, from -1 to 1; the bound is the value's lower confidence\n"
      "bound. A proven move says how it ends: \"win in 3\" is a win for the side to move within 3\n"
      "plies. Ctrl-C ends a search and prints what it has found.\n\n"
      "Parameters for --set (name, default, range):\n" +
          params_help(describe_params(defaults)));
  command.run([options] { run_search(*options); });
}

}  // namespace gounki::play
