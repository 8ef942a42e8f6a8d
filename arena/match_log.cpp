#include "arena/match_log.h"

#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/notation.h"
#include "core/text.h"

namespace gounki::arena {
namespace {

using Json = nlohmann::ordered_json;

double to_thousandths(double value) { return std::round(1000.0 * value) / 1000.0; }

// The parameters of a config by their names, as JSON values.
template <class Config>
Json params_json(const Config& config) {
  Json out = Json::object();
  Config::describe([&](const char* name, auto member, auto&&...) { out[name] = config.*member; });
  return out;
}

template <class Config>
Config params_from(const Json& json) {
  Config config;
  Config::describe([&](const char* name, auto member, auto&&...) {
    json.at(name).get_to(config.*member);
  });
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
    settings.clocks.push_back(clock.is_null()
                                  ? std::nullopt
                                  : std::optional(parse_time_control(clock.get<std::string>())
                                                      .value()));
  if (settings.players.size() < 2 || settings.clocks.size() != settings.players.size())
    throw Failure("a match has two players or more, and a clock or null for each");
  json.at("seed").get_to(settings.seed);
  json.at("openings").get_to(settings.openings);
  if (!json.at("sprt").is_null()) settings.sprt = params_from<SprtConfig>(json.at("sprt"));
  settings.rules = rules_from(json.at("rules"));
  settings.table = params_from<TableConfig>(json.at("table"));
  return settings;
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
  if (!game.seconds.empty()) {
    Json& seconds = out["seconds"] = Json::array();
    for (const double s : game.seconds) seconds.push_back(to_thousandths(s));
  }
  return out;
}

Json pair_json(const PlayedPair& pair) {
  const PlayedGame& game = pair.games.front();
  Json out = {{"type", "pair"},
              {"first", pair.pairing.first},
              {"second", pair.pairing.second},
              {"opening", pair.pairing.opening},
              {"opening_plies", game.opening_plies}};
  if (!(game.start == Position::start())) out["position"] = to_string(game.start);
  out["games"] = {game_json(pair.games[0]), game_json(pair.games[1])};
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
  if (game.is_over() && out.ending == Ending::Rules && out.result != game.outcome())
    throw Failure("the moves end the game " + std::string(to_string(game.outcome())));
}

PlayedGame game_from(const Json& json, const PlayedGame& opening) {
  PlayedGame game = opening;
  const std::string ending = json.at("ending");
  game.result = outcome_from(json.at("result"));
  game.ending = named(ending_from(ending), ending);
  if (game.ending == Ending::Fault) {
    const std::string fault = json.at("fault");
    game.fault = named(fault_from(fault), fault);
    game.fault_text = json.at("fault_text");
  }
  read_moves(game, json.at("moves"));
  for (const Json& value : json.at("values"))
    game.values.push_back(value.is_null() ? std::nullopt
                                          : std::optional(mcts::WhiteValue{value.get<float>()}));
  if (json.contains("seconds")) json.at("seconds").get_to(game.seconds);
  if (game.values.size() != game.moves.size() || game.plies() < 0 ||
      (!game.seconds.empty() && game.seconds.size() != game.moves.size()))
    throw Failure("the moves, values and seconds are not as many as each other");
  return game;
}

PlayedPair pair_from(const Json& json, const MatchSettings& settings) {
  if (json.at("type") != "pair") throw Failure("expected a pair");
  PlayedPair pair;
  json.at("first").get_to(pair.pairing.first);
  json.at("second").get_to(pair.pairing.second);
  json.at("opening").get_to(pair.pairing.opening);
  const int players = static_cast<int>(settings.players.size());
  for (const int player : {pair.pairing.first, pair.pairing.second})
    if (player < 0 || player >= players) throw Failure("there is no player " + std::to_string(player));
  if (pair.pairing.first == pair.pairing.second || pair.pairing.opening < 0)
    throw Failure("this pair cannot be");

  PlayedGame opening;
  opening.rules = settings.rules;
  json.at("opening_plies").get_to(opening.opening_plies);
  if (json.contains("position")) {
    const auto position = parse_position(json.at("position").get<std::string>());
    if (!position) throw Failure(position.error().message);
    opening.start = *position;
  }
  for (std::size_t i = 0; i < 2; ++i) pair.games[i] = game_from(json.at("games").at(i), opening);
  return pair;
}

// Calls visit(line, number) for every line that has its end.
template <class Visit>
void for_each_line(const std::string& bytes, Visit&& visit) {
  int number = 1;
  for (std::size_t begin = 0, end; (end = bytes.find('\n', begin)) != std::string::npos;
       begin = end + 1, ++number)
    visit(std::string_view(bytes).substr(begin, end - begin), number);
}

// The settings of a log that is there, which must be those that are wanted.
void check_same(const MatchSettings& there, const MatchSettings& wanted,
                const std::filesystem::path& path) {
  const Json old_json = header_json(there), new_json = header_json(wanted);
  for (const auto& [key, value] : old_json.items())
    if (value != new_json.at(key))
      throw Failure(path.string() + " is the log of another match: its " + key + " " +
                    value.dump() + ", asked for " + new_json.at(key).dump() +
                    "; give the same, or another file");
}

// Of a log that may not be there yet. Nothing is written to a file that is something else.
std::vector<PlayedPair> pairs_of_log(const std::filesystem::path& path,
                                     const MatchSettings& settings) {
  if (!std::filesystem::exists(path)) return {};
  const std::string bytes = read_file(path), header = header_json(settings).dump();
  const bool torn_header = bytes.size() <= header.size() && header.starts_with(bytes);
  if (torn_header) return {};
  MatchHistory history = read_match_log(path);
  check_same(history.settings, settings, path);
  return std::move(history.pairs);
}

FileLock lock(const std::filesystem::path& path) {
  const std::filesystem::path file = path.string() + ".lock";
  auto lock = FileLock::try_lock(file);
  if (!lock)
    throw Failure(path.string() + " is being played by process " +
                  std::to_string(FileLock::holder(file)));
  return std::move(*lock);
}

}  // namespace

MatchHistory read_match_log(const std::filesystem::path& path) {
  MatchHistory history;
  std::set<Pairing> seen;
  for_each_line(read_file(path), [&](std::string_view line, int number) {
    try {
      const Json json = Json::parse(line);
      if (number == 1) {
        history.settings = settings_from(json);
        return;
      }
      PlayedPair pair = pair_from(json, history.settings);
      if (!seen.insert(pair.pairing).second) throw Failure("this pair was there before");
      history.pairs.push_back(std::move(pair));
    } catch (const std::exception& error) {
      throw Failure(path.string() + ", line " + std::to_string(number) + ": " + error.what());
    }
  });
  if (history.settings.players.empty())
    throw Failure(path.string() + ": no match log, it has no whole line");
  return history;
}

MatchLog::MatchLog(const std::filesystem::path& path, const MatchSettings& settings)
    : lock_(lock(path)), pairs_(pairs_of_log(path, settings)), log_(path) {
  if (std::filesystem::file_size(path) == 0) log_.append(header_json(settings).dump());
  sync();
}

MatchLog::~MatchLog() { lock_.remove(); }

void MatchLog::append(const PlayedPair& pair) {
  log_.append(pair_json(pair).dump());
  if (std::chrono::steady_clock::now() - synced_ >= std::chrono::seconds(1)) sync();
}

void MatchLog::sync() {
  log_.sync();
  synced_ = std::chrono::steady_clock::now();
}

}  // namespace gounki::arena
