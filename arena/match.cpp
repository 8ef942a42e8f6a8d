#include "arena/match.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <unordered_set>

#include "mcts/workers.h"
#include "core/notation.h"
#include "core/random.h"

namespace gounki::arena {
namespace {

// A game under way.
struct Table {
  Table(const Game& opening, int pair, bool first_is_white)
      : game(opening), pair(pair), first_is_white(first_is_white),
        comments(opening.moves().size()) {}

  bool first_to_move() const {
    return (game.position().side_to_move() == Side::White) == first_is_white;
  }

  Game game;
  int pair;
  bool first_is_white;
  bool capped = false;
  std::vector<std::string> comments;
};

// For White, as chess programs write it.
std::string eval_comment(const Choice& choice, Side mover) {
  if (!choice.value) return "";
  char text[32];
  std::snprintf(text, sizeof text, "[%%eval %+.3f]", choice.value->for_white(mover).v);
  return text;
}

[[noreturn]] void fail_for_illegal_move(const Player& player, const Table& table, Move move) {
  const Position& position = table.game.position();
  throw Failure("player " + player.name() + " chose an illegal move (policy index " +
                std::to_string(move.index()) + ") in pair " + std::to_string(table.pair + 1) +
                ", ply " + std::to_string(table.game.moves().size()) + ": " + to_string(position));
}

class Match {
 public:
  Match(Player& first, Player& second, std::span<const Game> openings, const MatchConfig& config,
        const MatchCallbacks& callbacks)
      : first_(first), second_(second), openings_(openings), config_(config),
        callbacks_(callbacks) {}

  MatchResult run(const std::atomic<bool>* stop);

 private:
  void play_group(int group);
  void play_turns(Player& player, const std::vector<Table*>& tables);
  bool ended(Table& table);
  MatchGame finish(const Table& table) const;
  void deliver(int group, std::vector<MatchGame> games);
  void count(const MatchGame& game);
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

  Player& first_;
  Player& second_;
  const std::span<const Game> openings_;
  const MatchConfig& config_;
  const MatchCallbacks& callbacks_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();

  std::mutex mutex_;  // guards all below, and the callbacks
  MatchProgress progress_;
  MatchResult result_;
  int next_delivered_ = 0;
  std::map<int, std::vector<MatchGame>> waiting_;  // groups that ended before an earlier one
  std::unordered_set<std::string> seen_;           // games, as their moves' bytes
};

Outcome outcome_of(const Table& table) {
  return table.capped ? Outcome::Draw : table.game.outcome();
}

// Adds a result, seen from the first player's side.
void add(Tally& tally, Outcome outcome, bool first_is_white) {
  const Side side = first_is_white ? Side::White : Side::Black;
  ++(outcome == Outcome::Draw ? tally.draws : outcome == win_for(side) ? tally.wins : tally.losses);
}

MatchResult Match::run(const std::atomic<bool>* stop) {
  const int groups = (config_.pairs + config_.group_pairs - 1) / config_.group_pairs;
  progress_.games_total = 2 * config_.pairs;
  std::atomic<int> next_group = 0;
  std::atomic<bool> failed = false;
  const auto work = [&](int) {
    while (!failed && !(stop != nullptr && *stop)) {
      const int group = next_group++;
      if (group >= groups) return;
      try {
        play_group(group);
      } catch (...) {
        failed = true;
        throw;
      }
    }
  };
  const int threads = config_.threads == 0 ? mcts::core_count() : config_.threads;
  mcts::run_workers(threads, std::min(threads, groups), work);
  result_.seconds = seconds();
  result_.stopped = result_.total().games() < 2 * config_.pairs;
  return result_;
}

void Match::play_group(int group) {
  std::vector<Table> tables;
  const int end = std::min(config_.pairs, (group + 1) * config_.group_pairs);
  for (int pair = group * config_.group_pairs; pair < end; ++pair)
    for (const bool first_is_white : {true, false})
      tables.emplace_back(openings_[pair], pair, first_is_white);

  std::vector<Table*> playing;
  for (Table& table : tables) playing.push_back(&table);
  for (;;) {
    std::erase_if(playing, [this](Table* table) { return ended(*table); });
    if (playing.empty()) break;
    std::vector<Table*> of_first, of_second;
    for (Table* table : playing) (table->first_to_move() ? of_first : of_second).push_back(table);
    play_turns(first_, of_first);
    play_turns(second_, of_second);
  }
  std::vector<MatchGame> games;
  for (const Table& table : tables) games.push_back(finish(table));
  deliver(group, std::move(games));
}

void Match::play_turns(Player& player, const std::vector<Table*>& tables) {
  if (tables.empty()) return;
  std::vector<Turn> turns;
  for (const Table* table : tables)
    turns.push_back({&table->game,
                     derive_seed({static_cast<std::uint64_t>(config_.seed),
                                  static_cast<std::uint64_t>(table->pair), table->first_is_white,
                                  table->game.moves().size()})});
  std::vector<Choice> choices(turns.size());
  player.choose(turns, choices);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    Table& table = *tables[i];
    table.comments.push_back(eval_comment(choices[i], table.game.position().side_to_move()));
    if (!table.game.play_checked(choices[i].move))
      fail_for_illegal_move(player, table, choices[i].move);
  }
}

// Reports a game that is over or has reached the cap.
bool Match::ended(Table& table) {
  if (!table.game.is_over()) {
    table.capped = static_cast<int>(table.game.moves().size()) >= config_.ply_cap;
    if (!table.capped) return false;
  }
  const std::lock_guard lock(mutex_);
  ++progress_.games;
  add(progress_.so_far, outcome_of(table), table.first_is_white);
  progress_.seconds = seconds();
  if (callbacks_.progress) callbacks_.progress(progress_);
  return true;
}

MatchGame Match::finish(const Table& table) const {
  MatchGame out{table.pair, table.first_is_white, table.capped, {}};
  GameRecord& record = out.record;
  const Player& white = table.first_is_white ? first_ : second_;
  const Player& black = table.first_is_white ? second_ : first_;
  const std::string number = std::to_string(table.pair + 1);
  record.tags = {{"Event", "match"},
                 {"Round", number + (table.first_is_white ? ".1" : ".2")},
                 {"White", white.name()},
                 {"Black", black.name()},
                 {"Opening", number},
                 {"OpeningPlies", std::to_string(openings_[table.pair].moves().size())}};
  if (table.capped) record.tags.emplace_back("Termination", "ply cap");
  record.first = table.game.positions().front();
  record.rules = table.game.rules();
  record.moves = table.game.moves();
  record.comments = table.comments;
  record.result = outcome_of(table);
  return out;
}

void Match::deliver(int group, std::vector<MatchGame> games) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace(group, std::move(games));
  for (auto it = waiting_.begin(); it != waiting_.end() && it->first == next_delivered_;
       it = waiting_.erase(it), ++next_delivered_)
    for (std::size_t i = 0; i < it->second.size(); i += 2) {
      const MatchGame& one = it->second[i];
      const MatchGame& other = it->second[i + 1];
      count(one);
      count(other);
      Tally pair;
      add(pair, one.record.result, one.first_is_white);
      add(pair, other.record.result, other.first_is_white);
      ++result_.pairs[static_cast<std::size_t>(2 * pair.points())];
    }
}

void Match::count(const MatchGame& game) {
  add(game.first_is_white ? result_.as_white : result_.as_black, game.record.result,
      game.first_is_white);
  result_.capped += game.capped;
  const std::vector<Move>& moves = game.record.moves;
  result_.plies += static_cast<std::int64_t>(moves.size() - openings_[game.pair].moves().size());
  std::string bytes = game.first_is_white ? "1" : "2";
  for (const Move move : moves) {
    bytes.push_back(static_cast<char>(move.index() & 0xFF));
    bytes.push_back(static_cast<char>(move.index() >> 8));
  }
  if (!seen_.insert(std::move(bytes)).second) ++result_.repeated;
  if (callbacks_.game) callbacks_.game(game);
}

}  // namespace

double MatchResult::score() const {
  const Tally all = total();
  return all.games() == 0 ? 0.5 : all.points() / all.games();
}

MatchResult play_match(Player& first, Player& second, std::span<const Game> openings,
                       const MatchConfig& config, const MatchCallbacks& callbacks,
                       const std::atomic<bool>* stop) {
  if (static_cast<int>(openings.size()) < config.pairs)
    throw Failure("a match of " + std::to_string(config.pairs) + " pairs needs as many openings, " +
                  std::to_string(openings.size()) + " were given");
  return Match(first, second, openings, config, callbacks).run(stop);
}

}  // namespace gounki::arena
