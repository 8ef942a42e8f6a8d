#include "selfplay/shard_source.h"

#include <algorithm>
#include <map>
#include <string>
#include <system_error>
#include <utility>

namespace gounki::selfplay {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> shards_by_name(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (std::error_code none; it->path().extension() == ".npz" && it->is_regular_file(none))
      files.push_back(it->path());
  if (error) throw Failure("cannot read the folder " + folder.string() + ": " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

// A file keeps the number that it got when it was first seen.
class Numbering {
 public:
  explicit Numbering(fs::path folder) : folder_(std::move(folder)) {}
  std::vector<ShardFile> operator()() {
    std::vector<ShardFile> shards;
    for (fs::path& path : shards_by_name(folder_)) {
      const auto next = static_cast<std::int64_t>(numbers_.size());
      const std::int64_t number = numbers_.try_emplace(path, next).first->second;
      shards.push_back({number, std::move(path)});
    }
    return shards;
  }

 private:
  fs::path folder_;
  std::map<fs::path, std::int64_t> numbers_;
};

}  // namespace

ShardSource::ShardSource(fs::path folder, List list)
    : folder_(std::move(folder)), list_(std::move(list)) {}

ShardSource::ShardSource(const RunFolder& run)
    : ShardSource(run.samples(), [run] {
        std::vector<ShardFile> shards;
        for (const std::int64_t group : run.groups())
          shards.push_back({group, run.shard_path(group)});
        return shards;
      }) {}

ShardSource ShardSource::in_folder(const fs::path& folder) {
  shards_by_name(folder);  // throws
  return ShardSource(folder, Numbering(folder));
}

}  // namespace gounki::selfplay
