#include "arena/match_log.h"

#include <set>

#include "arena/match_json.h"
#include "core/error.h"
#include "core/files.h"

namespace gounki::arena {
namespace {

// Calls visit(line, number) for every line that has its end.
template <class Visit>
void for_each_line(std::string_view bytes, Visit&& visit) {
  int number = 1;
  for (std::size_t begin = 0, end; (end = bytes.find('\n', begin)) != std::string::npos;
       begin = end + 1, ++number)
    visit(bytes.substr(begin, end - begin), number);
}

MatchHistory parse_log(std::string_view bytes, const std::filesystem::path& path) {
  MatchHistory history;
  std::set<Pairing> seen;
  for_each_line(bytes, [&](std::string_view line, int number) {
    try {
      if (number == 1) {
        history.settings = parse_settings(line);
        return;
      }
      PlayedPair pair = parse_pair(line, history.settings);
      if (!seen.insert(pair.pairing).second) throw Failure("this pair was there before");
      history.pairs.push_back(std::move(pair));
    } catch (const Failure& error) {
      throw Failure(path.string() + (number == 1 ? " is no match log: " : ", ") + "line " +
                    std::to_string(number) + ": " + error.what());
    }
  });
  if (history.settings.players.empty())
    throw Failure(path.string() + " is no match log: it has no whole line");
  return history;
}

// Of a log that may be empty yet, or hold the beginning of its first line.
std::vector<PlayedPair> pairs_of_log(std::string_view bytes, const std::filesystem::path& path,
                                     const MatchSettings& settings) {
  const std::string header = to_line(settings);
  if (bytes.size() <= header.size() && header.starts_with(bytes)) return {};
  MatchHistory history = parse_log(bytes, path);
  if (const std::string other = difference(history.settings, settings); !other.empty())
    throw Failure(path.string() + " is the log of another match: its " + other +
                  "; give the same, or another file");
  return std::move(history.pairs);
}

}  // namespace

MatchHistory read_match_log(const std::filesystem::path& path) {
  check_ordinary_file(path, "read");
  return parse_log(read_file(path), path);
}

MatchLog::MatchLog(const std::filesystem::path& path, const MatchSettings& settings)
    : log_(path, [&](std::string_view bytes) { pairs_ = pairs_of_log(bytes, path, settings); }) {
  if (log_.is_empty()) log_.append(to_line(settings));
  sync();
}

void MatchLog::append(const PlayedPair& pair) {
  log_.append(to_line(pair));
  if (std::chrono::steady_clock::now() - synced_ >= std::chrono::seconds(1)) sync();
}

void MatchLog::sync() {
  log_.sync();
  synced_ = std::chrono::steady_clock::now();
}

}  // namespace gounki::arena
