#include "selfplay/group.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>

#include "mcts/cache.h"
#include "mcts/search.h"
#include "selfplay/game_in_play.h"

namespace gounki::selfplay {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Hands everything on to the network, and notes in the group's statistics what that costs.
class MeasuredNetwork final : public mcts::Evaluator {
 public:
  MeasuredNetwork(int seats, PlayStats& stats) : seats_(seats), stats_(stats) {}
  void set(mcts::Evaluator& network) { network_ = &network; }

  void evaluate(std::span<const mcts::Leaf* const> leaves,
                std::span<mcts::Evaluation> out) override {
    const auto begin = Clock::now();
    network_->evaluate(leaves, out);
    stats_.network_seconds += seconds_since(begin);
    stats_.evaluations += static_cast<std::int64_t>(leaves.size());
    ++stats_.batches;
    stats_.slots += seats_;
  }
  std::string name() const override { return network_->name(); }

 private:
  mcts::Evaluator* network_ = nullptr;
  const int seats_;
  PlayStats& stats_;
};

// One place at the table: a game and the search of its current position.
struct Seat {
  explicit Seat(const mcts::SearchConfig& config) : search(config) {}
  std::unique_ptr<GameInPlay> game;
  mcts::Search search;
  bool searching = false;
  int waiting = 0;  // leaves handed out

  void leave() {
    game.reset();
    searching = false;
    waiting = 0;
  }
};

int seats_of(const RunConfig& config) {
  return std::min(config.selfplay.games_at_once, config.selfplay.games_per_group);
}

}  // namespace

class GroupPlayer::Table {
 public:
  explicit Table(const RunConfig& config)
      : config_(config),
        network_(std::make_shared<MeasuredNetwork>(seats_of(config), group_.stats)),
        evaluator_(network_) {
    if (config.selfplay.cache_mb > 0)
      evaluator_ = cache_ =
          std::make_shared<mcts::CachingEvaluator>(network_, config.selfplay.cache_mb);
    seats_.reserve(static_cast<std::size_t>(seats_of(config)));
    for (int i = 0; i < seats_of(config); ++i) seats_.emplace_back(config.search);
  }

  std::optional<Group> play(std::int64_t number, mcts::Evaluator& network,
                            std::int64_t network_step, const std::atomic<int>& stop) {
    const auto begin = Clock::now();
    begin_group(number, network, network_step);
    for (;;) {
      if (stop.load(std::memory_order_relaxed) >= kStopAtOnce) return std::nullopt;
      go_on();
      if (leaves_.empty()) break;
      evaluate();
    }
    for (auto& [game, samples] : samples_)
      group_.shard.samples.insert(group_.shard.samples.end(), samples.begin(), samples.end());
    for (auto& [game, record] : records_) group_.records.push_back(std::move(record));
    group_.stats.rows = static_cast<std::int64_t>(group_.shard.samples.size());
    group_.stats.cache_lookups = (cache_ ? cache_->lookups() : 0) - lookups_before_;
    group_.stats.cache_hits = (cache_ ? cache_->hits() : 0) - hits_before_;
    group_.stats.seconds = seconds_since(begin);
    return std::move(group_);
  }

 private:
  void begin_group(std::int64_t number, mcts::Evaluator& network, std::int64_t network_step) {
    network_->set(network);
    group_ = Group();
    group_.number = number;
    group_.shard.network_step = network_step;
    next_game_ = number * config_.selfplay.games_per_group;
    end_game_ = next_game_ + config_.selfplay.games_per_group;
    for (Seat& seat : seats_) seat.leave();
    leaves_.clear();
    records_.clear();
    samples_.clear();
    if (!cache_) return;
    // Another group may have had another network, and its games are not to decide what the cache
    // holds, and so what a batch is made of.
    cache_->clear();
    lookups_before_ = cache_->lookups();
    hits_before_ = cache_->hits();
  }

  // Gives every seat the answers that it waits for and takes its next leaves. Both at once, since a
  // seat's memory has left the processor's caches while the network was busy.
  void go_on() {
    leaves_.clear();
    std::span<const mcts::Evaluation> rest = evaluations_;
    for (Seat& seat : seats_) {
      const auto mine = static_cast<std::size_t>(seat.waiting);
      if (mine > 0) seat.search.apply(rest.first(mine));
      rest = rest.subspan(mine);
      seat.waiting = gather(seat);
    }
  }

  // Plays the seat's games on until a search wants a leaf that has to wait for the network; 0 when no
  // game is left.
  int gather(Seat& seat) {
    for (;;) {
      if (seat.game && seat.game->over()) finish(seat);
      if (!seat.game) {
        if (next_game_ == end_game_) return 0;
        seat.game = std::make_unique<GameInPlay>(config_, next_game_++);
        continue;
      }
      if (!seat.searching)
        seat.search.start(seat.game->game(), seat.game->search_seed(),
                          seat.game->search_task());
      seat.searching = true;
      if (const int leaves = seat.search.gather(leaves_, 1); leaves > 0) {
        if (!cache_ || !cache_->evaluate_known(leaves_.back(), known_)) return leaves;
        leaves_.pop_back();
        seat.search.apply(std::span(&known_, 1));
        continue;
      }
      if (!seat.search.done()) throw std::logic_error("a search neither asks nor ends");
      seat.game->take(seat.search.result());
      seat.searching = false;
      ++group_.stats.moves;
    }
  }

  void finish(Seat& seat) {
    const GameInPlay& game = *seat.game;
    PlayStats& stats = group_.stats;
    ++stats.games;
    if (game.capped()) ++stats.capped;
    if (game.game().outcome() == Outcome::WhiteWins) ++stats.white_wins;
    if (game.game().outcome() == Outcome::BlackWins) ++stats.black_wins;
    if (game.game().outcome() == Outcome::Draw) ++stats.draws;
    records_[game.number()] = game.record(group_.shard.network_step);
    samples_[game.number()] = game.samples();
    seat.game.reset();
  }

  void evaluate() {
    pointers_.clear();
    for (const mcts::Leaf& leaf : leaves_) pointers_.push_back(&leaf);
    evaluations_.resize(leaves_.size());
    evaluator_->evaluate(pointers_, evaluations_);
  }

  const RunConfig& config_;
  Group group_;
  std::shared_ptr<MeasuredNetwork> network_;
  std::shared_ptr<mcts::CachingEvaluator> cache_;
  std::shared_ptr<mcts::Evaluator> evaluator_;
  std::int64_t lookups_before_ = 0, hits_before_ = 0;  // of groups before this one
  std::int64_t next_game_ = 0, end_game_ = 0;
  std::vector<Seat> seats_;
  std::vector<mcts::Leaf> leaves_;
  std::vector<const mcts::Leaf*> pointers_;
  std::vector<mcts::Evaluation> evaluations_;
  mcts::Evaluation known_;
  std::map<std::int64_t, GameRecord> records_;
  std::map<std::int64_t, std::vector<Sample>> samples_;
};

GroupPlayer::GroupPlayer(const RunConfig& config) : table_(std::make_unique<Table>(config)) {}
GroupPlayer::~GroupPlayer() = default;

std::optional<Group> GroupPlayer::play(std::int64_t number, mcts::Evaluator& network,
                                       std::int64_t network_step, const std::atomic<int>& stop) {
  return table_->play(number, network, network_step, stop);
}

double PlayStats::batch_fill() const {
  return slots > 0 ? static_cast<double>(evaluations) / static_cast<double>(slots) : 0;
}

double PlayStats::cache_hit_share() const {
  if (cache_lookups == 0) return 0;
  return static_cast<double>(cache_hits) / static_cast<double>(cache_lookups);
}

PlayStats& PlayStats::operator+=(const PlayStats& o) {
  games += o.games;
  moves += o.moves;
  rows += o.rows;
  capped += o.capped;
  white_wins += o.white_wins;
  black_wins += o.black_wins;
  draws += o.draws;
  evaluations += o.evaluations;
  batches += o.batches;
  slots += o.slots;
  cache_lookups += o.cache_lookups;
  cache_hits += o.cache_hits;
  seconds += o.seconds;
  network_seconds += o.network_seconds;
  return *this;
}

std::string records_text(const Group& group) {
  std::string text;
  for (const GameRecord& record : group.records) {
    if (!text.empty()) text += '\n';
    text += to_string(record);
  }
  return text;
}

}  // namespace gounki::selfplay
