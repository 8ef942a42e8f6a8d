// gounki replay: plays through the records of a file and checks every move.
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "core/record.h"
#include "mcts/handcrafted.h"
#include "play/board_view.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/options.h"

namespace gounki::play {
namespace {

constexpr int kBadShown = 10;  // games whose error is printed

struct ReplayOptions : RulesOptions {
  std::string file;
  bool positions = false, terms = false, json = false;
};

struct Replayed {
  GameRecord record;
  Game game;
  std::vector<std::string> moves;  // in the canonical form
};

Replayed replay(GameRecord record) {
  Game game = record.replay();
  std::vector<std::string> moves;
  for (std::size_t i = 0; i < record.moves.size(); ++i)
    moves.push_back(to_string(record.moves[i], game.positions()[i]));
  return {std::move(record), std::move(game), std::move(moves)};
}

std::string tag_or(const GameRecord& record, std::string_view name, std::string_view otherwise) {
  const std::string* value = record.tag(name);
  return value ? *value : std::string(otherwise);
}

// What the rules say of the last position, and what the record claims where the rules say nothing.
std::string result_line(const Replayed& r) {
  if (r.game.is_over())
    return fmt::format("{}  {}", to_string(r.game.outcome()), outcome_text(r.game));
  if (r.record.result == Outcome::Ongoing) return fmt::format("*  {}", outcome_text(r.game));
  return fmt::format("{}  as the record has it; by the rules the game could go on",
                     to_string(r.record.result));
}

// What the handcrafted evaluation adds up in each position; null where it holds it for decided.
Json terms_json(const Game& game) {
  Json terms = Json::array();
  for (const Position& position : game.positions()) {
    const auto counts = position.is_lost() ? std::nullopt : mcts::handcrafted_counts(position);
    terms.push_back(counts ? Json(*counts) : Json());
  }
  return terms;
}

void print_json(int number, const Replayed& r, const ReplayOptions& options) {
  Json out = {{"game", number}};
  for (const auto& [name, value] : r.record.tags) out["tags"][name] = value;
  out["plies"] = r.moves.size();
  out["moves"] = r.moves;
  if (options.terms) out["terms"] = terms_json(r.game);
  if (options.positions)
    for (const Position& position : r.game.positions()) out["positions"].push_back(to_string(position));
  out["position"] = to_string(r.game.position());
  out["result"] = to_string(r.record.result);
  out["result_of_rules"] = to_string(r.game.outcome());
  fmt::print("{}\n", out.dump());
}

void print_text(int number, const Replayed& r, bool with_positions) {
  fmt::print("game {}: {} against {}, {} plies{}\n", number, tag_or(r.record, "White", "White"),
             tag_or(r.record, "Black", "Black"), r.moves.size(),
             r.moves.empty() ? "" : ", last " + r.moves.back());
  if (with_positions)
    for (std::size_t i = 0; i < r.moves.size(); ++i)
      fmt::print("{}  {}  {}\n", i + 1, r.moves[i], to_string(r.game.positions()[i + 1]));
}

void print_replayed(int number, const Replayed& replayed, const ReplayOptions& options,
                    bool with_board) {
  if (options.json) return print_json(number, replayed, options);
  print_text(number, replayed, options.positions);
  if (with_board) {
    BoardStyle style;
    style.marked = squares_of_last_move(replayed.game);
    fmt::print("{}", board_view(replayed.game.position(), style));
  }
  fmt::print("{}\n{}\n", to_string(replayed.game.position()), result_line(replayed));
}

void run_replay(const ReplayOptions& options) {
  if (options.terms && !options.json)
    throw UsageError("--terms: there are terms in JSON only; add --json");
  const std::string text = read_record_file(options.file);
  const std::vector<std::string_view> games = split_records(text);
  if (games.empty())
    throw Failure(options.file + ": holds no game; a record has moves such as \"1. a2-b3 h7-g6\"");

  const bool one = games.size() == 1;
  int number = 0, bad = 0;
  for (const std::string_view game : games) {
    ++number;
    auto record = parse_record(game, options.rules());
    if (record) {
      print_replayed(number, replay(std::move(*record)), options, one);
      continue;
    }
    if (one) throw Failure(options.file + ": " + record.error().message);
    if (++bad <= kBadShown)
      fmt::print(stderr, "{}: game {}: {}\n", options.file, number, record.error().message);
  }
  if (bad > 0)
    throw Failure(fmt::format("{}: {} of {} games cannot be replayed", options.file, bad, number));
}

}  // namespace

void add_replay(Program& program) {
  auto options = std::make_shared<ReplayOptions>();
  Command command = program.add_command(
      "replay", "Play through the games of a record: the last position and the result");
  command.option("FILE", options->file, "A game record, of one game or more", {.required = true});
  command.flag("--positions", options->positions, "Print the position after every move too");
  command.flag("--terms", options->terms,
               "With --json: what the handcrafted evaluation counts in every position");
  command.flag("--json", options->json, "Print one JSON object a line, one for each game");
  add_rules_options(command, *options);
  command.example("gounki replay runs/quick/games/00000001.pgn");
  command.run([options] { run_replay(*options); });
}

}  // namespace gounki::play
