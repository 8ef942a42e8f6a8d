#include "play/match_output.h"

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

void write_match(const arena::MatchHistory& match, const MatchOutput& output) {
  if (!output.records.empty()) write_file_atomically(output.records, match_records(match));
  if (!output.html.empty()) write_file_atomically(output.html, match_html(match));
  if (output.json) fmt::print("{}\n", match_json(match).dump());
  else fmt::print("{}", match_text(match));
}

}  // namespace gounki::play
