#include "arena/player.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "arena/alphabeta_player.h"
#include "arena/search_player.h"
#include "arena/simple_players.h"
#include "arena/ugi_player.h"
#include "core/text.h"
#include "mcts/evaluators.h"
#include "nn/network_evaluator.h"

namespace gounki::arena {
namespace {

using Made = Expected<std::unique_ptr<Player>>;

// A player's text taken apart.
struct Spec {
  std::string text, kind;
  std::optional<std::string> path;  // the first part, where it holds no "="; a command may
  std::vector<std::pair<std::string, std::string>> options;

  // A command and its options may have quotes, which keep commas together.
  bool is_command() const { return kind == "ugi"; }
  bool has(std::string_view key) const {
    return std::any_of(options.begin(), options.end(), [&](auto& o) { return o.first == key; });
  }
};

std::string_view trimmed(std::string_view text) {
  const auto space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

Expected<void> add_item(Spec& spec, std::string_view item, bool first) {
  const bool command = first && spec.is_command();
  const std::size_t equals = command ? std::string_view::npos : item.find('=');
  if (command && item.empty()) return {};
  if (item.empty()) return fail("an empty option, expected key=value");
  if (equals == std::string_view::npos) {
    if (!first) return fail("\"" + std::string(item) + "\" has no value, expected key=value");
    spec.path = std::string(item);
    return {};
  }
  std::string key(trimmed(item.substr(0, equals)));
  if (spec.has(key)) return fail("\"" + key + "\" is given twice");
  spec.options.emplace_back(std::move(key), trimmed(item.substr(equals + 1)));
  return {};
}

std::vector<std::string_view> split(std::string_view text, char separator, bool quotes) {
  if (quotes) return split_outside_quotes(text, separator);
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(separator)) != std::string_view::npos;
       text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

Expected<Spec> parse(std::string_view text) {
  Spec spec;
  spec.text = trimmed(text);
  const std::size_t colon = spec.text.find(':');
  spec.kind = trimmed(std::string_view(spec.text).substr(0, colon));
  if (colon == std::string::npos) return spec;
  bool first = true;
  for (const std::string_view item :
       split(std::string_view(spec.text).substr(colon + 1), ',', spec.is_command())) {
    if (const auto added = add_item(spec, trimmed(item), first); !added)
      return tl::make_unexpected(added.error());
    first = false;
  }
  return spec;
}

template <class Config>
Expected<Config> read_options(const Spec& spec) {
  Config config;
  for (const auto& [key, value] : spec.options)
    if (const auto set = set_param(config, key, value); !set)
      return tl::make_unexpected(set.error());
  if constexpr (requires { config.check(); })
    if (const auto checked = config.check(); !checked) return tl::make_unexpected(checked.error());
  return config;
}

// The networks in use, by what they were loaded from. A file that was replaced is another network.
Expected<std::shared_ptr<mcts::Evaluator>> shared_network(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  using Key = std::tuple<fs::path, fs::file_time_type, std::uintmax_t>;
  static std::mutex mutex;
  static std::map<Key, std::weak_ptr<mcts::Evaluator>> loaded;

  std::error_code error;
  const Key key{fs::canonical(file, error), fs::last_write_time(file, error),
                fs::file_size(file, error)};
  const std::lock_guard lock(mutex);
  std::erase_if(loaded, [](const auto& item) { return item.second.expired(); });
  if (const auto found = loaded.find(key); found != loaded.end())
    if (auto network = found->second.lock()) return network;
  auto network = nn::load_network(file);
  if (!network) return tl::make_unexpected(network.error());
  loaded[key] = *network;
  return *network;
}

Expected<std::filesystem::path> network_file(const Spec& spec) {
  const std::filesystem::path path = *spec.path;
  std::error_code error;
  const bool folder = std::filesystem::is_directory(path, error);
  if (!folder && !std::filesystem::exists(path, error))
    return fail(path.string() + ": no such file or folder");
  if (spec.kind == "run") {
    if (!folder) return fail(path.string() + ": a file, not a run's folder; for a file write net:");
    return nn::newest_checkpoint(path);
  }
  if (folder) return fail(path.string() + ": a folder, not a file; for a run's folder write run:");
  return path;
}

template <class Simple>
Made make_simple(const Spec&) {
  return std::make_unique<Simple>();
}

Made make_alphabeta(const Spec& spec) {
  const auto config = read_options<AlphaBetaConfig>(spec);
  if (!config) return tl::make_unexpected(config.error());
  return std::make_unique<AlphaBetaPlayer>(*config, spec.text, spec.has("depth"));
}

Made make_searcher(const Spec& spec, std::shared_ptr<mcts::Evaluator> evaluator) {
  const auto config = read_options<mcts::EngineConfig>(spec);
  if (!config) return tl::make_unexpected(config.error());
  return std::make_unique<SearchPlayer>(*config, std::move(evaluator), spec.text,
                                        spec.has("visits"));
}

template <class Evaluator>
Made make_search(const Spec& spec) {
  return make_searcher(spec, std::make_shared<Evaluator>());
}

// A run's newest checkpoint is another one tomorrow: the player is called after the file.
std::string text_with_file(const Spec& spec, const std::filesystem::path& file) {
  std::string text = "net:" + file.string();
  for (const auto& [key, value] : spec.options) text += "," + key + "=" + value;
  return text;
}

Made make_network(const Spec& spec) {
  const auto file = network_file(spec);
  if (!file) return tl::make_unexpected(file.error());
  auto network = shared_network(*file);
  if (!network) return tl::make_unexpected(network.error());
  Spec named = spec;
  if (spec.kind == "run") named.text = text_with_file(spec, *file);
  return make_searcher(named, std::move(*network));
}

Made make_reference(const Spec& spec) {
  const auto file = nn::reference_network();
  if (!file) return tl::make_unexpected(file.error());
  auto network = shared_network(*file);
  if (!network) return tl::make_unexpected(network.error());
  return make_searcher(spec, std::move(*network));
}

// A "ugi" player's text with its quotes resolved: the command's words, our options, the engine's.
struct UgiSpec {
  std::vector<std::string> command;
  UgiConfig config;
  UgiClient::Settings settings;
};

Expected<UgiSpec> read_ugi(const Spec& spec) {
  static constexpr std::string_view kOfEngine = "option.";
  if (std::any_of(spec.text.begin(), spec.text.end(), is_control))
    return fail("a command and its options have no control characters");
  UgiSpec out;
  auto command = split_command(*spec.path);
  if (!command) return tl::make_unexpected(command.error());
  if (command->empty() || command->front().empty()) return fail("the command cannot be empty");
  out.command = std::move(*command);
  Spec ours = spec;
  ours.options.clear();
  for (const auto& [key, text] : spec.options) {
    const auto value = unquoted(text);
    if (!value) return fail(key + ": " + value.error().message);
    if (key.starts_with(kOfEngine)) out.settings.emplace_back(key.substr(kOfEngine.size()), *value);
    else ours.options.emplace_back(key, *value);
  }
  const auto config = read_options<UgiConfig>(ours);
  if (!config) return tl::make_unexpected(config.error());
  out.config = *config;
  return out;
}

Made make_ugi(const Spec& spec) {
  auto ugi = read_ugi(spec);
  if (!ugi) return tl::make_unexpected(ugi.error());
  auto player = std::make_unique<UgiPlayer>(ugi->config, std::move(ugi->command),
                                            std::move(ugi->settings), spec.text);
  if (const auto ready = player->prepare(); !ready) return tl::make_unexpected(ready.error());
  return player;
}

Expected<void> check_ugi(const Spec& spec) {
  if (const auto ugi = read_ugi(spec); !ugi) return tl::make_unexpected(ugi.error());
  return {};
}

// Whether the options are a config's.
template <class Config>
Expected<void> check_options(const Spec& spec) {
  if (const auto config = read_options<Config>(spec); !config)
    return tl::make_unexpected(config.error());
  return {};
}

Expected<void> check_no_options(const Spec& spec) {
  if (spec.options.empty()) return {};
  return fail("\"" + spec.options.front().first + "\": this kind has no options");
}

struct Kind {
  const char* name;
  const char* path;  // what the part without "=" names; empty where there is none
  const char* help;
  std::vector<ParamInfo> (*params)();
  Expected<void> (*check)(const Spec&);
  Made (*make)(const Spec&);
};

std::vector<ParamInfo> no_params() { return {}; }
template <class Config>
std::vector<ParamInfo> params_of() {
  return describe_params<Config>();
}

constexpr Kind kKinds[] = {
    {"random", "", "Any legal move, each as likely as another.", no_params,
     check_no_options, make_simple<RandomPlayer>},
    {"greedy", "",
     "Looks at its own move only: wins if it can, else captures the most, else advances the most.",
     no_params, check_no_options, make_simple<GreedyPlayer>},
    {"alphabeta", "", "Alpha-beta search with the handcrafted evaluation.",
     params_of<AlphaBetaConfig>, check_options<AlphaBetaConfig>, make_alphabeta},
    {"rollout", "", "Monte Carlo tree search with random games.", params_of<mcts::EngineConfig>,
     check_options<mcts::EngineConfig>, make_search<mcts::RolloutEvaluator>},
    {"handcrafted", "", "Monte Carlo tree search with the handcrafted evaluation.",
     params_of<mcts::EngineConfig>, check_options<mcts::EngineConfig>,
     make_search<mcts::HandcraftedEvaluator>},
    {"reference", "", "Monte Carlo tree search with the network that ships with the program.",
     params_of<mcts::EngineConfig>, check_options<mcts::EngineConfig>, make_reference},
    {"net", "FILE", "Monte Carlo tree search with the network of a checkpoint file.",
     params_of<mcts::EngineConfig>, check_options<mcts::EngineConfig>, make_network},
    {"run", "DIR", "Monte Carlo tree search with the newest checkpoint of a run's folder.",
     params_of<mcts::EngineConfig>, check_options<mcts::EngineConfig>, make_network},
    {"ugi", "COMMAND", "Another program that speaks the Universal Game Interface.",
     params_of<UgiConfig>, check_ugi, make_ugi},
};

std::string form_of(const Kind& kind) {
  const bool path = *kind.path != '\0', params = !kind.params().empty();
  return std::string(kind.name) + (path || params ? ":" : "") + kind.path +
         (path && params ? "," : "") + (params ? "key=value,…" : "");
}

Expected<const Kind*> find_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const Kind& kind : kKinds) {
    if (name == kind.name) return &kind;
    known.emplace_back(kind.name);
  }
  if (name.empty()) return fail("a player's kind is missing, expected such as \"greedy\"");
  return fail("unknown kind \"" + name + "\", did you mean \"" + nearest_name(name, known) + "\"?");
}

// The kind of a player whose text is right, as far as it can be without looking for files.
Expected<const Kind*> checked_kind(const Spec& spec) {
  const auto kind = find_kind(spec.kind);
  if (!kind) return tl::make_unexpected(kind.error());
  const bool wants_path = *(*kind)->path != '\0';
  if (spec.path && !wants_path)
    return fail("\"" + *spec.path + "\" has no value, expected " + form_of(**kind));
  if (!spec.path && wants_path)
    return fail(std::string((*kind)->path) + " is missing, expected " + form_of(**kind));
  if (const auto checked = (*kind)->check(spec); !checked)
    return tl::make_unexpected(checked.error());
  return *kind;
}

// The error with the player's text before it, on one line whatever the text holds.
tl::unexpected<Error> about(std::string_view text, const Error& error) {
  std::string message = "player \"" + std::string(text) + "\": " + error.message;
  std::replace_if(message.begin(), message.end(),
                  [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
  return fail(std::move(message));
}

}  // namespace

std::string_view to_string(Fault fault) {
  switch (fault) {
    case Fault::None: return "";
    case Fault::Crash: return "crash";
    case Fault::Stall: return "stall";
    case Fault::IllegalMove: return "illegal move";
    case Fault::TimeLoss: return "time loss";
    case Fault::Garbage: return "garbage";
  }
  return "";
}

Expected<void> check_player_text(std::string_view text) {
  const auto spec = parse(text);
  if (!spec) return about(text, spec.error());
  if (const auto kind = checked_kind(*spec); !kind) return about(text, kind.error());
  return {};
}

Made make_player(std::string_view text) {
  const auto spec = parse(text);
  if (!spec) return about(text, spec.error());
  const auto kind = checked_kind(*spec);
  if (!kind) return about(text, kind.error());
  Made player = (*kind)->make(*spec);
  if (!player) return about(text, player.error());
  return player;
}

std::vector<PlayerKind> player_kinds() {
  std::vector<PlayerKind> kinds;
  for (const Kind& kind : kKinds)
    kinds.push_back({kind.name, form_of(kind), kind.help, kind.params()});
  return kinds;
}

}  // namespace gounki::arena
