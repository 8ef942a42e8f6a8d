// How fast the search is without a network: visits a second on one core (items_per_second), the
// memory of a node, and the parts that every visit or every search pays.
#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/notation.h"
#include "mcts/cache.h"
#include "mcts/endings.h"
#include "mcts/engine.h"
#include "mcts/evaluators.h"
#include "mcts/handcrafted.h"
#include "mcts/search.h"
#include "mcts/workers.h"

namespace gounki::mcts {
namespace {

constexpr const char* kStart = "start";
constexpr const char* kMiddle =
    "r,x2,s,x2,sr,s/s,x2,rr,s,x2,sr/x,srr,s,x,r,x3/x8/x6,RR,x/x,R,x3,S,x2/R,S,x,S,SRR,x2,S/"
    "SSR,x4,R,S,x w 2 16";

void search(benchmark::State& state, const std::string& algorithm, const std::string& position) {
  SearchConfig config;
  config.algorithm = algorithm;
  config.visits = static_cast<int>(state.range(0));
  const Game game(parse_position(position).value());
  HashEvaluator evaluator;
  Search search(config);
  Search* const searches[] = {&search};
  std::int64_t visits = 0, nodes = 0;
  std::uint64_t seed = 0;
  for (auto _ : state) {
    search.start(game, ++seed);
    run_in_lock_step(searches, evaluator, static_cast<int>(state.range(1)));
    const SearchResult result = search.result();
    visits += result.visits;
    nodes = result.nodes;
  }
  state.SetItemsProcessed(visits);
  state.counters["bytes_per_node"] =
      static_cast<double>(search.bytes_held()) / static_cast<double>(nodes);
}

BENCHMARK_CAPTURE(search, puct_start, "puct", kStart)
    ->ArgNames({"visits", "leaves"})
    ->Args({400, 1})->Args({400, 16})->Args({10'000, 1})->Args({1'000'000, 1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, puct_middle, "puct", kMiddle)
    ->ArgNames({"visits", "leaves"})
    ->Args({400, 1})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, gumbel_start, "gumbel", kStart)
    ->ArgNames({"visits", "leaves"})
    ->Args({32, 1})->Args({400, 1})->Args({10'000, 1})
    ->Unit(benchmark::kMillisecond);

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Adds up what one and several threads take, turn by turn, so that a noisy machine is noisy for both.
class Scaling {
 public:
  void add(double one, double many) {
    one_ += one;
    many_ += many;
  }
  // `one_items` and `many_items` are what each of the turns has done.
  void report(benchmark::State& state, double one_items, double many_items) const {
    state.counters["one_per_second"] = one_items / one_;
    state.counters["many_per_second"] = many_items / many_;
    state.counters["many_to_one"] = (many_items / many_) / (one_items / one_);
  }

 private:
  double one_ = 0.0, many_ = 0.0;
};

// Several workers on one position against one.
void one_position(benchmark::State& state, const std::string& algorithm) {
  EngineConfig config;
  config.algorithm = algorithm;
  config.visits = static_cast<int>(state.range(1));
  config.batch = static_cast<int>(state.range(2));
  config.reuse = false;
  const auto evaluator = std::make_shared<HashEvaluator>();
  Engine one(config, evaluator);
  config.threads = static_cast<int>(state.range(0));
  Engine many(config, evaluator);
  const Game game;
  Scaling scaling;
  double one_visits = 0, many_visits = 0;
  for (auto _ : state)
    scaling.add(
        seconds_of([&] { one_visits += static_cast<double>(one.think(game, 1).new_visits); }),
        seconds_of([&] { many_visits += static_cast<double>(many.think(game, 1).new_visits); }));
  scaling.report(state, one_visits, many_visits);
}
BENCHMARK_CAPTURE(one_position, puct, "puct")
    ->ArgNames({"workers", "visits", "batch"})
    ->Args({2, 200'000, 16})->Args({2, 200'000, 64})->Args({2, 200'000, 256})
    ->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(one_position, gumbel, "gumbel")
    ->ArgNames({"workers", "visits", "batch"})
    ->Args({2, 100'000, 16})->Unit(benchmark::kMillisecond)->UseRealTime();

// Self-play's way: threads that each run many games' searches in lock step.
void lock_step(benchmark::State& state) {
  constexpr int kGames = 64, kVisits = 200;
  const int threads = static_cast<int>(state.range(0));
  SearchConfig config;
  config.visits = kVisits;
  std::vector<std::vector<Search>> tables(static_cast<std::size_t>(threads));
  for (auto& table : tables)
    for (int i = 0; i < kGames; ++i) table.emplace_back(config);
  const auto play = [&](int table) {
    HashEvaluator evaluator;
    std::vector<Search*> searches;
    std::uint64_t seed = 0;
    for (Search& search : tables[static_cast<std::size_t>(table)]) {
      search.start(Game(), ++seed);
      searches.push_back(&search);
    }
    run_in_lock_step(searches, evaluator);
  };
  Scaling scaling;
  double turns = 0;
  for (auto _ : state) {
    scaling.add(seconds_of([&] { play(0); }),
                seconds_of([&] { run_workers(threads, threads, play); }));
    ++turns;
  }
  scaling.report(state, turns * kGames * kVisits, threads * turns * kGames * kVisits);
}
BENCHMARK(lock_step)->ArgName("threads")->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// Which share of a tree's positions occurs in it more than once: what sharing them could save.
void transpositions(benchmark::State& state, const std::string& position) {
  class Remembering final : public Evaluator {
   public:
    void evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) override {
      for (const Leaf* leaf : leaves) repeated += !seen.insert(leaf->position.hash()).second;
      inner_.evaluate(leaves, out);
    }
    std::string name() const override { return inner_.name(); }
    std::unordered_set<std::uint64_t> seen;
    std::int64_t repeated = 0;

   private:
    HandcraftedEvaluator inner_;
  };
  SearchConfig config;
  config.visits = static_cast<int>(state.range(0));
  const Game game(parse_position(position).value());
  Search search(config);
  Search* const searches[] = {&search};
  std::int64_t nodes = 0, repeated = 0;
  for (auto _ : state) {
    Remembering evaluator;
    search.start(game, 1);
    run_in_lock_step(searches, evaluator);
    nodes += search.result().nodes;
    repeated += evaluator.repeated;
  }
  state.counters["repeated_share"] = static_cast<double>(repeated) / static_cast<double>(nodes);
}
BENCHMARK_CAPTURE(transpositions, start, kStart)
    ->ArgName("visits")->Arg(800)->Arg(20'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(transpositions, middle, kMiddle)
    ->ArgName("visits")->Arg(800)->Arg(20'000)->Unit(benchmark::kMillisecond);

void look_ahead_at_root(benchmark::State& state) {
  Line line{parse_position(kMiddle).value()};
  const MoveList moves = legal_moves(line.back());
  for (auto _ : state) benchmark::DoNotOptimize(look_ahead(line, moves, {}));
}
BENCHMARK(look_ahead_at_root);

void score(benchmark::State& state) {
  const Position position = parse_position(kMiddle).value();
  for (auto _ : state) benchmark::DoNotOptimize(handcrafted_score(position));
}
BENCHMARK(score);

template <class SomeEvaluator>
void evaluator(benchmark::State& state) {
  SomeEvaluator evaluator;
  const Position position = parse_position(kMiddle).value();
  const Leaf leaf{position, 0, legal_moves(position)};
  const Leaf* const leaves[] = {&leaf};
  std::vector<Evaluation> out(1);
  for (auto _ : state) evaluator.evaluate(leaves, out);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_TEMPLATE(evaluator, HashEvaluator);
BENCHMARK_TEMPLATE(evaluator, HandcraftedEvaluator);
BENCHMARK_TEMPLATE(evaluator, RolloutEvaluator);

// A leaf by a cache around the uniform evaluator, which costs next to nothing: `leaves` different
// ones come again and again. 1000 fit into 8 MB; of 100,000 each is gone when it comes again.
void cache(benchmark::State& state) {
  CachingEvaluator cache(std::make_shared<UniformEvaluator>(), 8);
  const Position position = parse_position(kMiddle).value();
  Leaf leaf{position, 0, legal_moves(position)};
  const Leaf* const leaves[] = {&leaf};
  std::vector<Evaluation> out(1);
  const int count = static_cast<int>(state.range(0));
  int next = 0;
  for (auto _ : state) {
    next = next + 1 < count ? next + 1 : 0;
    leaf.position.set_counters(next / 1000, next % 1000);
    cache.evaluate(leaves, out);
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["hit_share"] =
      static_cast<double>(cache.hits()) / static_cast<double>(cache.lookups());
}
BENCHMARK(cache)->ArgName("leaves")->Arg(1000)->Arg(100'000);

}  // namespace
}  // namespace gounki::mcts
