#include "nn/cpu/choice.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "nn/cpu/cpu_network.h"
#include "nn/stopwatch.h"
#include "nn/weights.h"

namespace gounki::nn::cpu {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Counts up when kernels change so much that old trials say nothing of them.
constexpr int kKernelsVersion = 1;

// As the environment writes it: "AVX-512" is "avx512".
std::string short_name(const Kernels& kernels) {
  std::string out;
  for (const char* c = kernels.name; *c != '\0'; ++c)
    if (*c != '-') out += *c >= 'A' && *c <= 'Z' ? static_cast<char>(*c - 'A' + 'a') : *c;
  return out;
}

// Null for a name that is unknown or not for this processor.
const Kernels* usable(std::string_view name) {
  for (const Kernels& kernels : usable_kernels())
    if (short_name(kernels) == name) return &kernels;
  return nullptr;
}

// Null where the environment forces nothing.
const Kernels* forced() {
  const char* name = std::getenv(kKernelsVariable);
  if (name == nullptr || *name == '\0') return nullptr;
  if (const Kernels* kernels = usable(name)) return kernels;
  std::string names;
  for (const Kernels& kernels : usable_kernels())
    names += (names.empty() ? "" : ", ") + short_name(kernels);
  throw Failure(std::string(kKernelsVariable) + " is \"" + name + "\"; this processor can run " + names);
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (const auto at = line.find(": "); line.starts_with("model name") && at != std::string::npos)
      return line.substr(at + 2);
  return "unknown processor";
}

std::string key_of(const NetworkConfig& network) {
  static const std::string machine = processor() + ", kernels " + std::to_string(kKernelsVersion);
  return machine + ", " + network_to_json(network);
}

// What the file holds; an empty object for one that is damaged or not there.
json read_choices(const fs::path& file) {
  try {
    json choices = json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
    if (choices.is_object()) return choices;
  } catch (const Failure&) {
  }
  return json::object();
}

const Kernels* read_choice(const fs::path& file, const std::string& key) {
  if (file.empty()) return nullptr;
  const json choices = read_choices(file);
  const auto found = choices.find(key);
  return found != choices.end() && found->is_string() ? usable(found->get<std::string>()) : nullptr;
}

// Those that may be the fastest. The portable ones, which come last, are so only where there are no
// others.
std::span<const Kernels> contenders() {
  const std::span<const Kernels> all = usable_kernels();
  return all.first(std::max<std::size_t>(all.size() - 1, 1));
}

// The fastest for this network, by some milliseconds with each. Other work may take the core for most
// of them, so there are many short measurements, in turn, of which the best counts.
const Kernels& fastest(const Checkpoint& checkpoint) {
  constexpr int kPositions = 4, kRounds = 30, kLeastRounds = 4;
  constexpr double kSlice = 0.001, kEnough = 0.3;  // seconds
  std::vector<float> planes(kPositions * kInputSize);
  for (std::size_t i = 0; i < planes.size(); i += 3) planes[i] = 1.0f;
  std::vector<float> policy(kPositions * Move::kIndices), wdl(kPositions * 3), plies_left(kPositions);

  struct Runner {
    const Kernels* kernels;
    std::unique_ptr<ServedNetwork> network;
    Stopwatch watch;
  };
  std::vector<Runner> runners;
  for (const Kernels& kernels : contenders())
    runners.push_back({&kernels, make_cpu_network(checkpoint, kernels), {}});
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  for (int round = 0; round < kRounds && (round < kLeastRounds || seconds() < kEnough); ++round)
    for (Runner& runner : runners)
      runner.watch.measure(kSlice, [&] {
        runner.network->forward(planes.data(), kPositions, policy.data(), wdl.data(), plies_left.data());
      });
  return *std::ranges::min_element(runners, {}, [](const Runner& r) { return r.watch.seconds(); })->kernels;
}

}  // namespace

fs::path kernel_choices_path() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  fs::path folder = variable("XDG_CACHE_HOME");
  if (folder.empty() && !variable("HOME").empty()) folder = variable("HOME") / ".cache";
  return folder.empty() ? folder : folder / "gounki" / "kernels.json";
}

const Kernels& KernelChoices::choose(const Checkpoint& checkpoint) {
  if (const Kernels* kernels = forced()) return *kernels;
  if (contenders().size() == 1) return contenders().front();
  const std::string key = key_of(checkpoint.network);
  const std::lock_guard lock(mutex_);
  const Kernels*& known = known_[key];
  if (known == nullptr) known = read_choice(file_, key);
  if (known == nullptr) {
    known = &fastest(checkpoint);
    store(key, *known);
  }
  return *known;
}

void KernelChoices::remember(const NetworkConfig& network, const Kernels& kernels) {
  const std::string key = key_of(network);
  const std::lock_guard lock(mutex_);
  known_[key] = &kernels;
  store(key, kernels);
}

void KernelChoices::store(const std::string& key, const Kernels& kernels) {
  if (file_.empty()) return;
  json choices = read_choices(file_);
  choices[key] = short_name(kernels);
  std::error_code error;
  fs::create_directories(file_.parent_path(), error);
  try {
    write_file_atomically(file_, choices.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
  } catch (const Failure&) {
    // The next process tries again.
  }
}

KernelChoices& kernel_choices() {
  static KernelChoices choices(kernel_choices_path());
  return choices;
}

}  // namespace gounki::nn::cpu
