// The queries of gounki analyze: one JSON object, one line (docs/analysis.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "core/game.h"
#include "mcts/config.h"
#include "play/options.h"

namespace gounki::play {

// The parameters that --set and overrideSettings know.
struct AnalysisConfig : mcts::SearchConfig {
  int batch = 1;

  template <class Visit>
  static void describe(Visit&& visit) {
    SearchConfig::describe(visit);
    visit("batch", &AnalysisConfig::batch, Range{1, 1024},
          "Leaves of one search that are evaluated at once, which are thus chosen without knowing of "
          "each other. With many searches at once 1 fills a network's batch.");
  }
};

// What a query that does not say otherwise takes.
struct AnalysisDefaults {
  AnalysisConfig config;
  Rules rules;
};

struct AnalysisQuery {
  // A position of the game that is to be analysed.
  struct Turn {
    int number = 0;
    std::int64_t priority = 0;
    std::vector<Move> moves = {};  // to be searched; none stands for all
  };

  std::string id;
  std::shared_ptr<const Game> game;  // with all moves played
  std::vector<Turn> turns;
  AnalysisConfig config;
  std::int64_t visits = 0;     // the limit; mcts::Task::kEndless where time alone is one
  double seconds = 0.0;        // 0 for no limit
  double report_every = 0.0;   // seconds; 0 for none
  bool include_policy = false;
  // Field and sentence.
  std::vector<std::pair<std::string, std::string>> warnings;
};

struct AnalysisAction {
  enum class Kind { Terminate, TerminateAll, QueryVersion, QueryModels, ClearCache };
  Kind kind;
  std::string terminate_id;
  std::vector<int> turns;  // which to terminate; all where there are none
  Json echo;               // the action as it was asked for
};

// What is wrong with a line. `field` and `id` are empty where it names none.
struct AnalysisError {
  std::string message, field, id;
};

using AnalysisRequest = std::variant<AnalysisQuery, AnalysisAction>;

// Never throws for what a line holds, whatever bytes they are.
tl::expected<AnalysisRequest, AnalysisError> parse_analysis_request(
    std::string_view line, const AnalysisDefaults& defaults);

}  // namespace gounki::play
