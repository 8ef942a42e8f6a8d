#include "arena/match_json.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/notation.h"
#include "core/text.h"

namespace gounki::arena {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::int64_t kMostOpenings = 1'000'000, kMostPlies = 1'000'000;

// The parameters of a config by their names, as JSON values.
template <class Config>
Json params_json(const Config& config) {
  Json out = Json::object();
  Config::describe([&](const char* name, auto member, auto&&...) { out[name] = config.*member; });
  return out;
}

// A whole number in a range; the library would cut off or wrap around what is none.
std::int64_t integer(const Json& json, const char* key, std::int64_t least, std::int64_t most) {
  const Json& value = json.at(key);
  if (!value.is_number_integer() || value < least || value > most)
    throw Failure(std::string(key) + ": expected an integer from " + std::to_string(least) + " to " +
                  std::to_string(most) + ", found " + value.dump());
  return value.get<std::int64_t>();
}

template <class Config>
Config params_from(const Json& json) {
  Config config;
  for (const ParamInfo& param : describe_params(config)) {
    const Json& value = json.at(param.name);
    const auto set = set_param(config, param.name,
                               value.is_string() ? value.get<std::string>() : value.dump());
    if (!set) throw Failure(set.error().message);
  }
  return config;
}

Json rules_json(const Rules& rules) {
  return {{"null_moves", rules.null_moves},
          {"repetition_draw", rules.repetition_draw},
          {"quiet_draw", rules.quiet_draw}};
}

Rules rules_from(const Json& json) {
  return {.null_moves = json.at("null_moves"),
          .repetition_draw = json.at("repetition_draw"),
          .quiet_draw = json.at("quiet_draw")};
}

TimeControl clock_from(const std::string& text) {
  const auto clock = parse_time_control(text);
  if (!clock) throw Failure(clock.error().message);
  return *clock;
}

std::string moves_text(const PlayedGame& game) {
  std::string text;
  Position position = game.start;
  for (const Move move : game.moves) {
    text += (text.empty() ? "" : " ") + to_string(move, position);
    position = position.after(move);
  }
  return text;
}

Json game_json(const PlayedGame& game) {
  Json out = {{"result", to_string(game.result)}, {"ending", to_string(game.ending)}};
  if (game.ending == Ending::Fault) {
    out["fault"] = to_string(game.fault);
    out["fault_text"] = game.fault_text;
  }
  out["moves"] = moves_text(game);
  Json& values = out["values"] = Json::array();
  for (const auto& value : game.values)
    values.push_back(value ? Json(to_thousandths(value->v)) : Json());
  if (!game.seconds.empty()) out["seconds"] = game.seconds;
  return out;
}

Outcome outcome_from(const std::string& text) {
  for (const Outcome outcome : {Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw})
    if (text == to_string(outcome)) return outcome;
  throw Failure("\"" + text + "\" is no result");
}

template <class T>
T named(const std::optional<T>& value, const std::string& text) {
  if (!value) throw Failure("\"" + text + "\" is not known here");
  return *value;
}

void read_moves(PlayedGame& out, const std::string& text) {
  Game game(out.start, out.rules);
  for (const std::string& word : words_of(text)) {
    const std::string where = "ply " + std::to_string(game.moves().size() + 1) + ": ";
    const auto move = parse_move(word, game.position(), game.rules());
    if (!move) throw Failure(where + move.error().message);
    if (const auto played = game.play_checked(*move); !played)
      throw Failure(where + played.error().message);
  }
  out.moves = game.moves();
  const Outcome by_rules = game.outcome();
  if (out.ending == Ending::Rules ? by_rules != out.result : by_rules != Outcome::Ongoing)
    throw Failure("the moves end the game " + std::string(to_string(by_rules)) + ", not " +
                  std::string(to_string(out.result)) + " by \"" + std::string(to_string(out.ending)) +
                  "\"");
  if (out.ending == Ending::PlyCap && out.result != Outcome::Draw)
    throw Failure("a game that the ply cap ended is a draw");
}

std::optional<mcts::WhiteValue> value_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  const double value = json.get<double>();
  if (!(std::abs(value) <= 1.0)) throw Failure("a value is from -1 to 1, found " + json.dump());
  return mcts::WhiteValue{static_cast<float>(value)};
}

PlayedGame game_from(const Json& json, const PlayedGame& opening) {
  PlayedGame game = opening;
  const std::string ending = json.at("ending");
  game.result = outcome_from(json.at("result"));
  game.ending = named(ending_from(ending), ending);
  if (game.ending == Ending::Fault) {
    const std::string fault = json.at("fault");
    game.fault = named(fault_from(fault), fault);
    if (game.fault == Fault::None) throw Failure("a fault without a name");
    game.fault_text = json.at("fault_text");
  }
  read_moves(game, json.at("moves"));
  for (const Json& value : json.at("values")) game.values.push_back(value_from(value));
  if (json.contains("seconds")) json.at("seconds").get_to(game.seconds);
  if (game.values.size() != game.moves.size() || game.plies() < 0 ||
      (!game.seconds.empty() && game.seconds.size() != game.moves.size()))
    throw Failure("the moves, values and seconds are not as many as each other");
  return game;
}

Json header_json(const MatchSettings& settings) {
  Json clocks = Json::array();
  for (const auto& clock : settings.clocks)
    clocks.push_back(clock ? Json(to_string(*clock)) : Json());
  return {{"type", "match"},
          {"format", kMatchLogFormat},
          {"players", settings.players},
          {"clocks", clocks},
          {"seed", settings.seed},
          {"openings", settings.openings},
          {"sprt", settings.sprt ? params_json(*settings.sprt) : Json()},
          {"rules", rules_json(settings.rules)},
          {"table", params_json(settings.table)}};
}

MatchSettings settings_from(const Json& json) {
  if (json.at("type") != "match") throw Failure("no match begins here");
  if (json.at("format") != kMatchLogFormat)
    throw Failure("format " + json.at("format").dump() + ", this program reads " +
                  std::to_string(kMatchLogFormat));
  MatchSettings settings;
  json.at("players").get_to(settings.players);
  for (const Json& clock : json.at("clocks"))
    settings.clocks.push_back(clock.is_null() ? std::nullopt : std::optional(clock_from(clock)));
  if (settings.players.size() < 2 || settings.clocks.size() != settings.players.size())
    throw Failure("a match has two players or more, and a clock or null for each");
  settings.seed = integer(json, "seed", 0, 9'000'000'000'000'000);
  json.at("openings").get_to(settings.openings);
  if (!json.at("sprt").is_null()) settings.sprt = params_from<SprtConfig>(json.at("sprt"));
  settings.rules = rules_from(json.at("rules"));
  settings.table = params_from<TableConfig>(json.at("table"));
  return settings;
}

PlayedPair pair_from(const Json& json, const MatchSettings& settings) {
  if (json.at("type") != "pair") throw Failure("expected a pair");
  PlayedPair pair;
  const auto last_player = static_cast<std::int64_t>(settings.players.size()) - 1;
  pair.pairing.first = static_cast<int>(integer(json, "first", 0, last_player));
  pair.pairing.second = static_cast<int>(integer(json, "second", 0, last_player));
  pair.pairing.opening = static_cast<int>(integer(json, "opening", 0, kMostOpenings));
  if (pair.pairing.first == pair.pairing.second) throw Failure("a player meets itself");

  PlayedGame opening;
  opening.rules = settings.rules;
  opening.opening_plies = static_cast<int>(integer(json, "opening_plies", 0, kMostPlies));
  if (json.contains("position")) {
    const auto position = parse_position(json.at("position").get<std::string>());
    if (!position) throw Failure(position.error().message);
    opening.start = *position;
  }
  if (json.at("games").size() != 2) throw Failure("a pair has two games");
  for (std::size_t i = 0; i < 2; ++i) pair.games[i] = game_from(json.at("games").at(i), opening);
  const auto &one = pair.games[0].moves, &other = pair.games[1].moves;
  if (!std::equal(one.begin(), one.begin() + opening.opening_plies, other.begin()))
    throw Failure("the two games have different openings");
  return pair;
}

// What the library finds wrong, without its own names for it.
[[noreturn]] void fail_in_words(const nlohmann::json::exception& error) {
  const std::string text = error.what();
  const std::size_t end = text.find("] ");
  throw Failure(end == std::string::npos ? text : text.substr(end + 2));
}

template <class Read>
auto parse(std::string_view line, Read&& read) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) throw Failure("no JSON object");
  try {
    return read(json);
  } catch (const nlohmann::json::exception& error) {
    fail_in_words(error);
  }
}

}  // namespace

std::string to_line(const MatchSettings& settings) { return header_json(settings).dump(); }

MatchSettings parse_settings(std::string_view line) { return parse(line, settings_from); }

std::string to_line(const PlayedPair& pair) {
  const PlayedGame& game = pair.games.front();
  Json out = {{"type", "pair"},
              {"first", pair.pairing.first},
              {"second", pair.pairing.second},
              {"opening", pair.pairing.opening},
              {"opening_plies", game.opening_plies}};
  if (!(game.start == Position::start())) out["position"] = to_string(game.start);
  out["games"] = {game_json(pair.games[0]), game_json(pair.games[1])};
  return out.dump();
}

PlayedPair parse_pair(std::string_view line, const MatchSettings& settings) {
  return parse(line, [&](const Json& json) { return pair_from(json, settings); });
}

std::string difference(const MatchSettings& there, const MatchSettings& wanted) {
  const Json old_json = header_json(there), new_json = header_json(wanted);
  for (const auto& [key, value] : old_json.items())
    if (value != new_json.at(key))
      return key + " " + value.dump() + ", asked for " + new_json.at(key).dump();
  return "";
}

}  // namespace gounki::arena
