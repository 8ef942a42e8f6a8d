#include "play/match_output.h"

#include <cstdio>
#include <utility>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/files.h"
#include "play/match_html.h"
#include "play/match_report.h"

namespace gounki::play {

void add_match_output(Command& command, MatchOutput& output) {
  command.option("--records", output.records, "Write the games into this file", {.type = "FILE"});
  command.option("--html", output.html, "Write a report as a web page", {.type = "FILE"});
  command.flag("--json", output.json, "Print one JSON object");
}

void check_match_output(const MatchOutput& output, const std::vector<std::string>& needed) {
  std::vector<std::string> taken = needed;
  for (const auto& [option, file] :
       {std::pair("--records", output.records), std::pair("--html", output.html)}) {
    check_output_file(option, file, taken);
    taken.push_back(file);
  }
}

void write_match(const arena::MatchHistory& match, const MatchOutput& output) {
  if (output.json) fmt::print("{}\n", match_json(match).dump());
  else fmt::print("{}", match_text(match));
  std::fflush(stdout);  // what the match says is there, whatever happens to the files
  if (!output.records.empty()) write_file_atomically(output.records, match_records(match));
  if (!output.html.empty()) write_file_atomically(output.html, match_html(match));
}

}  // namespace gounki::play
