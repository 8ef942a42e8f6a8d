// Where the replay window's shards come from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "selfplay/run_folder.h"

namespace gounki::selfplay {

struct ShardFile {
  std::int64_t number = 0;  // shards with higher numbers are newer
  std::filesystem::path path;
};

class ShardSource {
 public:
  // The groups of a run that are done, by their numbers.
  ShardSource(const RunFolder& run);
  // All *.npz files of a folder, numbered from 0 in the order of their names. Those that appear
  // later get the numbers that follow. Throws a Failure when there is no such folder.
  static ShardSource in_folder(const std::filesystem::path& folder);

  // In any order.
  std::vector<ShardFile> list() const { return list_(); }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  using List = std::function<std::vector<ShardFile>()>;
  ShardSource(std::filesystem::path folder, List list);

  std::filesystem::path folder_;
  List list_;
};

}  // namespace gounki::selfplay
