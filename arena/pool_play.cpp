#include "arena/pool_play.h"

#include <algorithm>
#include <set>

#include "arena/pairing.h"
#include "core/error.h"
#include "core/text.h"

namespace gounki::arena {
namespace {

constexpr std::size_t kLongestName = 100;  // of a player, in the name of a file

// A player's text as a part of a file's name. The log's first line has the text itself.
std::string file_name(const std::string& text) {
  std::string name = text.substr(0, kLongestName);
  for (char& c : name)
    if (!is_letter(c) && !is_digit(c) && c != '-' && c != '.') c = '_';
  return name;
}

FileLock lock(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Failure(folder.string() + ": cannot be made: " + error.message());
  const std::filesystem::path file = folder / "pool.lock";
  auto lock = FileLock::try_lock(file);
  if (!lock)
    throw Failure(folder.string() + " is being played by process " +
                  std::to_string(FileLock::holder(file)));
  return std::move(*lock);
}

void check_players(const std::vector<PoolPlayer>& players) {
  if (players.size() < 2) throw UsageError("a pool needs two players or more");
  std::set<std::string> texts;
  for (const PoolPlayer& player : players)
    if (!texts.insert(player.text).second)
      throw UsageError("player \"" + player.text + "\" is in the pool twice");
}

}  // namespace

void PlayedPool::Meeting::add(const PlayedPair& pair) {
  ++played;
  ++counts[static_cast<std::size_t>(pair.half_points())];
}

PlayedPool::PlayedPool(std::filesystem::path folder, std::vector<PoolPlayer> players,
                       const PoolConfig& config, const OpeningsConfig& openings, const Rules& rules,
                       const RatingAnchor& anchor, std::vector<int> interest)
    : folder_(std::move(folder)), lock_(lock(folder_)), players_(std::move(players)), config_(config),
      openings_config_(openings), rules_(rules), anchor_(anchor), interest_(std::move(interest)) {
  check_players(players_);
  const int count = static_cast<int>(players_.size());
  for (int first = 0; first < count; ++first)
    for (int second = first + 1; second < count; ++second)
      if (const Who who(first, second); std::filesystem::exists(log_path(who))) {
        meetings_[who] = open(who);
        pairs_ += meetings_[who].played;
      }
}

std::filesystem::path PlayedPool::log_path(const Who& who) const {
  const auto name = [&](int player) {
    return file_name(players_[static_cast<std::size_t>(player)].text);
  };
  return folder_ / (name(who.first) + "__" + name(who.second) + ".jsonl");
}

PlayedPool::Meeting PlayedPool::open(const Who& who) {
  MatchSettings settings;
  settings.players = {players_[static_cast<std::size_t>(who.first)].text,
                      players_[static_cast<std::size_t>(who.second)].text};
  settings.clocks.resize(2);
  settings.seed = config_.seed;
  settings.table = config_;
  settings.rules = rules_;
  settings.openings = origin_text(openings_config_);
  Meeting meeting;
  const std::filesystem::path path = log_path(who);
  meeting.log = std::make_unique<MatchLog>(path, settings);
  make_openings_up_to(static_cast<int>(meeting.log->pairs().size()));
  for (const PlayedPair& pair : meeting.log->pairs()) {
    if (pair.pairing != Pairing{0, 1, meeting.played} ||
        !begins_with(pair.games[0], openings_[static_cast<std::size_t>(meeting.played)]))
      throw Failure(path.string() + ": pair " + std::to_string(meeting.played + 1) +
                    " is not of the pool's opening; remove the file, or use another folder");
    meeting.add(pair);
  }
  return meeting;
}

// The first openings are the same however many there are.
void PlayedPool::make_openings_up_to(int count) {
  const int there = static_cast<int>(openings_.size());
  if (count <= there) return;
  openings_ = make_openings(std::max({count, 2 * there, 32}), static_cast<std::uint64_t>(config_.seed),
                            openings_config_, rules_);
}

Ratings PlayedPool::ratings() const {
  std::vector<PairResults> results;
  for (const auto& [who, meeting] : meetings_)
    results.push_back({who.first, who.second, meeting.counts});
  return Ratings(static_cast<int>(players_.size()), results, anchor_);
}

// A block that was begun is ended first, so that what is chosen does not depend on kills.
PlayedPool::Who PlayedPool::next_meeting() const {
  for (const auto& [who, meeting] : meetings_)
    if (meeting.played % config_.block != 0) return who;
  const Ratings now = ratings();
  const std::vector<PlayerRating>& players = now.players();
  for (std::size_t i = 0; i + 1 < players.size(); ++i)
    if (players[i].group != players[i + 1].group) return Who(i, i + 1);
  const NextPairing next = most_telling_pairing(now, interest_, config_.block);
  return std::minmax(next.first, next.second);
}

void PlayedPool::play_block(const Who& who, const std::function<void(const PoolProgress&)>& progress,
                            const std::atomic<bool>& stop) {
  if (!meetings_.contains(who)) meetings_[who] = open(who);
  Meeting& meeting = meetings_[who];
  std::int64_t count = config_.block - meeting.played % config_.block;
  if (config_.pairs > 0) count = std::min(count, config_.pairs - pairs_);
  const int begin = meeting.played, end = begin + static_cast<int>(count);
  make_openings_up_to(end);
  std::vector<Pairing> pairings;
  for (int opening = begin; opening < end; ++opening) pairings.push_back({0, 1, opening});

  PoolProgress so_far{who.first, who.second, {}, pairs_};
  MatchCallbacks callbacks;
  callbacks.pair = [&](const PlayedPair& pair) {
    meeting.log->append(pair);
    meeting.add(pair);
    ++pairs_;
    return true;
  };
  callbacks.progress = [&](const MatchProgress& block) {
    so_far.block = block;
    if (progress) progress(so_far);
  };
  const Seat seats[] = {{players_[static_cast<std::size_t>(who.first)].player},
                        {players_[static_cast<std::size_t>(who.second)].player}};
  play_pairs(seats, openings_, pairings, config_, callbacks, &stop);
  meeting.log->sync();
}

bool PlayedPool::play(const std::function<void(const PoolProgress&)>& progress,
                      const std::atomic<bool>& stop) {
  const auto done = [&] { return config_.pairs > 0 && pairs_ >= config_.pairs; };
  while (!done() && !stop) play_block(next_meeting(), progress, stop);
  return done();
}

}  // namespace gounki::arena
