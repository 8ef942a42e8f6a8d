// The configuration of a training run: one struct with a section for each part, read from TOML and
// written as TOML.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/movegen.h"
#include "core/params.h"
#include "mcts/config.h"
#include "nn/network.h"
#include "selfplay/sample.h"

namespace gounki::selfplay {

// The limits hold for the whole run, however often it was resumed; 0 means none.
struct RunSection {
  std::int64_t seed = 1;
  std::string begin_with;
  int threads = 0;
  double minutes = 0;
  std::int64_t iterations = 0;
  std::int64_t games = 0;
  std::int64_t steps = 0;
  std::int64_t save_steps = 1000;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = RunSection;
    visit("seed", &C::seed, Range{0, 9e15}, "Everything drawn at random follows from it.");
    visit("begin_with", &C::begin_with, Range{},
          "A checkpoint, or a run whose newest one is taken: the network begins with its weights, grown "
          "where [network] is larger. Without it they are drawn at random.");
    visit("threads", &C::threads, Range{0, 4096}, "Cores to use; 0 takes all.");
    visit("minutes", &C::minutes, Range{0, 1e9},
          "Stop after this time, the last evaluation not counted; 0 for no limit.");
    visit("iterations", &C::iterations, Range{0, 1e15}, "Stop after these; 0 for no limit.");
    visit("games", &C::games, Range{0, 1e15},
          "Stop after the iteration that reaches this many games; 0 for no limit.");
    visit("steps", &C::steps, Range{0, 1e15}, "Stop after these learner steps; 0 for no limit.");
    visit("save_steps", &C::save_steps, Range{1, 1e15},
          "Save the learner whenever its steps are a multiple of this, besides at the end of an "
          "iteration.");
  }
};

struct RulesSection {
  bool null_moves = true;
  bool repetition_draw = true;
  bool quiet_draw = true;

  Rules rules() const { return {null_moves, repetition_draw, quiet_draw}; }

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = RulesSection;
    visit("null_moves", &C::null_moves, Range{},
          "Allow a stack to bounce back to the square that it left.");
    visit("repetition_draw", &C::repetition_draw, Range{},
          "Draw when a position occurs for the third time.");
    visit("quiet_draw", &C::quiet_draw, Range{},
          "Draw after 100 plies without a capture and without a step forward.");
  }
};

struct SelfplaySection {
  int games_per_group = 32;
  int games_at_once = 32;
  int groups_per_iteration = 4;
  int random_plies = 4;
  int prior_plies = 0;
  double prior_temperature = 1.25;
  int max_plies = 300;
  double capped_weight = 0.25;
  double opening_balance = 1.0;
  double full_share = 1.0;
  int cap_visits = 16;
  bool cap_noise = false;
  double surprise_share = 0.0;
  double resign_value = 1.0;
  int resign_plies = 4;
  double resign_weight = 0.2;
  int cache_mb = 8;

  bool balances_openings() const { return opening_balance < 1.0; }
  bool resigns() const { return resign_value < 1.0; }

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = SelfplaySection;
    visit("games_per_group", &C::games_per_group, Range{1, 65536},
          "Games of a group, which one thread plays and which make one shard and one record file.");
    visit("games_at_once", &C::games_at_once, Range{1, 4096},
          "Games of a group under way at the same time: the most positions in a batch.");
    visit("groups_per_iteration", &C::groups_per_iteration, Range{1, 1e6},
          "Groups played with one network before the learner goes on.");
    visit("random_plies", &C::random_plies, Range{0, 100},
          "A game begins with 0 to this many plies drawn from all legal moves.");
    visit("prior_plies", &C::prior_plies, Range{0, 1000},
          "Then come 0 to this many plies drawn by the network's priors, without a search: games begin "
          "anywhere in a game (KataGo: policy initialization).");
    visit("prior_temperature", &C::prior_temperature, Range{0.1, 10},
          "Those are drawn by the priors to the power 1/prior_temperature: above 1 for more variety.");
    visit("max_plies", &C::max_plies, Range{1, 10000},
          "A game of this length is stopped and marked as capped, which is no result.");
    visit("capped_weight", &C::capped_weight, Range{0.001, 1},
          "Weight of a capped game's samples, whose value target is a draw.");
    visit("opening_balance", &C::opening_balance, Range{0, 1},
          "Another opening is drawn, at most 8 times, when the first search finds the position further "
          "from even than this; 1 takes every opening.");
    visit("full_share", &C::full_share, Range{0.01, 1},
          "Share of the moves that are searched with all of [search] visits and make samples; the others "
          "are searched with cap_visits and only played (KataGo's playout caps: 0.25). 1 searches all.");
    visit("cap_visits", &C::cap_visits, Range{1, 100'000'000},
          "Visits of the others, and of all moves of a game that is given up.");
    visit("cap_noise", &C::cap_noise, Range{},
          "Give those searches the noise at the root that the others have.");
    visit("surprise_share", &C::surprise_share, Range{0, 1},
          "Share of a game's weight that goes to its samples by how far the search's policy is from the "
          "network's (KataGo: 0.5); 0 weighs all alike.");
    visit("resign_value", &C::resign_value, Range{0, 1},
          "A game whose values stay beyond this is given up: played to its end by quick searches, with "
          "less weight (KataGo's soft resignation: 0.9); 1 for never.");
    visit("resign_plies", &C::resign_plies, Range{1, 1000},
          "Plies in a row that the values must be beyond resign_value, for the same side.");
    visit("resign_weight", &C::resign_weight, Range{0.001, 1},
          "Weight of the samples of a game that is given up.");
    visit("cache_mb", &C::cache_mb, Range{0, 65536},
          "Megabytes in which each thread keeps the network's evaluations for its group of games, "
          "about 350 bytes each; 0 for none.");
  }
};

struct ReplaySection {
  double reuse = 4.0;
  std::int64_t window_min = 20000;
  std::int64_t window_max = 1000000;
  double window_exponent = 0.65;
  double window_scale = 0.4;
  std::int64_t rows_to_start = 2000;
  double value_mix = 0.0;
  bool exact_values = true;
  bool mirror = true;
  double held_out = 0.02;

  TargetOptions targets() const { return {value_mix, exact_values}; }

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = ReplaySection;
    visit("reuse", &C::reuse, Range{0, 1000}, "How often a sample is learned from, on average.");
    visit("window_min", &C::window_min, Range{1, 1e12},
          "Rows of the newest samples that are always learned from.");
    visit("window_max", &C::window_max, Range{1, 1e12},
          "Most rows of the window; a row takes about 400 bytes of memory.");
    visit("window_exponent", &C::window_exponent, Range{0.01, 1},
          "Past window_min the window grows with this power of all rows (KataGo: 0.65).");
    visit("window_scale", &C::window_scale, Range{0, 1},
          "Rows that the window gains for each new row just past window_min (KataGo: 0.4).");
    visit("rows_to_start", &C::rows_to_start, Range{1, 1e12},
          "Rows that there must be before the first learner step.");
    visit("value_mix", &C::value_mix, Range{0, 1},
          "Share of the search's value in the value target; the rest is the game's result.");
    visit("exact_values", &C::exact_values, Range{},
          "Where the search proved a win, loss or draw, that is the value target.");
    visit("mirror", &C::mirror, Range{}, "Learn from half of the samples with left and right exchanged.");
    visit("held_out", &C::held_out, Range{0, 0.5},
          "Share of the games that are not learned from, but measure what was learned.");
  }
};

// Whether a learned network takes over only once it has won a match.
struct GateSection {
  int games = 0;
  double score = 0.5;
  int visits = 32;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = GateSection;
    visit("games", &C::games, Range{0, 1e6},
          "Games, in pairs with colours swapped, that each new network plays against the one that makes "
          "the games; 0 lets every new network take over.");
    visit("score", &C::score, Range{0, 1}, "Points a game that it needs to take over.");
    visit("visits", &C::visits, Range{1, 100'000'000}, "Visits for each move of these games.");
  }
};

struct EvaluateSection {
  double every_minutes = 2.0;
  bool at_start = true;
  int games = 40;
  std::string opponents = "random; greedy";
  std::string player = "visits=64";

  // `opponents` taken apart.
  std::vector<std::string> opponent_list() const;
  // `player` as a search; the default config where it says nothing. It was checked by the reader.
  mcts::SearchConfig search() const;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = EvaluateSection;
    visit("every_minutes", &C::every_minutes, Range{0, 1e6},
          "Minutes between evaluations of the newest network; 0 evaluates at the end only.");
    visit("at_start", &C::at_start, Range{}, "Evaluate the network that the run begins with.");
    visit("games", &C::games, Range{0, 1e6},
          "Games against each opponent, in pairs with colours swapped; 0 for no evaluation.");
    visit("opponents", &C::opponents, Range{}, "Player texts with semicolons between them.");
    visit("player", &C::player, Range{},
          "Search options of the network's player, such as \"visits=64,cpuct=1.5\".");
  }
};

mcts::SearchConfig default_selfplay_search();

struct RunConfig {
  RunSection run;
  RulesSection rules;
  nn::NetworkConfig network;
  mcts::SearchConfig search = default_selfplay_search();
  SelfplaySection selfplay;
  nn::LearnerConfig learner;
  ReplaySection replay;
  GateSection gate;
  EvaluateSection evaluate;

  // visit(name, section, sentence) for each section, in the order in which they are written.
  template <class Config, class Visit>
  static void for_each_section(Config& config, Visit&& visit) {
    visit("run", config.run, "The run as a whole.");
    visit("rules", config.rules, "What the rules of the game leave open.");
    visit("network", config.network, "The network's size.");
    visit("search", config.search, "The search of self-play.");
    visit("selfplay", config.selfplay, "Games for training.");
    visit("learner", config.learner, "Steps of gradient descent.");
    visit("replay", config.replay, "Which samples are learned from, and how often.");
    visit("gate", config.gate, "Games of a new network against the last one.");
    visit("evaluate", config.evaluate, "Games of the newest network against fixed opponents.");
  }
};

// What is wrong with settings that are each in their range.
struct ConfigMistake {
  std::string section, key, message;
  std::string text() const { return "[" + section + "] " + message; }
};
std::optional<ConfigMistake> find_mistake(const RunConfig& config);

// Reads a whole config; what it does not set has its default. Throws a UsageError that names `name`
// (the file), the line, and the nearest known section or key, the type or the range expected.
RunConfig parse_config(std::string_view toml, const std::string& name);
// The same for a file; a file that cannot be read is a UsageError too.
RunConfig load_config(const std::filesystem::path& path);

// Every section and key, each with its sentence as a comment above it.
std::string to_toml(const RunConfig& config);
// Only what the contents of games, samples and networks follow from: all but the limits, the number
// of threads and the cache. Two runs with this text in common have their files in common, where
// networks give a position the same bits in any batch (a GPU may not: see docs/design.md).
std::string essence_to_toml(const RunConfig& config);

// The first setting in which two configs differ, such as "[search] visits is 32, not 64"; limits,
// threads and the cache may differ.
std::optional<std::string> first_difference(const RunConfig& stored, const RunConfig& given);

// The threads that the config asks for, with 0 made the number of cores.
int thread_count(const RunConfig& config);

}  // namespace gounki::selfplay
