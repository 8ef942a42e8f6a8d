#include "arena/match.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>

#include "core/notation.h"
#include "core/random.h"
#include "mcts/workers.h"

namespace gounki::arena {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// One of the two games of a pair.
struct Place {
  Place(const Pairing& pairing, bool first_is_white, Table table)
      : pairing(pairing), first_is_white(first_is_white), table(std::move(table)) {}

  int seat_to_move() const {
    return (table.side_to_move() == Side::White) == first_is_white ? pairing.first : pairing.second;
  }

  Pairing pairing;
  bool first_is_white;
  Table table;
};

class Match {
 public:
  Match(std::span<const Seat> seats, std::span<const Game> openings, std::span<const Pairing> pairs,
        const PairsConfig& config, const MatchCallbacks& callbacks)
      : seats_(seats), openings_(openings), pairs_(pairs), config_(config), callbacks_(callbacks) {
    progress_.games_total = 2 * static_cast<int>(pairs.size());
    group_up();
  }

  bool run(const std::atomic<bool>* stop);

 private:
  using Group = std::span<const Pairing>;

  void group_up();
  bool wants_whole_games(const Pairing& pairing) const;
  void play_group(std::size_t group);
  void play_in_lock_step(std::vector<Place>& places);
  void play_turns(int seat, const std::vector<Place*>& places);
  Place make_place(const Pairing& pairing, bool first_is_white) const;
  std::uint64_t seed_of_turn(const Place& place) const;
  void note_end(const Place& place, int seat);
  void deliver(std::size_t group, const std::vector<Place>& places);

  const std::span<const Seat> seats_;
  const std::span<const Game> openings_;
  const std::span<const Pairing> pairs_;
  const PairsConfig& config_;
  const MatchCallbacks& callbacks_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::vector<Group> groups_;
  std::atomic<bool> over_ = false;  // ended by the callback, or by an exception

  std::mutex mutex_;  // guards all below, and the callbacks
  MatchProgress progress_;
  std::size_t next_delivered_ = 0;
  std::map<std::size_t, std::vector<PlayedPair>> waiting_;  // ended before an earlier group
};

bool Match::wants_whole_games(const Pairing& pairing) const {
  for (const int number : {pairing.first, pairing.second}) {
    const Seat& seat = seats_[static_cast<std::size_t>(number)];
    if (seat.clock || seat.player->wants_whole_games()) return true;
  }
  return false;
}

// Groups are neighbours among the pairs that are played by the same two.
void Match::group_up() {
  for (std::size_t begin = 0, end; begin < pairs_.size(); begin = end) {
    const Pairing& head = pairs_[begin];
    const std::size_t most =
        wants_whole_games(head) ? 1 : static_cast<std::size_t>(config_.group_pairs);
    for (end = begin + 1; end < pairs_.size() && end - begin < most; ++end)
      if (pairs_[end].first != head.first || pairs_[end].second != head.second) break;
    groups_.push_back(pairs_.subspan(begin, end - begin));
  }
}

bool Match::run(const std::atomic<bool>* stop) {
  std::atomic<std::size_t> next_group = 0;
  const auto work = [&](int) {
    while (!over_ && !(stop != nullptr && *stop)) {
      const std::size_t group = next_group++;
      if (group >= groups_.size()) return;
      try {
        play_group(group);
      } catch (...) {
        over_ = true;
        throw;
      }
    }
  };
  const int threads = config_.threads == 0 ? mcts::core_count() : config_.threads;
  const int workers = static_cast<int>(std::min<std::size_t>(threads, groups_.size()));
  if (workers > 0) mcts::run_workers(threads, workers, work);
  return next_delivered_ == groups_.size();
}

void Match::play_group(std::size_t group) {
  std::vector<Place> places;
  for (const Pairing& pairing : groups_[group])
    for (const bool first_is_white : {true, false})
      places.push_back(make_place(pairing, first_is_white));

  if (wants_whole_games(groups_[group].front())) {
    for (Place& place : places)
      while (!place.table.over() && !over_) play_turns(place.seat_to_move(), {&place});
  } else {
    play_in_lock_step(places);
  }
  if (!over_) deliver(group, places);
}

void Match::play_in_lock_step(std::vector<Place>& places) {
  for (;;) {
    if (over_) return;
    std::map<int, std::vector<Place*>> by_seat;
    for (Place& place : places)
      if (!place.table.over()) by_seat[place.seat_to_move()].push_back(&place);
    if (by_seat.empty()) return;
    for (const auto& [seat, waiting] : by_seat) play_turns(seat, waiting);
  }
}

void Match::play_turns(int seat, const std::vector<Place*>& places) {
  Player& player = *seats_[static_cast<std::size_t>(seat)].player;
  std::vector<Turn> turns;
  for (const Place* place : places)
    turns.push_back({&place->table.game(), seed_of_turn(*place), place->table.clocks()});
  std::vector<Choice> choices(turns.size());
  const auto begin = std::chrono::steady_clock::now();
  player.choose(turns, choices);
  const double seconds = seconds_since(begin);
  for (std::size_t i = 0; i < places.size(); ++i) {
    Place& place = *places[i];
    if (!place.table.play(choices[i], seconds)) {
      const Position& position = place.table.game().position();
      throw Failure("player " + player.name() + " chose an illegal move (policy index " +
                    std::to_string(choices[i].move.index()) + ") in pair " +
                    std::to_string(place.pairing.opening + 1) + ", ply " +
                    std::to_string(place.table.game().moves().size()) + ": " + to_string(position));
    }
    if (place.table.over()) note_end(place, seat);
  }
}

Place Match::make_place(const Pairing& pairing, bool first_is_white) const {
  const auto clock_of = [&](bool first) {
    return seats_[static_cast<std::size_t>(first ? pairing.first : pairing.second)].clock;
  };
  const Game& opening = openings_[static_cast<std::size_t>(pairing.opening)];
  return Place(pairing, first_is_white,
               Table(opening, config_, {clock_of(first_is_white), clock_of(!first_is_white)}));
}

std::uint64_t Match::seed_of_turn(const Place& place) const {
  return derive_seed({static_cast<std::uint64_t>(config_.seed),
                      static_cast<std::uint64_t>(place.pairing.opening), place.first_is_white,
                      place.table.game().moves().size()});
}

// A game has ended with the turn of this seat.
void Match::note_end(const Place& place, int seat) {
  const PlayedGame& game = place.table.played();
  const std::lock_guard lock(mutex_);
  if (over_) return;
  if (game.ending == Ending::Fault && callbacks_.fault)
    callbacks_.fault(*seats_[static_cast<std::size_t>(seat)].player, game);
  ++progress_.games;
  progress_.so_far.add(game.result, place.first_is_white ? Side::White : Side::Black);
  progress_.seconds = seconds_since(started_);
  if (callbacks_.progress) callbacks_.progress(progress_);
}

void Match::deliver(std::size_t group, const std::vector<Place>& places) {
  std::vector<PlayedPair> pairs;
  for (std::size_t i = 0; i < places.size(); i += 2)
    pairs.push_back({places[i].pairing, {places[i].table.played(), places[i + 1].table.played()}});
  const std::lock_guard lock(mutex_);
  waiting_.emplace(group, std::move(pairs));
  for (auto it = waiting_.begin(); it != waiting_.end() && it->first == next_delivered_ && !over_;
       it = waiting_.erase(it), ++next_delivered_)
    for (const PlayedPair& pair : it->second)
      if (callbacks_.pair && !callbacks_.pair(pair)) {
        over_ = true;
        return;
      }
}

}  // namespace

bool play_pairs(std::span<const Seat> seats, std::span<const Game> openings,
                std::span<const Pairing> pairs, const PairsConfig& config,
                const MatchCallbacks& callbacks, const std::atomic<bool>* stop) {
  return Match(seats, openings, pairs, config, callbacks).run(stop);
}

MatchResult play_match(Player& first, Player& second, std::span<const Game> openings,
                       const MatchConfig& config, const MatchCallbacks& callbacks,
                       const std::atomic<bool>* stop) {
  if (static_cast<int>(openings.size()) < config.pairs)
    throw Failure("a match of " + std::to_string(config.pairs) + " pairs needs as many openings, " +
                  std::to_string(openings.size()) + " were given");
  std::vector<Pairing> pairs;
  for (int opening = 0; opening < config.pairs; ++opening) pairs.push_back({0, 1, opening});
  ScoreKeeper score;
  MatchCallbacks keeping = callbacks;
  keeping.pair = [&](const PlayedPair& pair) {
    score.add(pair);
    return !callbacks.pair || callbacks.pair(pair);
  };
  const Seat seats[] = {{&first}, {&second}};
  const auto begin = std::chrono::steady_clock::now();
  score.result.stopped = !play_pairs(seats, openings, pairs, config, keeping, stop);
  score.result.seconds = seconds_since(begin);
  return std::move(score.result);
}

}  // namespace gounki::arena
