// gounki rate: ratings of all players of any match logs, or of a run's networks over its time.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "arena/match_log.h"
#include "arena/pool.h"
#include "arena/pool_play.h"
#include "core/files.h"
#include "nn/network.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/console.h"
#include "play/interrupt.h"
#include "play/match_charts.h"
#include "play/options.h"
#include "play/plot.h"
#include "play/rating_curve.h"
#include "play/rating_report.h"

namespace gounki::play {
namespace {

namespace fs = std::filesystem;

struct AnchorConfig {
  double anchor_elo = 0.0;
  template <class Visit>
  static void describe(Visit&& visit) {
    visit("anchor_elo", &AnchorConfig::anchor_elo, Range{-10'000, 10'000},
          "The Elo of the anchor, or the mean where there is none.");
  }
};

struct RunConfig : arena::PoolConfig {
  int checkpoints = 8;
  double minutes = 0.0;
  template <class Visit>
  static void describe(Visit&& visit) {
    visit("checkpoints", &RunConfig::checkpoints, Range{1, 1000},
          "Networks of the run at most: the first, the last, and evenly many between.");
    visit("minutes", &RunConfig::minutes, Range{0, 1e6},
          "Ends after so many, with the games under way; 0 for no limit.");
    PoolConfig::describe(visit);
  }
};

struct RateOptions : RulesOptions {
  std::vector<std::string> what, ladder, settings;
  std::string anchor, svg;
  AnchorConfig zero;
  RunConfig run;
  arena::OpeningsConfig openings;
  bool json = false;
};

void write_ratings(const RateOptions& options, const RatedPlayers& rated, const Json& more = {}) {
  if (!options.svg.empty()) write_file_atomically(options.svg, svg_file({ratings_chart(rated)}));
  if (!options.json) {
    fmt::print("{}", ratings_text(rated));
    return;
  }
  Json out = {{"ratings", ratings_json(rated)}};
  if (!more.is_null()) out["curve"] = more;
  fmt::print("{}\n", out.dump());
}

int find_anchor(const std::string& anchor, const std::vector<std::string>& players) {
  for (std::size_t i = 0; i < players.size(); ++i)
    if (players[i] == anchor) return static_cast<int>(i);
  throw UsageError(fmt::format("--anchor: no player \"{}\", did you mean \"{}\"?", anchor,
                               nearest_name(anchor, players)));
}

void rate_logs(const RateOptions& options, Console& console) {
  std::vector<arena::MatchHistory> matches;
  for (const std::string& log : options.what) {
    if (fs::is_directory(log))
      throw UsageError(log + ": a folder; rate either one run's folder or logs of matches");
    matches.push_back(arena::read_match_log(log));
  }
  const arena::Pool pool = arena::make_pool(matches);
  if (pool.left_out > 0)
    console.log(fmt::format("{} pairs of a player against itself say nothing and are left out",
                            pool.left_out));
  const int anchor = options.anchor.empty() ? -1 : find_anchor(options.anchor, pool.players);
  write_ratings(options, {pool.players, arena::Ratings(static_cast<int>(pool.players.size()),
                                                       pool.results,
                                                       {anchor, options.zero.anchor_elo})});
}

// So many, with the first and the last, evenly spaced; by rising steps.
std::vector<fs::path> choose_checkpoints(const fs::path& run, int most) {
  std::vector<fs::path> all = nn::checkpoints(run);
  if (all.empty())
    throw Failure(run.string() +
                  ": no checkpoint in it (looked for checkpoints/step-*.safetensors)");
  std::reverse(all.begin(), all.end());
  const std::size_t last = all.size() - 1, wanted = static_cast<std::size_t>(most);
  if (wanted > last) return all;
  if (wanted == 1) return {all.back()};
  std::vector<fs::path> chosen;
  for (std::size_t i = 0; i < wanted; ++i)
    chosen.push_back(all[(2 * i * last + wanted - 1) / (2 * (wanted - 1))]);
  return chosen;
}

std::int64_t step_of(const fs::path& checkpoint) {
  return std::stoll(checkpoint.stem().string().substr(std::string("step-").size()));
}

// The run's networks and the ladder, as a pool.
struct RunPool {
  std::vector<std::unique_ptr<arena::Player>> owned;
  std::vector<arena::PoolPlayer> players;
  std::vector<std::string> names;
  RatingCurve curve;

  int add(const std::string& text, const std::string& name) {
    owned.push_back(player_from_text(text));
    players.push_back({name, owned.back().get()});
    names.push_back(name);
    return static_cast<int>(names.size()) - 1;
  }
};

RunPool make_run_pool(const RateOptions& options, const fs::path& run) {
  RunPool pool;
  const auto moments = moments_of_run(run);
  std::string settings;
  for (const std::string& setting : options.settings) settings += "," + setting;
  // From strong to weak, then the ladder from weak to strong: neighbours are about alike.
  std::vector<fs::path> files = choose_checkpoints(run, options.run.checkpoints);
  std::reverse(files.begin(), files.end());
  for (const fs::path& file : files) {
    // In the logs a network's file is named from the run's folder, which may be moved.
    const std::string name = "net:checkpoints/" + file.filename().string() + settings;
    RatingCurve::Checkpoint checkpoint{step_of(file), {}, pool.add("net:" + file.string() + settings, name)};
    if (const auto moment = moments.find(checkpoint.step); moment != moments.end())
      checkpoint.moment = moment->second;
    pool.curve.checkpoints.insert(pool.curve.checkpoints.begin(), checkpoint);
  }
  for (const std::string& player : options.ladder) pool.curve.ladder.push_back(pool.add(player, player));
  return pool;
}

// Plays until the pairs or the minutes are used up, or Ctrl-C.
void play_pool(const RateOptions& options, arena::PlayedPool& pool,
               const std::vector<std::string>& names, Console& console) {
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t before = pool.pairs();
  const Interrupts& interrupts = catch_interrupts();
  std::atomic<bool> stop = false;
  const auto progress = [&](const arena::PoolProgress& p) {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (interrupts.stop || (options.run.minutes > 0 && seconds >= 60 * options.run.minutes)) stop = true;
    const double pairs = static_cast<double>(p.pairs) + p.block.games / 2.0;
    const std::string done =
        options.run.pairs > 0
            ? progress_text("rate", pairs - static_cast<double>(before),
                            static_cast<double>(options.run.pairs - before), "pairs", seconds)
            : fmt::format("rate: {:.0f} pairs, {}", pairs, duration_text(seconds));
    console.progress(fmt::format("{}; {} against {}: {} of {} games", done,
                                 names[static_cast<std::size_t>(p.first)],
                                 names[static_cast<std::size_t>(p.second)], p.block.games,
                                 p.block.games_total));
  };
  if (!pool.play(progress, stop)) console.log("stopped before all pairs were played");
}

void rate_run(RateOptions options, Console& console) {
  const fs::path run = options.what.front();
  if (options.run.pairs == 0 && options.run.minutes == 0)
    throw UsageError("--pairs 0 has no end: give --minutes");
  if (options.ladder.empty())
    options.ladder = {"random", "greedy", "alphabeta:depth=1", "alphabeta:depth=2",
                      "alphabeta:depth=3", "alphabeta:depth=4"};
  RunPool players = make_run_pool(options, run);
  const arena::RatingAnchor anchor{
      find_anchor(options.anchor.empty() && std::ranges::count(options.ladder, "greedy") > 0
                      ? "greedy"
                  : options.anchor.empty() ? options.ladder.front()
                                           : options.anchor,
                  players.names),
      options.zero.anchor_elo};
  std::vector<int> networks;
  for (const auto& checkpoint : players.curve.checkpoints) networks.push_back(checkpoint.player);

  const fs::path folder = run / "ratings";
  arena::PlayedPool pool(folder, players.players, options.run, options.openings, options.rules(), anchor,
                         networks);
  if (pool.pairs() > 0) console.log(fmt::format("{}: goes on after {} pairs", folder.string(), pool.pairs()));
  play_pool(options, pool, players.names, console);

  const RatedPlayers rated{players.names, pool.ratings()};
  const Json curve = curve_json(players.curve, rated);
  write_file_atomically(folder / "curve.json", curve.dump(2) + "\n");
  write_file_atomically(folder / "curve.svg", curve_svg(players.curve, rated));
  write_ratings(options, rated, curve);
  console.log(fmt::format("{} and curve.json have the curve", (folder / "curve.svg").string()));
}

void run_rate(const RateOptions& options) {
  Console console;
  std::error_code error;
  const bool of_run = options.what.size() == 1 && fs::is_directory(options.what.front(), error);
  check_output_file("--svg", options.svg, options.what);
  catch_interrupts();  // also while engines start and openings are made
  if (of_run) return rate_run(options, console);
  if (!options.ladder.empty() || !options.settings.empty())
    throw UsageError("--ladder and --set are for a run's folder");
  rate_logs(options, console);
}

}  // namespace

void add_rate(Program& program) {
  auto options = std::make_shared<RateOptions>();
  Command command = program.add_command(
      "rate", "Ratings of the players of match logs, or of a run's networks");
  command.positionals("WHAT", options->what, "Logs of matches, or one run's folder");
  command.option("--anchor", options->anchor,
                 "The player that sets the zero: for logs none (the mean does), for a run greedy, or the "
                 "first of the ladder",
                 {.type = "PLAYER"});
  add_param_options(command, options->zero);
  command.flag("--json", options->json, "Print one JSON object");
  command.option("--svg", options->svg, "Draw the ratings into this file", {.type = "FILE"});
  command.repeated("--ladder", options->ladder,
                   "A player to compare a run's networks with, in place of random, greedy and "
                   "alphabeta:depth=1 to 4; may be given several times, the weakest first",
                   "PLAYER");
  command.repeated("--set", options->settings,
                   "key=value: a setting of the networks' search, such as visits=100", "TEXT");
  add_param_options(command, options->run);
  add_param_options(command, options->openings, "opening-");
  add_rules_options(command, *options);
  add_device_option(command);
  command.example("gounki rate runs/quick --minutes 10 --set visits=100", players_help());
  command.run([options] { run_rate(*options); });
}

}  // namespace gounki::play
