#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/files.h"
#include "nn/network.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

constexpr std::string_view kFormat = "gounki-network";
constexpr int kFormatVersion = 1;
constexpr std::string_view kPrefix = "step-", kSuffix = ".safetensors";

// A whole non-negative number of the metadata.
Expected<std::int64_t> metadata_number(const TensorFile& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end()) return fail("its metadata has no " + key);
  const std::string& text = found->second;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    return fail("its metadata's " + key + " is not a number");
  return value;
}

Expected<Checkpoint> checkpoint_from(TensorFile file) {
  const auto format = file.metadata.find("format");
  if (format == file.metadata.end() || format->second != kFormat)
    return fail("not a checkpoint of gounki: its metadata does not say format " + std::string(kFormat));
  const auto version = metadata_number(file, "format_version");
  const auto encoder = metadata_number(file, "encoder_version");
  const auto step = metadata_number(file, "step");
  for (const auto* number : {&version, &encoder, &step})
    if (!*number) return tl::make_unexpected(number->error());
  if (*version != kFormatVersion)
    return fail("written in format version " + std::to_string(*version) + ", this program reads " +
                std::to_string(kFormatVersion));
  if (*encoder != kEncoderVersion)
    return fail("made for encoder version " + std::to_string(*encoder) + ", this program has " +
                std::to_string(kEncoderVersion));
  const auto network = network_from_json(file.metadata["network"]);
  if (!network) return tl::make_unexpected(network.error());
  // The bytes are there, so a shape that asks for more tensors than that ends here.
  if (const auto checked = check_weights(file, weight_specs(*network)); !checked)
    return tl::make_unexpected(checked.error());

  Checkpoint checkpoint;
  checkpoint.network = *network;
  checkpoint.step = *step;
  checkpoint.config = file.metadata["config"];
  checkpoint.weights.tensors = std::move(file.tensors);
  return checkpoint;
}

// The step in a checkpoint's file name.
std::optional<std::int64_t> step_of(const std::string& name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  const char* first = name.data() + kPrefix.size();
  const char* last = name.data() + name.size() - kSuffix.size();
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(first, std::max(first, last), step);
  if (error != std::errc() || end != last || step < 0) return std::nullopt;
  return step;
}

}  // namespace

void save_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path) {
  TensorFile file = checkpoint.weights;
  file.metadata = {
      {"format", std::string(kFormat)},
      {"format_version", std::to_string(kFormatVersion)},
      {"encoder_version", std::to_string(checkpoint.encoder_version)},
      {"step", std::to_string(checkpoint.step)},
      {"network", network_to_json(checkpoint.network)},
      {"config", checkpoint.config},
  };
  write_file_atomically(path, to_bytes(file));
}

Expected<Checkpoint> load_checkpoint(const std::filesystem::path& path) {
  try {
    auto file = parse_safetensors(read_file(path));
    auto checkpoint = file ? checkpoint_from(std::move(*file)) : tl::make_unexpected(file.error());
    if (!checkpoint) return fail(path.string() + ": " + checkpoint.error().message);
    return checkpoint;
  } catch (const Failure& failure) {  // its message names the file
    return fail(failure.what());
  }
}

std::filesystem::path checkpoint_path(const std::filesystem::path& run, std::int64_t step) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%08lld", static_cast<long long>(step));
  return run / "checkpoints" / (std::string(kPrefix) + digits + std::string(kSuffix));
}

std::vector<std::filesystem::path> checkpoints(const std::filesystem::path& run) {
  std::vector<std::pair<std::int64_t, std::filesystem::path>> found;
  std::error_code error;
  for (std::filesystem::directory_iterator file(run / "checkpoints", error), end;
       !error && file != end; file.increment(error))
    if (const auto step = step_of(file->path().filename().string())) found.emplace_back(*step, file->path());
  std::ranges::sort(found, std::ranges::greater());
  std::vector<std::filesystem::path> paths;
  for (auto& [step, path] : found) paths.push_back(std::move(path));
  return paths;
}

Expected<std::filesystem::path> newest_checkpoint(const std::filesystem::path& run) {
  const auto found = checkpoints(run);
  if (found.empty())
    return fail(run.string() + ": no checkpoint in it (looked for checkpoints/step-*.safetensors)");
  return found.front();
}

Expected<std::filesystem::path> checkpoint_of(const std::filesystem::path& file_or_run) {
  if (std::filesystem::is_directory(file_or_run)) return newest_checkpoint(file_or_run);
  return file_or_run;
}

}  // namespace gounki::nn
