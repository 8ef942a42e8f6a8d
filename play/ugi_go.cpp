#include "play/ugi_go.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/notation.h"

namespace gounki::play {
namespace {

constexpr const char* kNumbers[] = {"movetime", "nodes", "visits", "depth",    "p1time",
                                    "p2time",   "p1inc", "p2inc",  "movestogo"};
constexpr const char* kFlags[] = {"infinite", "ponder", "searchmoves"};

template <class Names>
bool is_one_of(const Names& names, const std::string& word) {
  return std::find(std::begin(names), std::end(names), word) != std::end(names);
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

class GoReader {
 public:
  GoReader(std::span<const std::string> words, const Game& game) : words_(words), game_(game) {}

  UgiGo read() {
    while (at_ < words_.size()) {
      const std::string& key = words_[at_++];
      if (is_one_of(kNumbers, key)) read_number(key);
      else if (key == "infinite") go_.request.endless = true;
      else if (key == "ponder") go_.ponder = true;
      else if (key == "searchmoves") read_moves();
      else complain("what is " + quoted(key) + "?");
    }
    set_limits();
    return std::move(go_);
  }

 private:
  void complain(const std::string& what) { go_.complaints.push_back("go: " + what); }

  // A clock may be down to nothing, or below where its owner is late; a limit cannot.
  static std::int64_t least_of(const std::string& key) {
    const bool limit = key == "movetime" || key == "nodes" || key == "visits" || key == "depth";
    return limit ? 1 : std::numeric_limits<std::int64_t>::min();
  }

  std::int64_t at_least(std::int64_t least, std::int64_t number, const std::string& key) {
    if (number >= least) return number;
    complain(quoted(key) + " " + std::to_string(number) + " is too little, it is taken as " +
             std::to_string(least));
    return least;
  }

  void read_number(const std::string& key) {
    const std::string text = at_ < words_.size() ? words_[at_] : "";
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
      complain(quoted(key) + " needs a number, found " + (text.empty() ? "the end" : quoted(text)));
    else
      numbers_[key] = at_least(least_of(key), number, key);
    if (!is_one_of(kNumbers, text) && !is_one_of(kFlags, text) && !text.empty()) ++at_;
  }

  void read_moves() {
    auto& moves = go_.request.task.moves;
    for (; at_ < words_.size(); ++at_) {
      const std::string& text = words_[at_];
      if (is_one_of(kNumbers, text) || is_one_of(kFlags, text)) break;
      const auto move = parse_move(text, game_.position(), game_.rules());
      if (!move) complain("searchmoves, " + quoted(text) + ": " + move.error().message);
      else if (std::find(moves.begin(), moves.end(), *move) == moves.end()) moves.push_back(*move);
    }
    if (moves.empty()) complain("searchmoves names no legal move, all are searched");
  }

  std::optional<std::int64_t> number(const char* key, std::int64_t least, std::int64_t most) const {
    const auto found = numbers_.find(key);
    if (found == numbers_.end()) return std::nullopt;
    return std::clamp(found->second, least, most);
  }

  void set_limits() {
    constexpr std::int64_t kDay = 86'400'000;  // milliseconds
    mcts::Request& request = go_.request;
    if (const auto ms = number("movetime", 1, kDay)) request.seconds = static_cast<double>(*ms) / 1000;
    if (const auto visits = number("visits", 1, mcts::Task::kEndless)) request.task.visits = *visits;
    if (const auto nodes = number("nodes", 1, std::numeric_limits<std::int64_t>::max())) {
      request.task.nodes = *nodes;
      if (request.task.visits == 0) request.task.visits = mcts::Task::kEndless;
    }
    if (numbers_.contains("depth"))
      complain("a tree search has no depth to end at; it goes by the other limits, or by the options");

    const bool white = game_.position().side_to_move() == Side::White;
    if (const auto left = number(white ? "p1time" : "p2time", 0, 1000 * kDay)) {
      const auto increment = number(white ? "p1inc" : "p2inc", 0, kDay).value_or(0);
      const auto moves_to_go = number("movestogo", 0, 1000).value_or(0);
      request.clock = mcts::Clock{static_cast<double>(*left) / 1000,
                                  static_cast<double>(increment) / 1000,
                                  static_cast<int>(moves_to_go)};
    } else if (numbers_.contains("p1time") || numbers_.contains("p2time")) {
      complain(std::string("the clock of the side to move, ") + (white ? "p1time" : "p2time") +
               ", is missing");
    }
  }

  std::span<const std::string> words_;
  const Game& game_;
  std::size_t at_ = 1;
  std::map<std::string, std::int64_t> numbers_;
  UgiGo go_;
};

}  // namespace

UgiGo read_ugi_go(std::span<const std::string> words, const Game& game) {
  return GoReader(words, game).read();
}

}  // namespace gounki::play
