// How fast the rules are: leaf counts from the start and from the positions of golden/perft.txt, each
// checked against its count, and the two operations that a search is made of.
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/movegen.h"
#include "core/notation.h"
#include "core/random.h"

namespace {

using namespace gounki;

struct PerftCase {
  Position position;
  Rules rules;
  int depth = 0;
  std::uint64_t leaves = 0;
};

// The deepest count of each line of golden/perft.txt.
std::vector<PerftCase> perft_cases() {
  std::ifstream in(GOUNKI_GOLDEN "/perft.txt");
  std::vector<PerftCase> cases;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    PerftCase one;
    if (line.rfind("no-null: ", 0) == 0) {
      one.rules.null_moves = false;
      line.erase(0, 9);
    }
    one.position = parse_position(line.substr(0, line.find('|'))).value();
    std::istringstream counts(line.substr(line.find('|') + 1));
    while (counts >> one.leaves) ++one.depth;
    cases.push_back(one);
  }
  if (cases.empty()) throw std::runtime_error("nothing in " GOUNKI_GOLDEN "/perft.txt");
  return cases;
}

void run_perft(benchmark::State& state, const PerftCase& one) {
  for (auto _ : state) {
    if (perft(one.position, one.depth, one.rules) != one.leaves) state.SkipWithError("wrong count");
  }
  state.counters["leaves"] = static_cast<double>(one.leaves);
  state.counters["leaves/s"] = benchmark::Counter(
      static_cast<double>(one.leaves) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}

// Positions of random games, the same at every run.
std::vector<Position> walked_positions() {
  Rng rng(1);
  std::vector<Position> positions;
  while (positions.size() < 1000) {
    Position position = Position::start();
    for (int ply = 0; ply < 60 && !position.is_lost(); ++ply) {
      positions.push_back(position);
      const MoveList moves = legal_moves(position);
      position = position.after(moves[static_cast<int>(rng.below(moves.size()))]);
    }
  }
  return positions;
}

void list_moves(benchmark::State& state) {
  const auto positions = walked_positions();
  for (auto _ : state)
    for (const Position& position : positions) benchmark::DoNotOptimize(legal_moves(position));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(positions.size()));
}
BENCHMARK(list_moves);

void count_moves(benchmark::State& state) {
  const auto positions = walked_positions();
  for (auto _ : state)
    for (const Position& position : positions)
      benchmark::DoNotOptimize(count_legal_moves(position));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(positions.size()));
}
BENCHMARK(count_moves);

void make_moves(benchmark::State& state) {
  std::vector<std::pair<Position, Move>> steps;
  for (const Position& position : walked_positions())
    for (const Move move : legal_moves(position)) steps.emplace_back(position, move);
  for (auto _ : state)
    for (const auto& [position, move] : steps) benchmark::DoNotOptimize(position.after(move));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(steps.size()));
}
BENCHMARK(make_moves);

const int kRegistered = [] {
  int number = 0;
  for (const PerftCase& one : perft_cases()) {
    const std::string place = one.position == Position::start() ? "start" : std::to_string(number);
    const std::string name = "perft/" + place + "/depth:" + std::to_string(one.depth) +
                             (one.rules.null_moves ? "" : "/no-null-moves");
    benchmark::RegisterBenchmark(name.c_str(), run_perft, one)->Unit(benchmark::kMillisecond);
    ++number;
  }
  return number;
}();

}  // namespace
