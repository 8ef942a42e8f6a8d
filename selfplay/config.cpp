#include "selfplay/config.h"

#include <algorithm>
#include <array>
#include <thread>
#include <type_traits>

#include <toml++/toml.h>

#include "core/files.h"

namespace gounki::selfplay {
namespace {

// Mistakes of one file, of which the first is reported.
class Mistakes {
 public:
  void add(const toml::source_region& where, std::string message) {
    list_.push_back({where.begin.line, where.begin.column, std::move(message)});
  }
  // Throws when there are any.
  void report(const std::string& name) {
    if (list_.empty()) return;
    const auto& first = *std::min_element(list_.begin(), list_.end());
    std::string more;
    if (list_.size() > 1) more = " (and " + std::to_string(list_.size() - 1) + " more)";
    throw UsageError(name + ":" + std::to_string(first.line) + ": " + first.message + more);
  }

 private:
  struct Mistake {
    unsigned line, column;
    std::string message;
    auto operator<=>(const Mistake&) const = default;
  };
  std::vector<Mistake> list_;
};

std::string type_of(const toml::node& node) {
  if (node.is_string()) return "text";
  if (node.is_integer()) return "an integer";
  if (node.is_floating_point()) return "a number";
  if (node.is_boolean()) return "true or false";
  if (node.is_array()) return "an array";
  if (node.is_table()) return "a section";
  return "a date or time";
}

// The value as set_param reads it, or nothing when the type does not fit.
std::optional<std::string> value_text(const toml::node& node, const std::string& type) {
  if (type == "text" && node.is_string()) return node.as_string()->get();
  if (type == "true or false" && node.is_boolean())
    return params_detail::to_toml(node.as_boolean()->get());
  if ((type == "integer" || type == "number") && node.is_integer())
    return params_detail::to_toml(node.as_integer()->get());
  if (type == "number" && node.is_floating_point())
    return params_detail::to_toml(node.as_floating_point()->get());
  return std::nullopt;
}

template <class Section>
void read_section(const std::string& name, const toml::table& table, Section& section,
                  Mistakes& mistakes) {
  const auto known = describe_params(section);
  for (const auto& [key, node] : table) {
    const std::string prefix = "[" + name + "] ";
    const std::string key_text(key.str());
    const auto param = std::find_if(known.begin(), known.end(),
                                    [&](const ParamInfo& p) { return p.name == key_text; });
    std::string text;
    if (param != known.end()) {
      const auto value = value_text(node, param->type);
      if (!value) {
        mistakes.add(key.source(), prefix + key_text + ": expected " + param->type + ", found " +
                                       type_of(node));
        continue;
      }
      text = *value;
    }
    if (const auto set = set_param(section, key_text, text); !set)
      mistakes.add(key.source(), prefix + set.error().message);
  }
}

void read_top_level(const toml::table& root, RunConfig& config, Mistakes& mistakes) {
  std::vector<std::string> names;
  RunConfig::for_each_section(config, [&](const char* name, auto&, const char*) {
    names.push_back(name);
  });
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    const std::string did_you_mean = ", did you mean [" + nearest_name(name, names) + "]?";
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      mistakes.add(key.source(), node.is_table()
                                     ? "unknown section [" + name + "]" + did_you_mean
                                     : "key \"" + name + "\" stands outside of a section");
      continue;
    }
    if (!node.is_table()) {
      mistakes.add(key.source(), "[" + name + "] is a section, found " + type_of(node));
      continue;
    }
    RunConfig::for_each_section(config, [&](const char* section_name, auto& section, const char*) {
      if (section_name == name) read_section(name, *node.as_table(), section, mistakes);
    });
  }
}

// The parts of a text between separators, without spaces around them; empty ones are left out.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

// A search from "key=value,key=value".
Expected<mcts::SearchConfig> parse_search(std::string_view text) {
  mcts::SearchConfig search;
  for (const std::string& option : split(text, ',')) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) return fail("expected key=value, found \"" + option + "\"");
    const auto set = set_param(search, option.substr(0, equals), option.substr(equals + 1));
    if (!set) return tl::make_unexpected(set.error());
  }
  if (const auto checked = search.check(); !checked) return tl::make_unexpected(checked.error());
  return search;
}

// Keys that may change while a run goes on: how long it goes on, and what the machine has to spare.
// (On a GPU the cache changes the batches and may move a last bit; so may another GPU.)
bool is_free(std::string_view section, std::string_view key) {
  constexpr std::array kFree{"threads", "minutes", "iterations", "games", "steps"};
  if (section == "selfplay") return key == "cache_mb";
  return section == "run" && std::find(kFree.begin(), kFree.end(), key) != kFree.end();
}

std::string range_text(const ParamInfo& param) {
  if (param.type != "integer" && param.type != "number") return "";
  const auto bound = [](double value) {
    std::string text = params_detail::to_toml(value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
  };
  return " (" + bound(param.range.min) + " to " + bound(param.range.max) + ")";
}

}  // namespace

mcts::SearchConfig default_selfplay_search() {
  mcts::SearchConfig search;
  search.algorithm = "gumbel";
  search.visits = 64;
  search.gumbel_noise = 1.0;
  search.gumbel_least_span = 0.5;
  search.root_noise_weight = 0.25;  // these two for "puct"
  search.root_policy_temperature = 1.1;
  search.temperature = 1.0;
  search.temperature_end = 0.1;
  search.temperature_halflife = 8.0;
  return search;
}

std::vector<std::string> EvaluateSection::opponent_list() const { return split(opponents, ';'); }

mcts::SearchConfig EvaluateSection::search() const {
  return parse_search(player).value_or(mcts::SearchConfig{});
}

std::optional<ConfigMistake> find_mistake(const RunConfig& config) {
  if (const auto search = config.search.check(); !search)
    return ConfigMistake{"search", "algorithm", search.error().message};
  if (const auto learner = config.learner.check(); !learner)
    return ConfigMistake{"learner", "optimizer", learner.error().message};
  if (const auto search = parse_search(config.evaluate.player); !search)
    return ConfigMistake{"evaluate", "player", "player: " + search.error().message};
  if (config.replay.window_max < config.replay.window_min)
    return ConfigMistake{"replay", "window_max",
                         "window_max: expected at least window_min (" +
                             std::to_string(config.replay.window_min) + ")"};
  if (config.selfplay.random_plies >= config.selfplay.max_plies)
    return ConfigMistake{"selfplay", "random_plies",
                         "random_plies: expected less than max_plies (" +
                             std::to_string(config.selfplay.max_plies) + ")"};
  if (config.selfplay.random_plies + config.selfplay.prior_plies >= config.selfplay.max_plies)
    return ConfigMistake{"selfplay", "prior_plies",
                         "prior_plies: expected less than max_plies (" +
                             std::to_string(config.selfplay.max_plies) + ") together with random_plies (" +
                             std::to_string(config.selfplay.random_plies) + ")"};
  return std::nullopt;
}

RunConfig parse_config(std::string_view toml, const std::string& name) {
  toml::table root;
  try {
    root = toml::parse(toml, std::string_view(name));
  } catch (const toml::parse_error& error) {
    throw UsageError(name + ":" + std::to_string(error.source().begin.line) + ": " +
                     std::string(error.description()));
  }
  RunConfig config;
  Mistakes mistakes;
  read_top_level(root, config, mistakes);
  mistakes.report(name);
  if (const auto mistake = find_mistake(config)) {
    const auto node = root[mistake->section][mistake->key].node();
    mistakes.add(node ? node->source() : root.source(), mistake->text());
  }
  mistakes.report(name);
  return config;
}

RunConfig load_config(const std::filesystem::path& path) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const Failure& failure) {
    throw UsageError(failure.what());
  }
  return parse_config(text, path.string());
}

std::string to_toml(const RunConfig& config) {
  std::string out;
  RunConfig::for_each_section(config, [&](const char* name, const auto& section, const char* help) {
    out += (out.empty() ? "# " : "\n# ") + std::string(help) + "\n[" + name + "]\n";
    for (const ParamInfo& param : describe_params(section))
      out += "# " + param.help + range_text(param) + "\n" + param.name + " = " + param.value + "\n";
  });
  return out;
}

std::string essence_to_toml(const RunConfig& config) {
  std::string out;
  RunConfig::for_each_section(config, [&](const char* name, const auto& section, const char*) {
    out += std::string("[") + name + "]\n";
    for (const ParamInfo& param : describe_params(section))
      if (!is_free(name, param.name)) out += param.name + " = " + param.value + "\n";
  });
  return out;
}

std::optional<std::string> first_difference(const RunConfig& stored, const RunConfig& given) {
  std::optional<std::string> found;
  RunConfig::for_each_section(stored, [&](const char* name, const auto& section, const char*) {
    RunConfig::for_each_section(given, [&](const char* other_name, const auto& other, const char*) {
      if constexpr (std::is_same_v<decltype(section), decltype(other)>) {
        if (std::string_view(name) != other_name) return;
        const auto a = describe_params(section), b = describe_params(other);
        for (std::size_t i = 0; i < a.size(); ++i)
          if (!found && a[i].value != b[i].value && !is_free(name, a[i].name))
            found = "[" + std::string(name) + "] " + a[i].name + " is " + a[i].value + ", not " +
                    b[i].value;
      }
    });
  });
  return found;
}

int thread_count(const RunConfig& config) {
  if (config.run.threads > 0) return config.run.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace gounki::selfplay
