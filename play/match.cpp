// gounki match: paired games between players, into a log that can be gone on with.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "arena/book.h"
#include "arena/match.h"
#include "arena/match_log.h"
#include "arena/openings.h"
#include "arena/schedule.h"
#include "arena/sprt.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/console.h"
#include "play/interrupt.h"
#include "play/match_output.h"
#include "play/options.h"
#include "play/tally_text.h"

namespace gounki::play {
namespace {

struct MatchOptions : RulesOptions {
  std::vector<std::string> players, clocks;
  std::string log, book;
  bool gauntlet = false, sprt = false;
  arena::MatchConfig match;
  arena::OpeningsConfig openings;
  arena::SprtConfig test;
  MatchOutput output;
};

// Every player with its clock.
struct Players {
  std::vector<std::unique_ptr<arena::Player>> owned;
  std::vector<arena::Seat> seats;
};

Players make_players(const MatchOptions& options) {
  const std::size_t clocks = options.clocks.size();
  if (clocks > 1 && clocks != options.players.size())
    throw UsageError(fmt::format("--clock: give one for all players or one for each of the {}",
                                 options.players.size()));
  Players out;
  for (std::size_t i = 0; i < options.players.size(); ++i) {
    out.owned.push_back(player_from_text(options.players[i]));
    arena::Seat& seat = out.seats.emplace_back();
    seat.player = out.owned.back().get();
    if (clocks == 0 || options.clocks[clocks == 1 ? 0 : i] == "none") continue;
    seat.clock = value_or_throw<UsageError>(
        arena::parse_time_control(options.clocks[clocks == 1 ? 0 : i]), "--clock");
  }
  return out;
}

struct Openings {
  std::vector<Game> games;
  std::string origin;  // for the log
};

Openings make_match_openings(const MatchOptions& options, Console& console) {
  const auto seed = static_cast<std::uint64_t>(options.match.seed);
  const int count = options.match.pairs;
  if (options.book.empty()) {
    return {arena::make_openings(count, seed, options.openings, options.rules(),
                                 [&](int found) {
                                   console.progress(fmt::format("openings: {} of {}", found, count));
                                 }),
            arena::origin_text(options.openings)};
  }
  const arena::Book book = arena::read_book(options.book, options.rules());
  if (book.repeated > 0)
    console.log(fmt::format("{}: {} openings reach the position of an earlier one and are left out",
                            options.book, book.repeated));
  return {arena::draw_openings(book, count, seed),
          fmt::format("book: {} openings, hash {:016x}", book.openings.size(), book.hash)};
}

arena::MatchSettings settings_of(const MatchOptions& options, const Players& players,
                                 const Openings& openings) {
  arena::MatchSettings settings;
  for (const arena::Seat& seat : players.seats) {
    settings.players.push_back(seat.player->name());
    settings.clocks.push_back(seat.clock);
  }
  settings.seed = options.match.seed;
  settings.table = options.match;
  settings.rules = options.rules();
  settings.openings = openings.origin;
  if (options.sprt) settings.sprt = options.test;
  return settings;
}

// The pairs that are still to be played. Those that are played must begin as they would now.
std::vector<arena::Pairing> pairs_left(const MatchOptions& options, const Openings& openings,
                                       const std::vector<arena::PlayedPair>& played) {
  std::set<arena::Pairing> done;
  for (const arena::PlayedPair& pair : played) {
    done.insert(pair.pairing);
    const auto number = static_cast<std::size_t>(pair.pairing.opening);
    if (number >= openings.games.size()) continue;  // of a longer match
    if (!begins_with(pair.games[0], openings.games[number]))
      throw Failure(fmt::format("{}: opening {} was another when the match began; this program makes "
                                "other openings than the one that began it",
                                options.log, number + 1));
  }
  std::vector<arena::Pairing> left = arena::schedule(
      static_cast<int>(options.players.size()),
      options.gauntlet ? arena::Format::Gauntlet : arena::Format::RoundRobin, options.match.pairs,
      options.match.group_pairs);
  std::erase_if(left, [&](const arena::Pairing& pairing) { return done.contains(pairing); });
  return left;
}

// How the test of a match of two stands.
class Test {
 public:
  Test(const MatchOptions& options, const std::vector<arena::PlayedPair>& played) {
    if (options.sprt) config_ = options.test;
    for (const arena::PlayedPair& pair : played) add(pair);
  }
  void add(const arena::PlayedPair& pair) {
    ++counts_[static_cast<std::size_t>(pair.half_points())];
    if (config_) result_ = arena::sprt(counts_, *config_);
  }
  bool decided() const { return result_ && result_->verdict != arena::SprtVerdict::kUndecided; }
  std::string text() const {
    const std::string strength = arena::to_string(arena::estimate_strength(counts_));
    if (!result_) return strength;
    return fmt::format("{}, LLR {:.2f} of {:.2f} … {:.2f}", strength, result_->llr, result_->lower,
                       result_->upper);
  }

 private:
  std::optional<arena::SprtConfig> config_;
  arena::PairCounts counts_{};
  std::optional<arena::SprtResult> result_;
};

std::string rate_text(const arena::MatchProgress& progress) {
  const double hours = std::max(progress.seconds, 1e-3) / 3600.0;
  return fmt::format("{} games/h", count_text(progress.games / hours));
}

void check_options(const MatchOptions& options) {
  check_match_output(options.output, {options.log, options.book});
  if (!options.sprt) return;
  value_or_throw<UsageError>(options.test.check(), "--sprt");
  if (options.players.size() != 2) throw UsageError("--sprt: the test is for two players");
}

// Plays the pairs that are left, each into the log and the match. Says whether all were played.
bool play_left(const MatchOptions& options, const Players& players, const Openings& openings,
               arena::MatchHistory& match, arena::MatchLog* log, Console& console) {
  const bool of_two = options.players.size() == 2;
  Test test(options, of_two ? match.pairs : std::vector<arena::PlayedPair>{});
  if (test.decided()) return true;
  const std::vector<arena::Pairing> left = pairs_left(options, openings, match.pairs);
  arena::MatchProgress last;
  arena::MatchCallbacks callbacks;
  callbacks.pair = [&](const arena::PlayedPair& pair) {
    if (log != nullptr) log->append(pair);
    match.pairs.push_back(pair);
    if (of_two) test.add(pair);
    return !test.decided();
  };
  callbacks.progress = [&](const arena::MatchProgress& p) {
    last = p;
    console.progress(fmt::format(
        "{}, {}{}", progress_text("match", p.games, p.games_total, "games", p.seconds), rate_text(p),
        of_two ? ", " + test.text() : ""));
  };
  callbacks.fault = [&](const arena::Player& player, const arena::PlayedGame& game) {
    console.log(fmt::format("{} lost a game by {}: {}", player.name(), to_string(game.fault),
                            game.fault_text));
  };
  const bool all = arena::play_pairs(players.seats, openings.games, left, options.match, callbacks,
                                     &catch_interrupts().stop);
  if (log != nullptr) log->sync();
  if (last.games > 0)
    console.log(fmt::format("{} games in {}, {}", last.games, duration_text(last.seconds),
                            rate_text(last)));
  return all || test.decided();
}

void run_match(const MatchOptions& options) {
  check_options(options);
  catch_interrupts();  // also while engines start and openings are made
  Console console;
  const Players players = make_players(options);
  const Openings openings = make_match_openings(options, console);
  arena::MatchHistory match{settings_of(options, players, openings), {}};
  std::optional<arena::MatchLog> log;
  if (!options.log.empty()) {
    log.emplace(options.log, match.settings);
    match.pairs = log->pairs();
    if (!match.pairs.empty())
      console.log(fmt::format("{}: goes on after {} pairs", options.log, match.pairs.size()));
  }
  if (!play_left(options, players, openings, match, log ? &*log : nullptr, console))
    console.log("stopped before all games were played");
  for (const auto& player : players.owned)
    if (player->restarts() > 0)
      console.log(fmt::format("{} was started anew {} times", player->name(), player->restarts()));
  write_match(match, options.output);
}

}  // namespace

void add_match(Program& program) {
  auto options = std::make_shared<MatchOptions>();
  Command command = program.add_command(
      "match", "Play paired games between players: score, Elo with error bars, a test that ends it");
  command.positionals("PLAYER", options->players, "Players, as texts; one alone plays against reference");
  command.option("--log", options->log, "The log; where it is there, the match goes on", {.type = "FILE"});
  command.option("--book", options->book, "Openings from a book, in place of random ones",
                 {.type = "FILE"});
  command.repeated("--clock", options->clocks,
                   "Seconds and increment, such as 60+0.5; once for all players, or for each in turn "
                   "(none for no clock)",
                   "CLOCK");
  command.flag("--gauntlet", options->gauntlet, "The first player against each other one");
  command.flag("--sprt", options->sprt, "End the match as soon as the test below is decided");
  add_param_options(command, options->test, "sprt-");
  add_param_options(command, options->match);
  add_param_options(command, options->openings, "opening-");
  add_rules_options(command, *options);
  add_match_output(command, options->output);
  add_device_option(command);
  command.example("gounki match run:runs/quick alphabeta:depth=3 --pairs 20 --log match.jsonl",
                  players_help());
  command.run([options] {
    if (options->players.size() == 1) options->players.emplace_back("reference");
    run_match(*options);
  });
}

}  // namespace gounki::play
