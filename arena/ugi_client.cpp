#include "arena/ugi_client.h"

#include <algorithm>
#include <cmath>

#include "core/notation.h"
#include "core/text.h"

namespace gounki::arena {
namespace {

// An answer that is longer is a flood.
constexpr std::size_t kMostAnswer = 32 << 20;

// A message that quotes an engine: whatever that said, it is one line of plain text, and not too long.
std::string shown(std::string message) {
  constexpr std::size_t kMost = 200;
  std::replace_if(message.begin(), message.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return message.size() > kMost ? message.substr(0, kMost) + "..." : message;
}

std::string ms_text(std::int64_t ms) { return std::to_string(ms) + " ms"; }

std::int64_t ms_since(Deadline begin) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               begin).count();
}

// The protocol's clocks count milliseconds and are never empty.
std::int64_t ms_of(double seconds) {
  return std::clamp<std::int64_t>(std::llround(1000.0 * seconds), 1, 86'400'000);
}

std::string clocks_text(const Clocks& clocks, Side mover) {
  const mcts::Clock& white = mover == Side::White ? clocks.own : clocks.other;
  const mcts::Clock& black = mover == Side::White ? clocks.other : clocks.own;
  const auto increment = [](const mcts::Clock& clock) {
    return std::to_string(std::max<std::int64_t>(0, std::llround(1000.0 * clock.increment)));
  };
  std::string text = "p1time " + std::to_string(ms_of(white.left)) + " p2time " +
                     std::to_string(ms_of(black.left)) + " p1inc " + increment(white) + " p2inc " +
                     increment(black);
  if (clocks.own.moves_to_go > 0)
    text += " movestogo " + std::to_string(clocks.own.moves_to_go);
  return text;
}

// What a move may take.
struct Limit {
  std::string go;  // the line that says so
  std::int64_t ms = 0;
};

Limit limit_of(const UgiConfig& config, const Turn& turn) {
  if (turn.clocks)
    return {"go " + clocks_text(*turn.clocks, turn.game->position().side_to_move()),
            ms_of(turn.clocks->own.left)};
  std::string go = "go";
  const bool bounded = config.nodes > 0 || config.depth > 0;
  const int movetime =
      config.movetime > 0 || bounded ? config.movetime : UgiConfig::kDefaultMovetime;
  if (movetime > 0) go += " movetime " + std::to_string(movetime);
  if (config.nodes > 0) go += " nodes " + std::to_string(config.nodes);
  if (config.depth > 0) go += " depth " + std::to_string(config.depth);
  return {go, movetime > 0 ? movetime : config.timeout_ms};
}

std::string position_line(const Game& game) {
  const Position& first = game.positions().front();
  std::string line =
      first == Position::start() ? "position startpos" : "position fen " + to_string(first);
  if (!game.moves().empty()) line += " moves";
  for (std::size_t i = 0; i < game.moves().size(); ++i)
    line += " " + to_string(game.moves()[i], game.positions()[i]);
  return line;
}

// The score of the best line, the last one said; depth and nodes likewise.
void take_info(const std::vector<std::string>& words, Choice& choice) {
  const UgiInfo info = read_ugi_info(words);
  if (info.multipv != 1) return;
  if (info.score) choice.value = value_of(*info.score);
  if (info.depth) choice.depth = *info.depth;
  if (info.nodes) choice.nodes = *info.nodes;
}

}  // namespace

UgiClient::UgiClient(const UgiConfig& config, std::vector<std::string> command, Settings settings)
    : config_(config), command_(std::move(command)), settings_(std::move(settings)) {}

UgiClient::~UgiClient() {
  quit();
  finish();
}

void UgiClient::start() {
  last_.reset();
  auto process = Process::start(command_, config_.log);
  if (!process) throw UgiFault{Fault::Crash, process.error().message};
  process_ = std::move(*process);
  greet();
  set_options();
  say("isready");
  wait_for("readyok");
}

void UgiClient::greet() {
  options_.clear();
  say("ugi");
  const bool answered = read_until(in_ms(config_.handshake_ms), [&](const auto& words) {
    if (words[0] == "option")
      if (auto option = read_ugi_option(words)) options_.push_back(std::move(*option));
    return words[0] == "ugiok";
  });
  if (!answered)
    throw UgiFault{Fault::Stall, "no ugiok within " + ms_text(config_.handshake_ms) + " of ugi"};
}

void UgiClient::set_options() {
  for (const auto& [name, value] : settings_) {
    const auto option = std::find_if(options_.begin(), options_.end(),
                                     [&name = name](const auto& o) { return o.name == name; });
    if (option == options_.end()) {
      std::vector<std::string> known;
      for (const UgiOption& o : options_) known.push_back(o.name);
      throw UgiFault{Fault::Garbage,
                     shown("the engine has no option \"" + name + "\"" +
                         (known.empty() ? ", it has none at all"
                                        : ", did you mean \"" + nearest_name(name, known) + "\"?"))};
    }
    if (const auto checked = check_ugi_value(*option, value); !checked)
      throw UgiFault{Fault::Garbage, shown("the engine's option " + checked.error().message)};
    say("setoption name " + name + (option->type == "button" ? "" : " value " + value));
  }
}

bool UgiClient::follows(const Game& game) const {
  if (!last_ || game.moves().size() != last_->moves().size() + 1) return false;
  return game.positions().front() == last_->positions().front() &&
         std::equal(last_->moves().begin(), last_->moves().end(), game.moves().begin());
}

bool UgiClient::answers() {
  try {
    say("isready");
    wait_for("readyok");
    return true;
  } catch (const UgiFault&) {
    return false;
  }
}

void UgiClient::set_position(const Game& game) {
  if (!follows(game)) {
    say("uginewgame");
    say("isready");
    wait_for("readyok");
  }
  say(position_line(game));
  // Whatever a search before this one has still to say comes before the answer.
  say("isready");
  wait_for("readyok");
}

Choice UgiClient::choose(const Turn& turn) {
  const Game& game = *turn.game;
  set_position(game);
  last_.reset();
  Choice choice;
  const std::string text = best_move(turn, choice);
  const auto move = parse_move(text, game.position(), game.rules());
  if (!move)
    throw UgiFault{Fault::IllegalMove,
                   text.empty() ? "bestmove names no move"
                                : shown("bestmove \"" + text + "\": " + move.error().message)};
  choice.move = *move;
  last_ = game;
  last_->play(*move);
  return choice;
}

// The text of the move that the engine wants to play.
std::string UgiClient::best_move(const Turn& turn, Choice& choice) {
  const Limit limit = limit_of(config_, turn);
  std::string text;
  const auto listen = [&](const std::vector<std::string>& words) {
    if (words[0] == "info") take_info(words, choice);
    if (words[0] != "bestmove") return false;
    if (words.size() > 1) text = words[1];
    return true;
  };
  say(limit.go);
  const auto begin = std::chrono::steady_clock::now();
  if (read_until(begin + std::chrono::milliseconds(limit.ms + config_.margin_ms), listen))
    return text;
  say("stop");
  const bool answered = read_until(in_ms(config_.grace_ms), listen);
  const std::string after = ms_text(ms_since(begin)) + ", it had " + ms_text(limit.ms);
  if (answered) throw UgiFault{Fault::TimeLoss, "bestmove came after " + after};
  throw UgiFault{Fault::Stall, "no bestmove after " + after + " and was told to stop"};
}

void UgiClient::say(const std::string& line) {
  doing_ = line.substr(0, line.find(' '));
  received_ = 0;
  switch (process_->send(line + "\n", in_ms(config_.handshake_ms))) {
    case Process::Sent::All: return;
    case Process::Sent::Broken:
      throw UgiFault{Fault::Crash, "it " + process_->state() + " before \"" + doing_ + "\""};
    case Process::Sent::Late:
      throw UgiFault{Fault::Stall, "it does not read its input, at \"" + doing_ + "\""};
  }
}

bool UgiClient::read_until(Deadline deadline,
                           const std::function<bool(const std::vector<std::string>&)>& is_last) {
  const auto garbage = [&](const std::string& what) {
    return UgiFault{Fault::Garbage, what + " in the answer to \"" + doing_ + "\""};
  };
  for (std::string line;;) {
    switch (process_->read_line(line, deadline)) {
      case Process::Got::Line: break;
      case Process::Got::Late: return false;
      case Process::Got::Flood: throw garbage("a line of more than 1 MiB");
      case Process::Got::End:
        throw UgiFault{Fault::Crash, "it " + process_->state() + " after \"" + doing_ + "\""};
    }
    received_ += line.size() + 1;
    if (line.find('\0') != std::string::npos) throw garbage("a byte 0");
    if (received_ > kMostAnswer) throw garbage("more than 32 MiB");
    const std::vector<std::string> words = words_of(line);
    if (!words.empty() && is_last(words)) return true;
  }
}

void UgiClient::wait_for(const std::string& answer) {
  if (!read_until(in_ms(config_.handshake_ms),
                  [&](const auto& words) { return words[0] == answer; }))
    throw UgiFault{Fault::Stall, "no " + answer + " within " + ms_text(config_.handshake_ms)};
}

void UgiClient::quit() {
  if (process_) process_->send("stop\nquit\n", in_ms(0));
}

void UgiClient::finish() {
  if (process_) process_->end(config_.quit_ms);
  process_.reset();
}

void UgiClient::kill() {
  constexpr int kFailed = 50;  // milliseconds
  quit();
  if (process_) process_->end(kFailed);
  process_.reset();
  last_.reset();
}

}  // namespace gounki::arena
