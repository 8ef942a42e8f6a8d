#include "play/analyze_scheduler.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/random.h"
#include "mcts/evaluators.h"
#include "mcts/search.h"

using namespace gounki;
using namespace gounki::play;
using Kind = AnalysisNews::Kind;

namespace {

using Limits = AnalysisScheduler::Limits;
constexpr auto kLong = std::chrono::milliseconds(60'000);

// An evaluator that answers only while its gate is open.
class GatedEvaluator final : public mcts::Evaluator {
 public:
  void evaluate(std::span<const mcts::Leaf* const> leaves,
                std::span<mcts::Evaluation> out) override {
    std::unique_lock lock(mutex_);
    waiting_ = true;
    most_ = std::max(most_, leaves.size());
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    lock.unlock();
    inner_.evaluate(leaves, out);
  }
  std::string name() const override { return "gated"; }

  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait_until_asked() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_; });
  }
  std::size_t most_leaves() {
    const std::lock_guard lock(mutex_);
    return most_;
  }

 private:
  mcts::HashEvaluator inner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false, waiting_ = false;
  std::size_t most_ = 0;
};

class ThrowingEvaluator final : public mcts::Evaluator {
 public:
  void evaluate(std::span<const mcts::Leaf* const>, std::span<mcts::Evaluation>) override {
    throw std::runtime_error("the network is on fire");
  }
  std::string name() const override { return "throwing"; }
};

// What jobs were told, in order.
class Ledger {
 public:
  struct Entry {
    std::string id;
    Kind kind;
    mcts::SearchResult result;
    std::string error;
  };
  std::function<void(const AnalysisNews&)> teller() {
    return [this](const AnalysisNews& news) {
      const std::lock_guard lock(mutex_);
      entries_.push_back({news.job.id, news.kind,
                          news.result ? *news.result : mcts::SearchResult(), news.error});
    };
  }
  std::vector<Entry> entries() {
    const std::lock_guard lock(mutex_);
    return entries_;
  }
  std::string ids() {
    std::string out;
    for (const Entry& entry : entries()) out += entry.id;
    return out;
  }

 private:
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

AnalysisJob job_of(const std::string& id, std::shared_ptr<mcts::Evaluator> evaluator,
                   Ledger& ledger, int visits = 10) {
  AnalysisJob job;
  job.id = id;
  job.game = std::make_shared<Game>();
  job.task.visits = visits;
  job.evaluator = std::move(evaluator);
  job.tell = ledger.teller();
  return job;
}

std::shared_ptr<const Game> random_game(Rng& rng, int plies) {
  auto game = std::make_shared<Game>();
  while (static_cast<int>(game->moves().size()) < plies && !game->is_over()) {
    const MoveList moves = game->legal_moves();
    game->play(moves[static_cast<int>(rng.below(static_cast<std::uint64_t>(moves.size())))]);
  }
  return game;
}

void check_equal(const mcts::SearchResult& a, const mcts::SearchResult& b) {
  CHECK(a.best == b.best);
  CHECK(a.value.v == b.value.v);
  CHECK(a.visits == b.visits);
  CHECK(a.nodes == b.nodes);
  CHECK(a.ranking == b.ranking);
  REQUIRE(a.moves.size() == b.moves.size());
  for (std::size_t i = 0; i < a.moves.size(); ++i) {
    CHECK(a.moves[i].visits == b.moves[i].visits);
    CHECK(a.moves[i].q.v == b.moves[i].q.v);
    CHECK(a.moves[i].prior == b.moves[i].prior);
    CHECK(a.moves[i].proven == b.moves[i].proven);
  }
}

}  // namespace

TEST_CASE("a search among others finds what it finds alone") {
  const auto limits = GENERATE(Limits{1, 1, 100}, Limits{1, 8, 100}, Limits{2, 5, 3});
  const std::string algorithm = GENERATE("puct", "gumbel");
  const int batch = GENERATE(1, 4);
  Rng rng(4);
  const auto evaluator = std::make_shared<mcts::HashEvaluator>(9);
  Ledger ledger;
  std::vector<AnalysisJob> jobs;
  for (int i = 0; i < 24; ++i) {
    AnalysisJob job = job_of(std::to_string(i), evaluator, ledger, 5 + 17 * (i % 7));
    job.game = random_game(rng, 8 * i);
    job.turn = static_cast<int>(job.game->moves().size()) - (job.game->is_over() ? 1 : i % 3);
    job.turn = std::max(job.turn, 0);
    job.config.algorithm = algorithm;
    job.batch = batch;
    job.seed = static_cast<std::uint64_t>(i);
    jobs.push_back(job);
  }
  {
    AnalysisScheduler scheduler(limits);
    for (const AnalysisJob& job : jobs) scheduler.submit(job);
    REQUIRE(scheduler.wait(kLong));
  }
  const auto entries = ledger.entries();
  REQUIRE(entries.size() == jobs.size());
  for (const Ledger::Entry& entry : entries) {
    REQUIRE(entry.kind == Kind::Done);
    const AnalysisJob& job = jobs[static_cast<std::size_t>(std::stoi(entry.id))];
    Game game;
    for (int i = 0; i < job.turn; ++i) game.play(job.game->moves()[static_cast<std::size_t>(i)]);
    mcts::Search alone(job.config);
    alone.start(game, job.seed, job.task);
    mcts::Search* const searches[] = {&alone};
    mcts::run_in_lock_step(searches, *evaluator, job.batch);
    check_equal(entry.result, alone.result());
  }
}

TEST_CASE("leaves of all searches at once make one batch") {
  const auto gated = std::make_shared<GatedEvaluator>();
  Ledger ledger;
  AnalysisScheduler scheduler({1, 6, 100});
  scheduler.submit(job_of("x", gated, ledger));
  gated->wait_until_asked();  // alone, since nothing else was there
  for (int i = 0; i < 9; ++i) scheduler.submit(job_of("x", gated, ledger));
  gated->open();
  REQUIRE(scheduler.wait(kLong));
  CHECK(gated->most_leaves() == 6);
  CHECK(ledger.entries().size() == 10);
}

TEST_CASE("the highest priority begins first and equals in their order") {
  const auto gated = std::make_shared<GatedEvaluator>();
  Ledger ledger;
  AnalysisScheduler scheduler({1, 1, 100});
  scheduler.submit(job_of("0", gated, ledger));
  gated->wait_until_asked();
  for (const auto& [id, priority] :
       {std::pair{"d", 0}, {"a", 7}, {"f", -3}, {"e", 0}, {"b", 7}, {"c", 1}}) {
    AnalysisJob job = job_of(id, gated, ledger);
    job.priority = priority;
    scheduler.submit(std::move(job));
  }
  gated->open();
  REQUIRE(scheduler.wait(kLong));
  CHECK(ledger.ids() == "0abcdef");
}

TEST_CASE("what waits is terminated at once and what runs with what it has found") {
  Ledger ledger;
  const auto gated = std::make_shared<GatedEvaluator>();
  const auto hash = std::make_shared<mcts::HashEvaluator>();
  AnalysisScheduler scheduler({1, 1, 100});

  SECTION("before its first evaluation") {
    scheduler.submit(job_of("runs", gated, ledger));
    gated->wait_until_asked();
    scheduler.submit(job_of("waits", gated, ledger));
    scheduler.submit(job_of("stays", gated, ledger));
    CHECK(scheduler.terminate([](const AnalysisJob& job) { return job.id != "stays"; }) == 2);
    REQUIRE(ledger.entries().size() == 1);
    CHECK(ledger.entries()[0].id == "waits");
    CHECK(ledger.entries()[0].kind == Kind::Nothing);
    gated->open();
    REQUIRE(scheduler.wait(kLong));
    REQUIRE(ledger.entries().size() == 3);
    CHECK(ledger.entries()[1].id == "runs");
    CHECK(ledger.entries()[1].kind == Kind::Nothing);
    CHECK(ledger.entries()[2].kind == Kind::Done);
    CHECK(scheduler.terminate([](const AnalysisJob&) { return true; }) == 0);
  }
  SECTION("in the middle") {
    AnalysisJob job = job_of("endless", hash, ledger);
    job.task.visits = mcts::Task::kEndless;
    job.report_every = 0.001;
    job.config.memory_mb = 64;
    scheduler.submit(std::move(job));
    while (ledger.entries().empty()) std::this_thread::yield();
    CHECK(scheduler.terminate([](const AnalysisJob&) { return true; }) == 1);
    REQUIRE(scheduler.wait(kLong));
    const auto entries = ledger.entries();
    CHECK(entries.back().kind == Kind::Done);
    CHECK(entries.back().result.visits > 0);
    CHECK(std::count_if(entries.begin(), entries.end(),
                        [](const auto& e) { return e.kind != Kind::Partial; }) == 1);
  }
}

TEST_CASE("partial reports grow towards the last one") {
  Ledger ledger;
  AnalysisScheduler scheduler({1, 2, 100});
  AnalysisJob job = job_of("x", std::make_shared<mcts::HashEvaluator>(), ledger, 1000);
  job.report_every = 1e-6;
  scheduler.submit(std::move(job));
  REQUIRE(scheduler.wait(kLong));
  const auto entries = ledger.entries();
  REQUIRE(entries.size() > 1);
  for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
    CHECK(entries[i].kind == Kind::Partial);
    CHECK(entries[i].result.visits < entries[i + 1].result.visits);
  }
  CHECK(entries.back().kind == Kind::Done);
  CHECK(entries.back().result.visits == 1000);
}

TEST_CASE("time ends a search") {
  Ledger ledger;
  AnalysisScheduler scheduler({1, 2, 100});
  AnalysisJob job = job_of("x", std::make_shared<mcts::HashEvaluator>(), ledger);
  job.task.visits = mcts::Task::kEndless;
  job.seconds = 0.01;
  job.config.memory_mb = 64;
  scheduler.submit(std::move(job));
  REQUIRE(scheduler.wait(kLong));
  CHECK(ledger.entries().at(0).kind == Kind::Done);
}

TEST_CASE("a failure is told to those whom it concerns and nobody else") {
  Ledger ledger;
  const auto hash = std::make_shared<mcts::HashEvaluator>();
  AnalysisScheduler scheduler({1, 8, 100});
  scheduler.submit(job_of("burns", std::make_shared<ThrowingEvaluator>(), ledger));
  scheduler.submit(job_of("fine", hash, ledger));
  AnalysisJob illegal = job_of("illegal", hash, ledger);
  illegal.task.moves = {Move::from_index(0), Move::from_index(2047)};
  scheduler.submit(std::move(illegal));
  REQUIRE(scheduler.wait(kLong));
  auto entries = ledger.entries();
  REQUIRE(entries.size() == 3);
  for (const auto& entry : entries) {
    CHECK(entry.kind == (entry.id == "fine" ? Kind::Done : Kind::Failed));
    if (entry.id == "burns") CHECK(entry.error == "the network is on fire");
    if (entry.id == "illegal") CHECK(entry.error == "a move to search is not legal here");
  }
}

TEST_CASE("a full queue makes who submits wait until there is room or they are stopped") {
  const auto gated = std::make_shared<GatedEvaluator>();
  Ledger ledger;
  AnalysisScheduler scheduler({1, 1, 2});
  scheduler.submit(job_of("r", gated, ledger));
  gated->wait_until_asked();
  scheduler.submit(job_of("a", gated, ledger));
  scheduler.submit(job_of("b", gated, ledger));

  std::atomic<bool> stop = true;
  scheduler.submit(job_of("c", gated, ledger), &stop);
  REQUIRE(ledger.entries().size() == 1);
  CHECK(ledger.entries()[0].id == "c");
  CHECK(ledger.entries()[0].kind == Kind::Nothing);

  std::thread later([&] { scheduler.submit(job_of("d", gated, ledger)); });
  gated->open();
  later.join();
  REQUIRE(scheduler.wait(kLong));
  CHECK(ledger.ids() == "crabd");
}

TEST_CASE("a scheduler that goes tells every job its end") {
  Ledger ledger;
  const auto hash = std::make_shared<mcts::HashEvaluator>();
  {
    AnalysisScheduler scheduler({2, 4, 100});
    for (int i = 0; i < 20; ++i) {
      AnalysisJob job = job_of("x", hash, ledger);
      job.task.visits = mcts::Task::kEndless;
      job.config.memory_mb = 16;
      scheduler.submit(std::move(job));
    }
  }
  CHECK(ledger.entries().size() == 20);
}
