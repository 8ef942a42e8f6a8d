#include "play/analyze_session.h"

#include <algorithm>
#include <chrono>

#include "core/record_text.h"
#include "play/evaluators.h"
#include "play/version.h"

namespace gounki::play {

AnalysisEvaluators::AnalysisEvaluators(const AnalysisSetup& setup)
    : setup_(setup), first_(make(setup.defaults.rules)) {
  by_rules_[to_rules_tag(setup.defaults.rules)] = first_;
}

std::shared_ptr<mcts::Evaluator> AnalysisEvaluators::for_rules(const Rules& rules) {
  if (!evaluator_needs_rules(setup_.evaluator)) return first_;
  auto& evaluator = by_rules_[to_rules_tag(rules)];
  if (!evaluator) evaluator = make(rules);
  return evaluator;
}

std::shared_ptr<mcts::Evaluator> AnalysisEvaluators::make(const Rules& rules) {
  auto evaluator = evaluator_from_text(setup_.evaluator, setup_.seed, rules);
  if (setup_.cache_mb == 0) return evaluator;
  caches_.push_back(
      std::make_shared<mcts::CachingEvaluator>(std::move(evaluator), setup_.cache_mb));
  return caches_.back();
}

void AnalysisEvaluators::clear_caches() {
  for (const auto& cache : caches_) cache->clear();
}

AnalysisSession::AnalysisSession(const AnalysisSetup& setup,
                                 std::function<void(const std::string&)> write)
    : setup_(setup), write_(std::move(write)), evaluators_(setup_), scheduler_(setup_.limits) {}

void AnalysisSession::reply(const Json& reply) {
  const std::string line = line_of(reply);
  const std::lock_guard lock(writing_);
  write_(line);
}

void AnalysisSession::refuse(const std::string& why) { reply(error_reply({why, "", ""})); }

void AnalysisSession::take(std::string_view line, const std::atomic<bool>& stop) {
  auto request = parse_analysis_request(line, setup_.defaults);
  if (!request) return reply(error_reply(request.error()));
  if (auto* query = std::get_if<AnalysisQuery>(&*request)) take(*query, stop);
  else take(std::get<AnalysisAction>(*request));
}

void AnalysisSession::take(AnalysisQuery& query, const std::atomic<bool>& stop) {
  for (const auto& [field, message] : query.warnings)
    reply(warning_reply(query.id, field, message));
  const auto evaluator = evaluators_.for_rules(query.game->rules());
  const auto last = query.game->moves().size();
  for (AnalysisQuery::Turn& turn : query.turns) {
    if (query.game->is_over() && static_cast<std::size_t>(turn.number) == last) {
      reply(finished_reply(query.id, *query.game, setup_.perspective));
      continue;
    }
    AnalysisJob job;
    job.id = query.id;
    job.game = query.game;
    job.turn = turn.number;
    job.config = query.config;
    job.batch = query.config.batch;
    job.task.visits = query.visits;
    job.task.moves = std::move(turn.moves);
    job.seed = static_cast<std::uint64_t>(setup_.seed);
    job.seconds = query.seconds;
    job.report_every = query.report_every;
    job.priority = turn.priority;
    job.evaluator = evaluator;
    job.tell = [this, with_policy = query.include_policy](const AnalysisNews& news) {
      reply(analysis_reply(news, setup_.perspective, with_policy));
    };
    scheduler_.submit(std::move(job), &stop);
  }
}

void AnalysisSession::take(AnalysisAction& action) {
  using Kind = AnalysisAction::Kind;
  const auto has_turn = [&](int turn) {
    return action.turns.empty() ||
           std::find(action.turns.begin(), action.turns.end(), turn) != action.turns.end();
  };
  switch (action.kind) {
    case Kind::Terminate:
    case Kind::TerminateAll:
      reply(action.echo);
      scheduler_.terminate([&](const AnalysisJob& job) {
        const bool named = action.kind == Kind::TerminateAll || job.id == action.terminate_id;
        return named && has_turn(job.turn);
      });
      return;
    case Kind::QueryVersion:
      action.echo["version"] = version_text();
      break;
    case Kind::QueryModels:
      action.echo["models"] = Json::array({{{"name", evaluators_.name()}}});
      break;
    case Kind::ClearCache:
      evaluators_.clear_caches();
      break;
  }
  reply(action.echo);
}

void AnalysisSession::finish(const std::atomic<bool>& stop) {
  constexpr auto kLook = std::chrono::milliseconds(50);  // nobody wakes us when `stop` is set
  while (!scheduler_.wait(kLook))
    if (stop) scheduler_.terminate([](const AnalysisJob&) { return true; });
}

}  // namespace gounki::play
