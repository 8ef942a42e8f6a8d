#include "play/rating_curve.h"

#include <algorithm>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "play/plot.h"
#include "selfplay/metrics.h"
#include "selfplay/run_folder.h"

namespace gounki::play {
namespace {

using Checkpoint = RatingCurve::Checkpoint;

const arena::PlayerRating& rating_of(const RatedPlayers& rated, int player) {
  return rated.ratings.players()[static_cast<std::size_t>(player)];
}

Json player_json(const RatedPlayers& rated, int player) {
  const arena::PlayerRating& r = rating_of(rated, player);
  return {{"player", rated.names[static_cast<std::size_t>(player)]},
          {"elo", r.elo},
          {"elo_low", r.low},  // null where it is infinite
          {"elo_high", r.high},
          {"games", r.games},
          {"score", r.score}};
}

// All ratings are in the picture; bounds that are far away run out of it.
void choose_range(LineChart& chart) {
  std::vector<double> values;
  for (const PlotPoint& point : chart.points) values.push_back(point.y);
  for (const PlotLevel& level : chart.levels) values.push_back(level.y);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double most = std::max(100.0, 0.4 * (*high - *low));
  chart.y_low = *low - 20;
  chart.y_high = *high + 20;
  for (const PlotPoint& point : chart.points) {
    chart.y_low = std::min(chart.y_low, std::max(point.low, *low - most));
    chart.y_high = std::max(chart.y_high, std::min(point.high, *high + most));
  }
}

template <class Place>
Drawing chart_over(const RatingCurve& curve, const RatedPlayers& rated, const std::string& what,
                   bool whole, Place&& place) {
  LineChart chart;
  chart.title = "Elo over " + what;
  chart.description = anchor_text(rated) + ", bounds of 95 %. The networks:";
  chart.x_label = what;
  chart.y_label = "Elo";
  chart.marks = true;
  chart.whole_x = whole;
  for (const Checkpoint& checkpoint : curve.checkpoints) {
    const arena::PlayerRating& r = rating_of(rated, checkpoint.player);
    chart.points.push_back({place(checkpoint), r.elo, r.low, r.high});
    chart.description += fmt::format(" step {} {} ({} to {});", checkpoint.step, elo_text(r.elo),
                                     elo_text(r.low), elo_text(r.high));
  }
  chart.description += " dashed lines are players to compare with:";
  for (const int player : curve.ladder) {
    const std::string& name = rated.names[static_cast<std::size_t>(player)];
    chart.levels.push_back({rating_of(rated, player).elo, name});
    chart.description += fmt::format(" {} {};", name, elo_text(rating_of(rated, player).elo));
  }
  choose_range(chart);
  return line_chart(chart);
}

}  // namespace

std::map<std::int64_t, RunMoment> moments_of_run(const std::filesystem::path& run) {
  std::map<std::int64_t, RunMoment> moments = {{0, {}}};
  for (const auto& line : selfplay::read_metrics(selfplay::RunFolder(run).metrics_path()))
    if (line.value("type", "") == "iteration" && line.contains("step"))
      moments[line.value("step", std::int64_t{0})] = {line.value("games", 0.0),
                                                      line.value("minutes", 0.0)};
  return moments;
}

Json curve_json(const RatingCurve& curve, const RatedPlayers& rated) {
  const arena::RatingAnchor& anchor = rated.ratings.anchor();
  Json out = {{"anchor",
               {{"player", rated.names[static_cast<std::size_t>(anchor.player)]}, {"elo", anchor.elo}}},
              {"checkpoints", Json::array()},
              {"ladder", Json::array()}};
  for (const Checkpoint& checkpoint : curve.checkpoints) {
    Json one = {{"step", checkpoint.step}, {"run_games", nullptr}, {"run_minutes", nullptr}};
    if (checkpoint.moment) {
      one["run_games"] = static_cast<std::int64_t>(checkpoint.moment->games);
      one["run_minutes"] = checkpoint.moment->minutes;
    }
    one.update(player_json(rated, checkpoint.player));
    out["checkpoints"].push_back(one);
  }
  for (const int player : curve.ladder) out["ladder"].push_back(player_json(rated, player));
  return out;
}

std::string curve_svg(const RatingCurve& curve, const RatedPlayers& rated) {
  const bool moments = std::ranges::all_of(curve.checkpoints, [](auto& c) { return c.moment.has_value(); });
  if (!moments)
    return svg_file({chart_over(curve, rated, "learner steps", true, [](const Checkpoint& c) {
      return static_cast<double>(c.step);
    })});
  return svg_file({chart_over(curve, rated, "games of self-play", true,
                              [](const Checkpoint& c) { return c.moment->games; }),
                   chart_over(curve, rated, "minutes of training", false,
                              [](const Checkpoint& c) { return c.moment->minutes; })});
}

}  // namespace gounki::play
