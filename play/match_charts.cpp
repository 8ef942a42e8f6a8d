#include "play/match_charts.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <spdlog/fmt/fmt.h>

#include "play/match_report.h"

namespace gounki::play {
namespace {

constexpr std::size_t kMostPoints = 300;  // of a curve: more than its width shows

// Calls visit(n, counts) with the counts of the first n pairs, for the last n and evenly many before.
void for_each_prefix(const Pairs& pairs,
                     const std::function<void(std::size_t, const arena::PairCounts&)>& visit) {
  const std::size_t step = (pairs.size() + kMostPoints - 1) / kMostPoints;
  arena::PairCounts counts{};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ++counts[static_cast<std::size_t>(pairs[i].half_points())];
    if ((i + 1) % step == 0 || i + 1 == pairs.size()) visit(i + 1, counts);
  }
}

// What to show of an Elo curve: the bounds of all but its first tenth, which are wide, and 0.
void choose_elo_range(LineChart& chart) {
  double low = 0, high = 0;
  for (std::size_t i = chart.points.size() / 10; i < chart.points.size(); ++i)
    for (const double value : {chart.points[i].y, chart.points[i].low, chart.points[i].high}) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  const double margin = std::max(10.0, 0.06 * (high - low));
  chart.y_low = low - margin;
  chart.y_high = high + margin;
}

}  // namespace

Drawing pair_counts_chart(const arena::PairCounts& counts) {
  ColumnChart chart{"Pairs by points", "", "points of the first player in a pair", "pairs", {}};
  const char* points[] = {"0", "½", "1", "1½", "2"};
  chart.description = "Pairs";
  for (std::size_t i = 0; i < 5; ++i) {
    chart.columns.push_back({points[i], static_cast<double>(counts[i])});
    chart.description += fmt::format("{} with {} points: {}", i == 0 ? "" : ",", points[i], counts[i]);
  }
  chart.description += ".";
  return column_chart(chart);
}

Drawing elo_chart(const Pairs& pairs) {
  LineChart chart;
  chart.title = "Elo over the pairs";
  chart.x_label = "pairs played";
  chart.y_label = "Elo";
  chart.levels = {{0, "0"}};
  arena::Strength last;
  for_each_prefix(pairs, [&](std::size_t n, const arena::PairCounts& counts) {
    last = arena::estimate_strength(counts);
    chart.points.push_back({static_cast<double>(n), last.elo, last.elo_low, last.elo_high});
  });
  choose_elo_range(chart);
  chart.description = fmt::format(
      "The line is the first player's Elo difference after each pair, the band its 95 % interval; at "
      "the end, after {} pairs: {}.", pairs.size(), arena::to_string(last));
  return line_chart(chart);
}

Drawing llr_chart(const Pairs& pairs, const arena::SprtConfig& config) {
  LineChart chart;
  chart.title = "Log-likelihood ratio over the pairs";
  chart.x_label = "pairs played";
  chart.y_label = "LLR";
  arena::SprtResult last;
  chart.points.push_back({0, 0});
  for_each_prefix(pairs, [&](std::size_t n, const arena::PairCounts& counts) {
    last = arena::sprt(counts, config);
    chart.points.push_back({static_cast<double>(n), last.llr});
  });
  chart.levels = {{last.lower, "accept H0"}, {last.upper, "accept H1"}};
  chart.description = fmt::format(
      "The line is the log-likelihood ratio after each pair; H0 is accepted at {:.2f} or below, H1 at "
      "{:.2f} or above; at the end, after {} pairs, it is {:.2f}: {}.",
      last.lower, last.upper, pairs.size(), last.llr,
      last.verdict == arena::SprtVerdict::kUndecided
          ? "undecided"
          : fmt::format("{} is accepted", to_string(last.verdict)));
  return line_chart(chart);
}

Drawing length_chart(const Pairs& pairs) {
  std::vector<std::size_t> lengths;
  for (const arena::PlayedPair& pair : pairs)
    for (const arena::PlayedGame& game : pair.games) lengths.push_back(game.moves.size());
  std::sort(lengths.begin(), lengths.end());
  const auto least = static_cast<double>(lengths.front()), most = static_cast<double>(lengths.back());
  const auto width = static_cast<std::size_t>(nice_ticks(least, most, 10, 5.0).step);
  const std::size_t first = lengths.front() / width;

  ColumnChart chart{"Length of the games", "", "plies, with the opening", "games", {}};
  chart.columns.resize(lengths.back() / width - first + 1);
  for (const std::size_t length : lengths) ++chart.columns[length / width - first].count;
  const std::size_t every = chart.columns.size() > 12 ? 2 : 1;
  for (std::size_t i = 0; i < chart.columns.size(); i += every)
    chart.columns[i].label = fmt::format("{}–", (first + i) * width);
  chart.description = fmt::format(
      "The shortest game has {} plies, the longest {}, half of the games have {} or fewer. A column "
      "is {} plies wide.",
      lengths.front(), lengths.back(), lengths[(lengths.size() - 1) / 2], width);
  return column_chart(chart);
}

Drawing ratings_chart(const RatedPlayers& rated) {
  IntervalChart chart{"Ratings", "", "Elo", {}};
  chart.description = anchor_text(rated) + ", with bounds of 95 %:";
  const char* separator = " ";
  for (const int player : rated.ranking()) {
    const arena::PlayerRating& r = rated.ratings.players()[static_cast<std::size_t>(player)];
    const std::string& name = rated.names[static_cast<std::size_t>(player)];
    chart.rows.push_back({fmt::format("{}  {}", elo_text(r.elo), name), r.elo, r.low, r.high});
    chart.description += fmt::format("{}{} {} ({} to {})", separator, name, elo_text(r.elo),
                                     elo_text(r.low), elo_text(r.high));
    separator = "; ";
  }
  chart.description += ".";
  return interval_chart(chart);
}

}  // namespace gounki::play
