// How fast the search is without a network: visits a second on one core (items_per_second), the
// memory of a node, and the parts that every visit or every search pays.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "core/notation.h"
#include "mcts/endings.h"
#include "mcts/evaluators.h"
#include "mcts/handcrafted.h"
#include "mcts/search.h"

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

}  // namespace
}  // namespace gounki::mcts
