// How fast alpha-beta is on one core: the time to a depth, and nodes a second (items_per_second).
#include <benchmark/benchmark.h>

#include "arena/alphabeta.h"
#include "core/notation.h"

namespace gounki::arena {
namespace {

constexpr const char* kStart = "start";
constexpr const char* kMiddle =
    "r,x,r,s,r,s,r,s/x,ss,s,r,x,s,x,r/x2,r,x5/x5,r,x2/x6,s,x/x,R,R,x2,R,x2/x,SS,S,x,R,S,R,S/"
    "x,R,S,SR,x3,SR w 0 16";
constexpr const char* kSharp =
    "r,x,r,x,sr,x,ssr,x/x,ss,x,sr,x,s,x,r/x2,r,x5/x3,R,x,r,x2/x4,R,x,s,x/x,R,R,x5/"
    "x,SS,S,x2,S,RR,SS/x,R,x,SSR,x4 w 1 24";

void alphabeta(benchmark::State& state, const char* position) {
  const Game game(parse_position(position).value());
  AlphaBeta search;
  std::int64_t nodes = 0;
  for (auto _ : state)
    nodes += search.search(game, {.depth = static_cast<int>(state.range(0))}).nodes;
  state.SetItemsProcessed(nodes);
}

BENCHMARK_CAPTURE(alphabeta, start, kStart)->ArgName("depth")->DenseRange(4, 8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(alphabeta, middle, kMiddle)->ArgName("depth")->DenseRange(4, 8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(alphabeta, sharp, kSharp)->ArgName("depth")->DenseRange(4, 8)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gounki::arena
