// A conversation of gounki analyze: lines in, searches, lines out.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "mcts/cache.h"
#include "play/analyze_query.h"
#include "play/analyze_reply.h"
#include "play/analyze_scheduler.h"
#include "play/evaluators.h"

namespace gounki::play {

struct AnalysisSetup {
  AnalysisDefaults defaults;
  AnalysisScheduler::Limits limits;
  std::string evaluator = kDefaultEvaluator;
  std::int64_t seed = 1;  // of every search, and of evaluators that draw
  int cache_mb = 0;
  Perspective perspective = Perspective::SideToMove;
};

// The evaluators of a program that analyses under several rules.
class AnalysisEvaluators {
 public:
  // Makes the one for the rules of `setup`, so that what is wrong is thrown here.
  explicit AnalysisEvaluators(const AnalysisSetup& setup);
  std::shared_ptr<mcts::Evaluator> for_rules(const Rules& rules);
  std::string name() const { return first_->name(); }
  void clear_caches();

 private:
  std::shared_ptr<mcts::Evaluator> make(const Rules& rules);

  const AnalysisSetup& setup_;
  std::vector<std::shared_ptr<mcts::CachingEvaluator>> caches_;
  std::map<std::string, std::shared_ptr<mcts::Evaluator>> by_rules_;
  std::shared_ptr<mcts::Evaluator> first_;
};

class AnalysisSession {
 public:
  // `write` is given whole lines, with their end, from several threads, but one at a time.
  AnalysisSession(const AnalysisSetup& setup, std::function<void(const std::string&)> write);

  // Takes a query or an action; what is wrong with it is a reply. Waits while the queue is full, until
  // `stop` turns true.
  void take(std::string_view line, const std::atomic<bool>& stop);
  // Says that a line was left out.
  void refuse(const std::string& why);
  // Waits until every query is answered; when `stop` turns true, with what is known by then.
  void finish(const std::atomic<bool>& stop);

 private:
  void take(AnalysisQuery& query, const std::atomic<bool>& stop);
  void take(AnalysisAction& action);
  void reply(const Json& reply);

  const AnalysisSetup setup_;
  const std::function<void(const std::string&)> write_;
  std::mutex writing_;
  AnalysisEvaluators evaluators_;
  AnalysisScheduler scheduler_;  // last, so that its workers end before what they use
};

}  // namespace gounki::play
