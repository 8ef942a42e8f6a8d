#include "play/analyze_query.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "core/record_text.h"
#include "mcts/search.h"

namespace gounki::play {
namespace {

constexpr int kMostDepth = 32;          // of brackets within brackets
constexpr std::size_t kMostMoves = 10'000;
constexpr double kMostSeconds = 86'400;
constexpr std::int64_t kMostPriority = 1'000'000'000;

// The start of a text of the query, for messages.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // not within a character
  return std::string(text.substr(0, end)) + "…";
}

// How deep brackets outside of strings are nested.
int depth_of(std::string_view line) {
  int depth = 0, most = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '\\') ++i;
    else if (c == '"') quoted = !quoted;
    else if (quoted) continue;
    else if (c == '[' || c == '{') most = std::max(most, ++depth);
    else if (c == ']' || c == '}') --depth;
  }
  return most;
}

Json parse_json(std::string_view line) {
  if (depth_of(line) > kMostDepth)
    throw AnalysisError{fmt::format("brackets are nested more than {} deep", kMostDepth), "", ""};
  try {
    return Json::parse(line);
  } catch (const nlohmann::json::parse_error& error) {
    throw AnalysisError{fmt::format("not JSON: what stands at byte {} does not belong there",
                                    error.byte), "", ""};
  } catch (const nlohmann::json::exception&) {
    throw AnalysisError{"not JSON: a number is too large", "", ""};
  }
}

// Takes the fields out of a query, each with its type and range; the readers throw an AnalysisError.
class Fields {
 public:
  explicit Fields(std::string_view line) : json_(parse_json(line)) {
    if (!json_.is_object()) throw AnalysisError{"expected a JSON object", "", ""};
    known_.insert("id");
    const auto id = json_.find("id");
    if (id == json_.end()) throw AnalysisError{"missing; expected a text", "id", ""};
    if (!id->is_string()) throw AnalysisError{"expected a text", "id", ""};
    id_ = id->get<std::string>();
  }

  const std::string& id() const { return id_; }
  const Json& json() const { return json_; }

  [[noreturn]] void wrong(const std::string& field, const std::string& message) const {
    throw AnalysisError{message, field, id_};
  }

  // The field, or none. A null counts as none.
  const Json* find(const std::string& field) {
    known_.insert(field);
    const auto found = json_.find(field);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }
  bool has(const std::string& field) { return find(field) != nullptr; }

  std::string text(const std::string& field, const std::string& otherwise) {
    const Json* value = find(field);
    if (value == nullptr) return otherwise;
    if (!value->is_string()) wrong(field, "expected a text");
    return value->get<std::string>();
  }
  bool flag(const std::string& field) {
    const Json* value = find(field);
    if (value == nullptr) return false;
    if (!value->is_boolean()) wrong(field, "expected true or false");
    return value->get<bool>();
  }
  std::int64_t integer(const std::string& field, std::int64_t least, std::int64_t most,
                       std::int64_t otherwise) {
    const Json* value = find(field);
    return value == nullptr ? otherwise : integer_of(field, *value, least, most);
  }
  double number(const std::string& field, double least, double most) {
    const Json* value = find(field);
    if (value == nullptr) return 0.0;
    const double number = value->is_number() ? value->get<double>() : std::nan("");
    if (!(number >= least && number <= most))
      wrong(field, fmt::format("expected a number from {:g} to {:g}", least, most));
    return number;
  }
  std::vector<std::int64_t> integers(const std::string& field, std::int64_t least,
                                     std::int64_t most) {
    std::vector<std::int64_t> out;
    for (const Json& item : list(field)) out.push_back(integer_of(field, item, least, most));
    return out;
  }
  std::vector<std::string> texts(const std::string& field) {
    std::vector<std::string> out;
    for (const Json& item : list(field)) {
      if (!item.is_string()) wrong(field, "expected a list of texts");
      out.push_back(item.get<std::string>());
    }
    return out;
  }

  // Fields that nobody asked for.
  std::vector<std::string> unknown() const {
    std::vector<std::string> out;
    for (const auto& [name, value] : json_.items())
      if (!known_.contains(name)) out.push_back(name);
    return out;
  }
  std::string nearest(const std::string& name) const {
    return nearest_name(name, {known_.begin(), known_.end()});
  }

 private:
  Json list(const std::string& field) {
    const Json* value = find(field);
    if (value == nullptr) return Json::array();
    if (!value->is_array()) wrong(field, "expected a list");
    return *value;
  }
  std::int64_t integer_of(const std::string& field, const Json& value, std::int64_t least,
                          std::int64_t most) const {
    const bool fits = value.is_number_unsigned()
                          ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX)
                          : value.is_number_integer();
    if (!fits || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most)
      wrong(field, fmt::format("expected an integer from {} to {}", least, most));
    return value.get<std::int64_t>();
  }

  Json json_;
  std::string id_;
  std::set<std::string> known_;
};

// Reads one query.
class QueryReader {
 public:
  QueryReader(Fields& fields, const AnalysisDefaults& defaults)
      : fields_(fields), defaults_(defaults) {}

  AnalysisQuery read() {
    query_.id = fields_.id();
    read_game();
    read_turns();
    read_limits();
    query_.include_policy = fields_.flag("includePolicy");
    query_.report_every = fields_.number("reportDuringSearchEvery", 0.001, kMostSeconds);
    read_moves_to_search();
    warn_of_unknown();
    return std::move(query_);
  }

 private:
  void read_game() {
    const auto first = parse_position(fields_.text("initialPosition", "start"));
    if (!first) fields_.wrong("initialPosition", first.error().message);
    Rules rules = defaults_.rules;
    if (fields_.has("rules")) {
      const auto read = parse_rules_tag(fields_.text("rules", ""));
      if (!read) fields_.wrong("rules", shown(read.error().message));
      rules = *read;
    }
    auto game = std::make_shared<Game>(*first, rules);
    const std::vector<std::string> moves = fields_.texts("moves");
    if (moves.size() > kMostMoves)
      fields_.wrong("moves", fmt::format("more than {} moves", kMostMoves));
    for (const std::string& text : moves) {
      const std::string place = fmt::format("move {}: ", game->moves().size() + 1);
      if (game->is_over()) fields_.wrong("moves", place + "the game was over, " + outcome_text(*game));
      const auto move = parse_move(text, game->position(), rules);
      if (!move) fields_.wrong("moves", place + move.error().message);
      game->play(*move);
    }
    query_.game = std::move(game);
  }

  void read_turns() {
    const auto last = static_cast<std::int64_t>(query_.game->moves().size());
    std::vector<std::int64_t> numbers = fields_.integers("analyzeTurns", 0, last);
    if (!fields_.has("analyzeTurns")) numbers = {last};
    const std::set<std::int64_t> distinct(numbers.begin(), numbers.end());
    if (distinct.size() < numbers.size()) fields_.wrong("analyzeTurns", "a turn is there twice");
    if (numbers.empty()) fields_.wrong("analyzeTurns", "an empty list");

    const std::int64_t priority = fields_.integer("priority", -kMostPriority, kMostPriority, 0);
    const auto priorities = fields_.integers("priorities", -kMostPriority, kMostPriority);
    const bool each = fields_.has("priorities");
    if (each && fields_.has("priority"))
      fields_.wrong("priorities", "priority is also given; leave one out");
    if (each && priorities.size() != numbers.size())
      fields_.wrong("priorities", fmt::format("expected {}, one for each of analyzeTurns, found {}",
                                              numbers.size(), priorities.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      query_.turns.push_back({static_cast<int>(numbers[i]), each ? priorities[i] : priority, {}});
  }

  void read_limits() {
    query_.config = defaults_.config;
    bool visits_set = false;
    if (const Json* settings = fields_.find("overrideSettings")) {
      if (!settings->is_object()) fields_.wrong("overrideSettings", "expected an object");
      for (const auto& [key, value] : settings->items()) {
        set(key, value);
        visits_set = visits_set || key == "visits";
      }
      if (const auto checked = query_.config.check(); !checked)
        fields_.wrong("overrideSettings", shown(checked.error().message));
    }
    query_.seconds = fields_.number("maxTime", 0.001, kMostSeconds);
    query_.visits = fields_.integer("maxVisits", 1, 100'000'000, query_.config.visits);
    const bool time_alone = query_.seconds > 0.0 && !visits_set && !fields_.has("maxVisits");
    if (time_alone) query_.visits = mcts::Task::kEndless;
  }

  void set(const std::string& key, const Json& value) {
    if (!value.is_number() && !value.is_boolean() && !value.is_string())
      fields_.wrong("overrideSettings", shown(key) + ": expected a number, true, false or a text");
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.size() > 200) fields_.wrong("overrideSettings", shown(key) + ": a value that long");
    if (const auto set = set_param(query_.config, shown(key), text); !set)
      fields_.wrong("overrideSettings", set.error().message);
  }

  void read_moves_to_search() {
    const std::vector<std::string> allow = texts_of_moves("allowMoves");
    const std::vector<std::string> avoid = texts_of_moves("avoidMoves");
    if (allow.empty() && avoid.empty()) return;
    for (AnalysisQuery::Turn& turn : query_.turns) {
      turn.moves = moves_at(turn.number, "allowMoves", allow);
      const std::vector<Move> avoided = moves_at(turn.number, "avoidMoves", avoid);
      if (turn.moves.empty())
        for (const Move move : legal_moves(position_at(turn.number), query_.game->rules()))
          turn.moves.push_back(move);
      std::erase_if(turn.moves, [&](Move move) {
        return std::find(avoided.begin(), avoided.end(), move) != avoided.end();
      });
      if (turn.moves.empty())
        fields_.wrong("avoidMoves", fmt::format("turn {}: leaves no move to search", turn.number));
    }
  }

  std::vector<std::string> texts_of_moves(const std::string& field) {
    std::vector<std::string> texts = fields_.texts(field);
    if (texts.size() > MoveList::kCapacity) fields_.wrong(field, "more moves than there can be");
    return texts;
  }

  const Position& position_at(int turn) const {
    return query_.game->positions()[static_cast<std::size_t>(turn)];
  }

  std::vector<Move> moves_at(int turn, const std::string& field,
                             const std::vector<std::string>& texts) {
    std::vector<Move> out;
    for (const std::string& text : texts) {
      const auto move = parse_move(text, position_at(turn), query_.game->rules());
      if (!move) fields_.wrong(field, fmt::format("turn {}: {}", turn, move.error().message));
      out.push_back(*move);
    }
    return out;
  }

  void warn_of_unknown() {
    constexpr std::size_t kMost = 10;
    const std::vector<std::string> unknown = fields_.unknown();
    for (std::size_t i = 0; i < std::min(unknown.size(), kMost); ++i)
      query_.warnings.emplace_back(
          shown(unknown[i]),
          "unknown and ignored, did you mean \"" + fields_.nearest(shown(unknown[i])) + "\"?");
    if (unknown.size() > kMost)
      query_.warnings.emplace_back(
          "", fmt::format("{} more fields are unknown and ignored", unknown.size() - kMost));
  }

  Fields& fields_;
  const AnalysisDefaults& defaults_;
  AnalysisQuery query_;
};

AnalysisAction read_action(Fields& fields) {
  using Kind = AnalysisAction::Kind;
  static constexpr std::pair<const char*, Kind> kActions[] = {
      {"terminate", Kind::Terminate},          {"terminate_all", Kind::TerminateAll},
      {"query_version", Kind::QueryVersion},   {"query_models", Kind::QueryModels},
      {"clear_cache", Kind::ClearCache},
  };
  const std::string name = fields.text("action", "");
  const auto* found = std::find_if(std::begin(kActions), std::end(kActions),
                                   [&](const auto& action) { return action.first == name; });
  if (found == std::end(kActions)) {
    std::string known;
    for (const auto& action : kActions) known += (known.empty() ? "" : ", ") + std::string(action.first);
    fields.wrong("action", "expected one of " + known);
  }
  AnalysisAction action{found->second, "", {}, fields.json()};
  for (const std::int64_t turn : fields.integers("turnNumbers", 0, 1'000'000))
    action.turns.push_back(static_cast<int>(turn));
  if (action.kind != Kind::Terminate) return action;
  if (!fields.has("terminateId")) fields.wrong("terminateId", "missing; expected a query's id");
  action.terminate_id = fields.text("terminateId", "");
  return action;
}

}  // namespace

tl::expected<AnalysisRequest, AnalysisError> parse_analysis_request(
    std::string_view line, const AnalysisDefaults& defaults) {
  try {
    Fields fields(line);
    if (fields.has("action")) return AnalysisRequest(read_action(fields));
    return AnalysisRequest(QueryReader(fields, defaults).read());
  } catch (AnalysisError& error) {
    return tl::make_unexpected(std::move(error));
  }
}

}  // namespace gounki::play
