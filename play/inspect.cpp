#include "play/inspect.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <memory>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/files.h"
#include "core/record.h"
#include "nn/network.h"
#include "nn/safetensors.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "selfplay/config.h"
#include "selfplay/shard.h"

namespace gounki::play {

namespace fs = std::filesystem;

namespace {

enum class Kind { Safetensors, Shard, Text };

// By its name, else by its first bytes: a zip, a safetensors header (8 bytes of length and "{"), or
// text.
Kind kind_of(const fs::path& path) {
  if (path.extension() == ".npz") return Kind::Shard;
  if (path.extension() == ".safetensors") return Kind::Safetensors;
  std::array<char, 9> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  const std::string_view bytes(head.data(), static_cast<std::size_t>(file.gcount()));
  if (bytes.starts_with("PK\x03\x04")) return Kind::Shard;
  if (bytes.size() == 9 && bytes[8] == '{' && bytes[7] == '\0') return Kind::Safetensors;
  return Kind::Text;
}

Json safetensors_facts(const fs::path& path) {
  const auto file = value_or_throw<Failure>(nn::parse_safetensors(read_file(path)), path.string());
  std::int64_t values = 0;
  Json tensors = Json::object();
  for (const auto& [name, tensor] : file.tensors) {
    std::int64_t count = 1;
    for (const std::int64_t n : tensor.shape) count *= n;
    values += count;
    tensors[name] = fmt::format("{} [{}]", tensor.dtype, fmt::join(tensor.shape, ", "));
  }
  Json facts = {{"kind", "safetensors"}};
  for (const auto& [key, value] : file.metadata) {
    if (key == "format") facts["kind"] = value;
    else if (key != "config") facts[key] = value;
  }
  facts["values"] = values;
  // A file that says it is a checkpoint must also be one that a network can be made from.
  if (facts["kind"] == "gounki-network") value_or_throw<Failure>(nn::load_checkpoint(path));
  facts["tensors"] = tensors;
  if (const auto config = file.metadata.find("config"); config != file.metadata.end())
    facts["config"] = config->second;
  return facts;
}

Json shard_facts(const fs::path& path) {
  const selfplay::Shard shard = value_or_throw<Failure>(selfplay::load_shard(path));
  std::int64_t games = 0, last_game = -1, capped = 0, moves = 0;
  std::array<std::int64_t, 3> results{};  // lost, drawn, won by the side to move
  double entropy = 0;                     // of the policies, in nats
  for (const selfplay::Sample& sample : shard.samples) {
    games += sample.game != last_game;
    last_game = sample.game;
    capped += sample.capped;
    ++results[static_cast<std::size_t>(sample.result + 1)];
    moves += static_cast<std::int64_t>(sample.policy.size());
    for (const auto& entry : sample.policy)
      if (entry.probability > 0) entropy -= entry.probability * std::log(entry.probability);
  }
  const double rows = std::max<double>(1, static_cast<double>(shard.samples.size()));
  return {{"kind", "sample shard"},
          {"version", selfplay::kShardVersion},
          {"rows", shard.samples.size()},
          {"games", games},
          {"network_step", shard.network_step},
          {"rows_won", results[2]},
          {"rows_drawn", results[1]},
          {"rows_lost", results[0]},
          {"rows_of_capped_games", capped},
          {"mean_legal_moves", static_cast<double>(moves) / rows},
          {"mean_policy_entropy", entropy / rows}};
}

Json record_facts(const fs::path& path) {
  const std::string text = read_record_file(path.string());
  const auto games = split_records(text);
  if (games.empty()) throw Failure(path.string() + ": holds no game and is no other file of gounki");
  std::array<std::int64_t, 4> results{};  // by Outcome
  std::int64_t plies = 0, number = 0;
  for (const std::string_view game : games) {
    const auto record = value_or_throw<Failure>(
        parse_record(game), fmt::format("{}: game {}", path.string(), ++number));
    ++results[static_cast<std::size_t>(record.result)];
    plies += static_cast<std::int64_t>(record.moves.size());
  }
  return {{"kind", "game record"},  {"games", games.size()}, {"plies", plies},
          {"white_wins", results[1]}, {"black_wins", results[2]}, {"draws", results[3]},
          {"without_result", results[0]}};
}

Json file_facts(const fs::path& path) {
  switch (kind_of(path)) {
    case Kind::Safetensors: return safetensors_facts(path);
    case Kind::Shard: return shard_facts(path);
    case Kind::Text: break;
  }
  return record_facts(path);
}

// Facts as lines for people: values of an object or array of their own one a line.
void print_facts(const Json& facts) {
  const auto plain = [](const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  std::size_t width = 0;
  for (const auto& [key, value] : facts.items()) width = std::max(width, key.size());
  for (const auto& [key, value] : facts.items()) {
    if (!value.is_structured()) {
      const std::string text = plain(value);
      fmt::print("{:<{}}  {}{}\n", key, width, text.find('\n') == std::string::npos ? "" : "\n", text);
      continue;
    }
    fmt::print("{}\n", key);
    for (const auto& [name, entry] : value.items())
      fmt::print("  {}{}\n", value.is_object() ? name + "  " : "", plain(entry));
  }
}

struct InspectOptions {
  std::string path;
  bool check = false, json = false;
};

void run_inspect(const InspectOptions& options) {
  Console console;
  const Inspection inspection = inspect(options.path, options.check, console);
  options.json ? fmt::print("{}\n", inspection.facts.dump()) : print_facts(inspection.facts);
  for (const std::string& reason : inspection.damaged) console.log(reason);
  if (!inspection.damaged.empty())
    throw Failure(fmt::format("{}: {} damaged files, named above; training goes on without them",
                              options.path, inspection.damaged.size()));
}

}  // namespace

Inspection inspect(const fs::path& path, bool check, Console& console) {
  std::error_code error;
  if (fs::is_directory(path, error)) return inspect_run(path, check, console);
  if (!fs::exists(path, error)) throw Failure(path.string() + ": no such file or folder");
  Inspection inspection;
  inspection.facts = {{"file", path.string()}};
  if (const auto size = fs::file_size(path, error); !error) inspection.facts["bytes"] = size;
  inspection.facts.update(file_facts(path));
  return inspection;
}

void add_inspect(Program& program) {
  auto options = std::make_shared<InspectOptions>();
  Command command = program.add_command(
      "inspect", "Show what is in a checkpoint, a sample shard, a game record or a run");
  command.option("PATH", options->path, "A file or a run's folder", {.required = true});
  command.flag("--check", options->check, "Read every file of a run, not only count them");
  command.flag("--json", options->json, "Print one JSON object");
  command.example("gounki inspect runs/quick --check");
  command.run([options] { run_inspect(*options); });
}

}  // namespace gounki::play
