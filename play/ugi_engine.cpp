#include "play/ugi_engine.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "core/random.h"
#include "core/text.h"
#include "play/evaluators.h"
#include "play/options.h"
#include "play/search_report.h"
#include "play/version.h"

namespace gounki::play {
namespace {

constexpr double kInfoSeconds = 0.5;  // between two reports on a search

// A text from others on one line of ours: plain characters, and not too many.
std::string plain(std::string text) {
  constexpr std::size_t kMost = 400;
  std::replace_if(text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > kMost ? text.substr(0, kMost) + "..." : text;
}

std::string joined(std::span<const std::string> words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// Parts per thousand of the memory that the search may use.
std::string hashfull_text(const mcts::Report& report, int memory_mb) {
  if (memory_mb == 0) return "";
  const double share =
      static_cast<double>(report.bytes) / (static_cast<double>(memory_mb) * (1 << 20));
  return fmt::format(" hashfull {}", std::min(1000, static_cast<int>(std::lround(1000.0 * share))));
}

mcts::Proof proof_of(const mcts::MoveStats& move) {
  if (!move.proven || move.q.v == 0) return {};
  return move.q.v > 0 ? mcts::Proof::win(move.plies) : mcts::Proof::loss(move.plies);
}

Expected<Game> read_position(std::span<const std::string> words, const Rules& rules) {
  const auto moves = std::find(words.begin(), words.end(), "moves");
  const std::span<const std::string> first(words.begin(), moves);
  if (first.size() < 2 || (first[1] != "startpos" && first[1] != "fen") ||
      (first[1] == "startpos" && first.size() > 2))
    return fail("expected startpos or fen POSITION, then moves and moves");
  const auto position = first[1] == "fen" ? parse_position(joined(first.subspan(2)))
                                          : Expected<Position>(Position::start());
  if (!position) return tl::make_unexpected(position.error());
  Game game(*position, rules);
  if (moves == words.end()) return game;
  for (auto text = moves + 1; text != words.end(); ++text) {
    const auto move = game.is_over() ? Expected<Move>(fail("the game is over"))
                                     : parse_move(*text, game.position(), rules);
    if (!move)
      return fail(fmt::format("move {}, \"{}\": {}", game.moves().size() + 1, *text,
                              move.error().message));
    game.play(*move);
  }
  return game;
}

const char* result_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::WhiteWins: return "p1win";
    case Outcome::BlackWins: return "p2win";
    case Outcome::Draw: return "draw";
    case Outcome::Ongoing: break;
  }
  return "none";
}

}  // namespace

struct UgiEngine::Command {
  const char* name;
  void (UgiEngine::*obey)(Words words);
  bool while_searching;
};

const UgiEngine::Command UgiEngine::kCommands[] = {
    {"ugi", &UgiEngine::introduce, true},
    {"isready", &UgiEngine::get_ready, true},
    {"setoption", &UgiEngine::set_option, false},
    {"uginewgame", &UgiEngine::begin_game, false},
    {"position", &UgiEngine::set_position, false},
    {"go", &UgiEngine::go, false},
    {"stop", &UgiEngine::stop_search, true},
    {"ponderhit", &UgiEngine::ponder_hit, true},
    {"query", &UgiEngine::answer_query, true},
};

UgiEngine::UgiEngine(const UgiSettings& settings, const Rules& rules, Say say)
    : settings_(settings), rules_(rules),
      evaluator_(evaluator_from_text(settings.evaluator, settings.seed, rules)),
      game_(Position::start(), rules), say_(std::move(say)) {
  value_or_throw<UsageError>(settings.check());
}

UgiEngine::~UgiEngine() { stop(); }

bool UgiEngine::hear(std::string_view line) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty()) return true;
  if (words[0] == "quit") {
    stop();
    return false;
  }
  try {
    obey(words);
  } catch (const std::exception& error) {
    complain(words[0] + ": " + error.what());
  }
  return true;
}

void UgiEngine::obey(Words words) {
  const auto command = std::find_if(std::begin(kCommands), std::end(kCommands),
                                    [&](const Command& c) { return words[0] == c.name; });
  if (command == std::end(kCommands)) return complain("unknown command \"" + words[0] + "\"");
  if (searching_ && !command->while_searching)
    return complain(words[0] + ": a search is under way, send stop first");
  if (!searching_ && thread_.joinable()) thread_.join();
  (this->*command->obey)(words);
}

void UgiEngine::introduce(Words) {
  const std::string version = version_text();
  say("id name " + version.substr(0, version.find('\n')));
  say("id author the gounki developers");
  for (const arena::UgiOption& option : ugi_options(settings_)) say(to_string(option));
  say("ugiok");
}

void UgiEngine::get_ready(Words) {
  if (!searching_) engine();
  say("readyok");
}

void UgiEngine::set_option(Words words) {
  const auto value = std::find(words.begin(), words.end(), "value");
  const bool named = words.size() > 2 && words[1] == "name";
  if (!named || value == words.end() || value - words.begin() < 3)
    return complain("setoption: expected setoption name NAME value VALUE");
  const std::string name = joined({words.begin() + 2, value});
  UgiSettings changed = settings_;
  const auto set = set_ugi_option(changed, name, joined({value + 1, words.end()}));
  if (!set) return complain("setoption: " + set.error().message);
  if (changed.evaluator != settings_.evaluator || changed.seed != settings_.seed)
    evaluator_ = evaluator_from_text(changed.evaluator, changed.seed, rules_);
  settings_ = std::move(changed);
  engine_.reset();
}

void UgiEngine::begin_game(Words) {
  if (engine_) engine_->forget();
  game_ = Game(Position::start(), rules_);
  ++games_;
}

void UgiEngine::set_position(Words words) {
  auto game = read_position(words, rules_);
  if (!game) return complain("position: " + game.error().message);
  game_ = std::move(*game);
}

void UgiEngine::answer_query(Words words) {
  const std::string what = words.size() > 1 ? words[1] : "";
  const auto yes_or_no = [](bool yes) { return yes ? "true" : "false"; };
  if (what == "p1turn")
    say(std::string("response ") + yes_or_no(game_.position().side_to_move() == Side::White));
  else if (what == "gameover") say(std::string("response ") + yes_or_no(game_.is_over()));
  else if (what == "result") say(std::string("response ") + result_word(game_.outcome()));
  else complain("query: expected p1turn, gameover or result, found \"" + what + "\"");
}

void UgiEngine::go(Words words) {
  if (game_.is_over()) {
    complain("go: the game is over, " + outcome_text(game_));
    return say("bestmove none");
  }
  const UgiGo go = read_ugi_go(words, game_);
  for (const std::string& complaint : go.complaints) complain(complaint);
  stopped_ = interrupt_ = false;
  pondering_ = go.ponder;
  searching_ = true;
  const auto ply = static_cast<std::uint64_t>(game_.position().ply());
  const std::uint64_t seed =
      derive_seed({static_cast<std::uint64_t>(settings_.seed), games_, ply});
  thread_ = std::thread([this, go, game = game_, seed] { search(go, game, seed); });
}

void UgiEngine::stop_search(Words) { stop(); }

void UgiEngine::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = interrupt_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void UgiEngine::ponder_hit(Words) {
  {
    const std::lock_guard lock(mutex_);
    if (!searching_ || !pondering_) return complain("ponderhit: nothing is pondered on");
    pondering_ = false;
    interrupt_ = true;
  }
  changed_.notify_all();
}

mcts::Engine& UgiEngine::engine() {
  if (!engine_) engine_ = std::make_unique<mcts::Engine>(settings_, evaluator_);
  return *engine_;
}

// On the search's thread.
void UgiEngine::search(const UgiGo& go, const Game& game, std::uint64_t seed) {
  std::string best = "bestmove none";
  try {
    const mcts::Report report = think(go, game, seed);
    say_lines(game, report);
    const std::vector<std::string> line = line_text(game, report.result.line());
    best = "bestmove " + line[0];
    if (settings_.ponder && line.size() > 1) best += " ponder " + line[1];
  } catch (const std::exception& error) {
    complain(std::string("go: ") + error.what());
  }
  searching_ = false;
  say(best);
}

mcts::Report UgiEngine::think(const UgiGo& go, const Game& game, std::uint64_t seed) {
  mcts::Request request = go.request;
  request.lines = settings_.multipv;
  request.stop = &interrupt_;
  const mcts::Watch watch{kInfoSeconds,
                          [&](const mcts::Report& report) { say_lines(game, report); }};
  mcts::Engine& thinker = engine();
  if (!go.ponder) return thinker.think(game, seed, request, watch);

  mcts::Request endless = request;
  endless.endless = true;
  const mcts::Report pondered = thinker.think(game, seed, endless, watch);
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopped_ || !pondering_; });
    if (stopped_) return pondered;
    interrupt_ = false;
  }
  return thinker.think(game, seed, request, watch);
}

void UgiEngine::say_lines(const Game& game, const mcts::Report& report) {
  const mcts::SearchResult& result = report.result;
  for (std::size_t i = 0; i < result.lines.size(); ++i) {
    const mcts::MoveStats& first = result.moves[static_cast<std::size_t>(result.ranking[i])];
    say(fmt::format("info depth {} seldepth {} multipv {} score {} nodes {} nps {}{} time {} pv {}",
                    result.depth, result.seldepth, i + 1,
                    to_string(arena::ugi_score(first.q, proof_of(first))), result.nodes,
                    std::llround(report.visits_per_second()),
                    hashfull_text(report, settings_.memory_mb),
                    std::llround(1000.0 * report.seconds),
                    fmt::join(line_text(game, result.lines[i]), " ")));
  }
}

void UgiEngine::complain(std::string what) { say("info string error " + plain(std::move(what))); }

void UgiEngine::say(const std::string& line) {
  const std::lock_guard lock(say_mutex_);
  say_(line);
}

}  // namespace gounki::play
