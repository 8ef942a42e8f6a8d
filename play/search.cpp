// gounki search: one search of a position, as a table.
#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "mcts/evaluators.h"
#include "mcts/search.h"
#include "nn/network_evaluator.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/console.h"
#include "play/options.h"

namespace gounki::play {
namespace {

struct SearchOptions : PositionOptions {
  std::string evaluator = "handcrafted";
  std::vector<std::string> settings;
  std::int64_t seed = 1;
  int batch = 1;
  int rows = 10;
  bool json = false;
};

std::shared_ptr<mcts::Evaluator> make_evaluator(const SearchOptions& options) {
  const std::string& text = options.evaluator;
  const auto seed = static_cast<std::uint64_t>(options.seed);
  if (text == "handcrafted") return std::make_shared<mcts::HandcraftedEvaluator>();
  if (text == "uniform") return std::make_shared<mcts::UniformEvaluator>();
  if (text == "hash") return std::make_shared<mcts::HashEvaluator>(seed);
  if (text == "rollout")
    return std::make_shared<mcts::RolloutEvaluator>(seed, 1, options.rules());
  if (text.rfind("net:", 0) == 0)
    return value_or_throw<Failure>(nn::load_network(text.substr(4)));
  throw UsageError("unknown evaluator \"" + text +
                   "\"; expected handcrafted, uniform, rollout, hash or net:FILE");
}

// Shows how far a search is whenever it asks.
class WatchedEvaluator : public mcts::Evaluator {
 public:
  WatchedEvaluator(std::shared_ptr<mcts::Evaluator> inner, int visits)
      : inner_(std::move(inner)), visits_(visits), start_(Console::Clock::now()) {}

  void evaluate(std::span<const mcts::Leaf* const> leaves,
                std::span<mcts::Evaluation> out) override {
    inner_->evaluate(leaves, out);
    done_ += static_cast<double>(leaves.size());
    console_.progress(progress_text("search", done_, visits_, "visits", seconds()));
  }
  std::string name() const override { return inner_->name(); }
  double seconds() const {
    return std::chrono::duration<double>(Console::Clock::now() - start_).count();
  }

 private:
  std::shared_ptr<mcts::Evaluator> inner_;
  double done_ = 0, visits_;
  Console::Clock::time_point start_;
  Console console_;
};

std::vector<mcts::MoveStats> by_visits(const mcts::SearchResult& result) {
  std::vector<mcts::MoveStats> moves = result.moves;
  std::stable_sort(moves.begin(), moves.end(),
                   [](const auto& a, const auto& b) { return a.visits > b.visits; });
  return moves;
}

std::vector<std::string> line_text(const Game& game, const std::vector<Move>& line) {
  std::vector<std::string> out;
  Position position = game.position();
  for (const Move move : line) {
    out.push_back(to_string(move, position));
    position = position.after(move);
  }
  return out;
}

// Values are from the point of view of the side to move.
void print_json(const Game& game, const mcts::SearchResult& result, const std::string& evaluator) {
  Json out = {{"position", to_string(game.position())},
              {"evaluator", evaluator},
              {"best", to_string(result.best, game.position())},
              {"value", result.value.v},
              {"raw", {{"win", result.raw.win}, {"draw", result.raw.draw}, {"loss", result.raw.loss}}},
              {"visits", result.visits},
              {"nodes", result.nodes},
              {"depth", result.depth},
              {"seldepth", result.seldepth},
              {"line", line_text(game, result.line())}};
  if (result.plies_left >= 0) out["plies_left"] = result.plies_left;
  for (const mcts::MoveStats& m : by_visits(result))
    out["moves"].push_back({{"move", to_string(m.move, game.position())},
                            {"visits", m.visits},
                            {"value", m.q.v},
                            {"prior", m.prior},
                            {"policy", m.policy},
                            {"proven", m.proven}});
  fmt::print("{}\n", out.dump());
}

void print_table(const Game& game, const mcts::SearchResult& result, int rows) {
  fmt::print("{:<14} {:>9} {:>8} {:>7}  line\n", "move", "visits", "value", "prior");
  for (const mcts::MoveStats& m : by_visits(result)) {
    if (rows-- == 0) break;
    const std::string line =
        m.move == result.best ? fmt::format("  {}", fmt::join(line_text(game, result.line()), " ")) : "";
    fmt::print("{:<14} {:>9} {:>+7.3f}{} {:>6.1f}%{}\n", to_string(m.move, game.position()), m.visits,
               m.q.v, m.proven ? '!' : ' ', 100 * m.prior, line);
  }
}

void run_search(const SearchOptions& options) {
  mcts::SearchConfig config;
  set_params(config, options.settings);
  const Game game = options.game();
  if (game.is_over()) throw Failure("nothing to search, the game is over: " + outcome_text(game));

  WatchedEvaluator evaluator(make_evaluator(options), config.visits);
  mcts::Search search(config);
  search.start(game, static_cast<std::uint64_t>(options.seed));
  mcts::Search* searches[] = {&search};
  mcts::run_in_lock_step(searches, evaluator, options.batch);
  const mcts::SearchResult result = search.result();
  const double seconds = evaluator.seconds();

  if (options.json) return print_json(game, result, evaluator.name());
  fmt::print("{}\n{}, {}: {} visits, {} nodes, depth {}, {} visits/s\n", to_string(game.position()),
             outcome_text(game), evaluator.name(), result.visits, result.nodes, result.depth,
             count_text(static_cast<double>(result.visits) / seconds));
  fmt::print("value {:+.3f} for the side to move; the evaluator alone: win {:.1f}%, draw {:.1f}%, "
             "loss {:.1f}%\n\n",
             result.value.v, 100 * result.raw.win, 100 * result.raw.draw, 100 * result.raw.loss);
  print_table(game, result, options.rows);
  fmt::print("\nbest {}\n", to_string(result.best, game.position()));
}

}  // namespace

void add_search(Program& program) {
  auto options = std::make_shared<SearchOptions>();
  Command command = program.add_command(
      "search", "Search a position once: moves, visits, values, priors, best line");
  add_position_options(command, *options);
  command.option("--evaluator", options->evaluator,
                 "handcrafted, uniform, rollout, hash, or net:FILE (a checkpoint or a run)");
  command.repeated("--set", options->settings, "A parameter of the search", "KEY=VALUE");
  command.option("--seed", options->seed, "Of all that is drawn at random", kSeedInfo);
  command.option("--batch", options->batch, "Leaves that are evaluated at once",
                 {.range = {1, 1024}});
  command.option("--rows", options->rows, "Moves to print", {.range = {1, 1000}});
  command.flag("--json", options->json, "Print one JSON object with every move");
  command.example("gounki search --moves \"a2-b3\" --set visits=2000 --set cpuct=1.5",
                  "Values are for the side to move, from -1 to 1; a ! marks one that is proven.\n\n"
                  "Parameters (name, default, range):\n" +
                      params_help(describe_params<mcts::SearchConfig>()));
  command.run([options] { run_search(*options); });
}

}  // namespace gounki::play
