#include "selfplay/run_folder.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "core/files.h"
#include "nn/growth.h"

namespace gounki::selfplay {
namespace {

namespace fs = std::filesystem;

std::string number_name(std::int64_t number) {
  std::string digits = std::to_string(number);
  return digits.size() < 8 ? std::string(8 - digits.size(), '0') + digits : digits;
}

// The number of a file such as "00000012.npz".
std::optional<std::int64_t> number_of(const fs::path& file, const std::string& extension) {
  if (file.extension() != extension) return std::nullopt;
  const std::string stem = file.stem().string();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
  if (error != std::errc() || end != stem.data() + stem.size() || number_name(number) != stem)
    return std::nullopt;
  return number;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    files.push_back(it->path());
  return files;
}

// Whether a folder that is no run yet has something in it. A process that was killed while it made
// the run may have left a part of config.toml.
bool holds_other_things(const RunFolder& run) {
  for (const fs::path& file : files_in(run.path()))
    if (!file.filename().string().starts_with("config.toml.tmp")) return true;
  return false;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Failure("cannot make the folder " + folder.string() + ": " + error.message());
}

}  // namespace

fs::path RunFolder::shard_path(std::int64_t group) const {
  return path_ / "samples" / (number_name(group) + ".npz");
}

fs::path RunFolder::record_path(std::int64_t group) const {
  return path_ / "games" / (number_name(group) + ".pgn");
}

bool RunFolder::has_group(std::int64_t group) const {
  return fs::exists(record_path(group)) && fs::exists(shard_path(group));
}

std::vector<std::int64_t> RunFolder::groups() const {
  std::vector<std::int64_t> numbers;
  for (const fs::path& file : files_in(path_ / "games"))
    if (const auto number = number_of(file, ".pgn"); number && fs::exists(shard_path(*number)))
      numbers.push_back(*number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

FileLock RunFolder::lock_learner() const {
  auto lock = try_lock_learner();
  if (!lock)
    throw Failure(path_.string() + " is in use by process " +
                  std::to_string(FileLock::holder(path_ / "learner.lock")) +
                  ", which learns there; wait for it or stop it");
  return std::move(*lock);
}

std::optional<FileLock> RunFolder::try_lock_learner() const {
  return FileLock::try_lock(path_ / "learner.lock");
}

std::optional<FileLock> RunFolder::claim_group(std::int64_t group) const {
  if (has_group(group)) return std::nullopt;
  auto claim = FileLock::try_lock(path_ / "claims" / number_name(group));
  if (!claim) return std::nullopt;
  if (has_group(group)) {
    claim->remove();
    return std::nullopt;
  }
  remove_temporaries(path_ / "samples", shard_path(group).filename().string());
  remove_temporaries(path_ / "games", record_path(group).filename().string());
  return claim;
}

void RunFolder::remove_temporaries(const fs::path& folder, const std::string& stem) const {
  for (const fs::path& file : files_in(folder)) {
    const std::string name = file.filename().string();
    std::error_code ignored;
    if (name.starts_with(stem) && name.find(".tmp", stem.size()) != std::string::npos)
      fs::remove(file, ignored);
  }
}

void RunFolder::tidy() const {
  remove_temporaries(path_, "learner.safetensors");
  remove_temporaries(path_, "config.toml");
  remove_temporaries(path_ / "checkpoints", "step-");
  for (const fs::path& file : files_in(path_ / "claims"))
    if (auto abandoned = FileLock::try_lock(file)) abandoned->remove();
}

std::optional<nn::Checkpoint> first_weights(const RunConfig& config) {
  if (config.run.begin_with.empty()) return std::nullopt;
  const std::string what = "run.begin_with: ";
  const auto path = nn::checkpoint_of(config.run.begin_with);
  if (!path) throw UsageError(what + path.error().message);
  auto checkpoint = nn::load_checkpoint(*path);
  if (!checkpoint) throw UsageError(what + checkpoint.error().message);
  if (const auto possible = nn::can_grow(checkpoint->network, config.network); !possible)
    throw UsageError(what + path->string() + ": " + possible.error().message);
  return std::move(*checkpoint);
}

RunConfig effective_config(const RunFolder& run, const std::optional<RunConfig>& given) {
  if (given)
    if (const auto mistake = find_mistake(*given))
      throw UsageError("the config: " + mistake->text());
  if (!fs::exists(run.config_path())) {
    if (holds_other_things(run))
      throw UsageError(run.path().string() + " is neither empty nor a run (it has no config.toml)");
    if (!given) throw UsageError(run.path().string() + " is not a run yet: a config is needed");
    first_weights(*given);  // throws before a folder is made
    return *given;
  }
  const RunConfig config = load_config(run.config_path());
  if (!given) return config;
  if (const auto difference = first_difference(config, *given))
    throw UsageError("the config differs from the one that the run began with: in " +
                     run.config_path().string() + " " + *difference);
  return *given;
}

// config.toml comes first: it is what makes the folder a run.
void prepare(const RunFolder& run, const RunConfig& config) {
  make_folder(run.path());
  if (!fs::exists(run.config_path())) write_file_atomically(run.config_path(), to_toml(config));
  for (const char* name : {"games", "samples", "checkpoints", "claims"})
    make_folder(run.path() / name);
}

}  // namespace gounki::selfplay
