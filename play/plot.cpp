#include "play/plot.h"

#include <algorithm>
#include <cmath>

#include <spdlog/fmt/fmt.h>

#include "play/markup.h"

namespace gounki::play {
namespace {

// In units of the drawing.
constexpr double kWidth = 560, kHeight = 300, kTop = 14, kBottom = 48, kLeft = 64, kRight = 16;
constexpr double kCharacter = 8.2;  // about a character's width
constexpr double kLine = 16;        // of text
constexpr double kRow = 40;         // of an interval

struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Neither empty nor a single point, with a margin of this share on both sides.
  Span padded(double share) const {
    if (!(low <= high)) return {-1, 1};
    const double more = high > low ? share * (high - low) : std::max(1.0, 0.1 * std::abs(high));
    return {low - more, high + more};
  }
};

// Where a value of the span lies between two places; what is far outside stays near enough for any
// reader of SVG.
struct Scale {
  Span span;
  double from, to;

  double operator()(double value) const {
    const double share = std::clamp((value - span.low) / (span.high - span.low), -5.0, 6.0);
    return from + share * (to - from);
  }
};

std::string text_at(double x, double y, const char* anchor, const std::string& text,
                    const std::string& more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor,
                     more, escaped(text));
}

std::string line_at(const char* kind, double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1, y1,
      x2, y2);
}

std::string open_chart(const std::string& title, const std::string& description, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" viewBox=\"0 0 {} {}\">\n"
      "<title>{}</title>\n<desc>{}</desc>\n",
      kWidth, height, escaped(title), escaped(description));
}

// What is drawn in the frame is cut off at its edges.
std::string in_frame(double left, double top, double right, double bottom, const std::string& drawn) {
  return fmt::format("<svg x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\" "
                     "viewBox=\"{0:.1f} {1:.1f} {2:.1f} {3:.1f}\" overflow=\"hidden\">\n{4}</svg>\n",
                     left, top, right - left, bottom - top, drawn);
}

std::string x_axis(const Scale& x, const Ticks& ticks, double top, double bottom) {
  std::string out;
  for (const double tick : ticks.at) {
    out += line_at("grid", x(tick), top, x(tick), bottom);
    out += text_at(x(tick), bottom + kLine, "middle", ticks.label(tick));
  }
  return out;
}

std::string y_axis(const Scale& y, const Ticks& ticks, double right) {
  std::string out;
  for (const double tick : ticks.at) {
    out += line_at("grid", kLeft, y(tick), right, y(tick));
    out += text_at(kLeft - 6, y(tick) + 5, "end", ticks.label(tick));
  }
  return out;
}

std::string axis_labels(const std::string& x_label, const std::string& y_label, double right) {
  const double middle = (kTop + kHeight - kBottom) / 2;
  return text_at((kLeft + right) / 2, kHeight - 10, "middle", x_label) +
         text_at(16, middle, "middle", y_label,
                 fmt::format(" transform=\"rotate(-90 16 {:.1f})\"", middle));
}

bool has_interval(const PlotPoint& point) { return !std::isnan(point.low) && !std::isnan(point.high); }

std::string band(const std::vector<PlotPoint>& points, const Scale& x, const Scale& y) {
  std::string upper, lower;
  for (const PlotPoint& point : points) {
    if (!has_interval(point)) continue;
    upper += fmt::format("{:.1f},{:.1f} ", x(point.x), y(point.high));
    lower = fmt::format("{:.1f},{:.1f} ", x(point.x), y(point.low)) + lower;
  }
  return upper.empty() ? "" : "<polygon class=\"band\" points=\"" + upper + lower + "\"/>\n";
}

std::string path(const std::vector<PlotPoint>& points, const Scale& x, const Scale& y) {
  std::string places;
  for (const PlotPoint& point : points)
    if (std::isfinite(point.y)) places += fmt::format("{:.1f},{:.1f} ", x(point.x), y(point.y));
  return places.empty() ? "" : "<polyline class=\"line\" points=\"" + places + "\"/>\n";
}

std::string mark(const PlotPoint& point, const Scale& x, const Scale& y) {
  if (!std::isfinite(point.y)) return "";
  std::string out;
  const double at = x(point.x);
  if (has_interval(point)) {
    out += line_at("error", at, y(point.low), at, y(point.high));
    for (const double end : {point.low, point.high})
      if (std::isfinite(end)) out += line_at("error", at - 4, y(end), at + 4, y(end));
  }
  return out + fmt::format("<circle class=\"mark\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", at,
                           y(point.y));
}

// The labels of levels stand to the right of the frame, moved apart where they would overlap.
std::string levels(const std::vector<PlotLevel>& levels, const Scale& y, double right) {
  std::vector<PlotLevel> sorted = levels;
  std::stable_sort(sorted.begin(), sorted.end(), [](auto& a, auto& b) { return a.y > b.y; });
  std::string out;
  double place = kTop - kLine;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double here = std::clamp(y(sorted[i].y), kTop, kHeight - kBottom);
    const double room = kLine * static_cast<double>(sorted.size() - 1 - i);
    place = std::max(place + kLine, std::min(here, kHeight - kBottom - room));
    out += in_frame(kLeft, kTop, right, kHeight - kBottom,
                    line_at("level", kLeft, y(sorted[i].y), right, y(sorted[i].y)));
    out += text_at(right + 5, place + 5, "start", shortened(sorted[i].label, 22));
  }
  return out;
}

Span y_span(const LineChart& chart) {
  if (chart.y_low != chart.y_high) return {chart.y_low, chart.y_high};
  Span span;
  for (const PlotPoint& point : chart.points)
    for (const double value : {point.y, point.low, point.high}) span.add(value);
  for (const PlotLevel& level : chart.levels) span.add(level.y);
  return span.padded(0.06);
}

}  // namespace

Ticks nice_ticks(double low, double high, int about, double least_step) {
  Ticks ticks;
  const double rough = std::max((high - low) / about, least_step);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  ticks.step = 10.0 * power;
  for (const double times : {5.0, 2.0, 1.0})
    if (times * power >= rough * (1 - 1e-9)) ticks.step = times * power;
  const double slack = 1e-9 * (high - low);
  for (double n = std::ceil((low - slack) / ticks.step); n * ticks.step <= high + slack; ++n)
    ticks.at.push_back(n * ticks.step);
  return ticks;
}

std::string Ticks::label(double value) const {
  const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  const std::string text = fmt::format("{:.{}f}", std::abs(value), digits);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return (value < 0 && !zero ? "−" : "") + text;
}

Drawing line_chart(const LineChart& chart) {
  std::size_t longest = 0;
  for (const PlotLevel& level : chart.levels)
    longest = std::max(longest, std::min<std::size_t>(level.label.size(), 22));
  const double right =
      kWidth - (longest > 0 ? 10 + kCharacter * static_cast<double>(longest) : kRight);
  const double bottom = kHeight - kBottom;
  Span along;
  for (const PlotPoint& point : chart.points) along.add(point.x);
  const Scale x{along.padded(chart.marks ? 0.04 : 0.0), kLeft, right};
  const Scale y{y_span(chart), bottom, kTop};

  std::string drawn;
  if (!chart.marks) drawn += band(chart.points, x, y);
  drawn += path(chart.points, x, y);
  if (chart.marks)
    for (const PlotPoint& point : chart.points) drawn += mark(point, x, y);
  const double least_step = chart.whole_x ? 1.0 : 0.0;
  return {open_chart(chart.title, chart.description, kHeight) +
              x_axis(x, nice_ticks(x.span.low, x.span.high, 6, least_step), kTop, bottom) +
              y_axis(y, nice_ticks(y.span.low, y.span.high, 6), right) +
              levels(chart.levels, y, right) + in_frame(kLeft, kTop, right, bottom, drawn) +
              line_at("axis", kLeft, bottom, right, bottom) +
              line_at("axis", kLeft, kTop, kLeft, bottom) +
              axis_labels(chart.x_label, chart.y_label, right) + "</svg>\n",
          kHeight};
}

Drawing column_chart(const ColumnChart& chart) {
  const double right = kWidth - kRight, bottom = kHeight - kBottom;
  const double width = (right - kLeft) / static_cast<double>(std::max<std::size_t>(1, chart.columns.size()));
  double most = 1;
  for (const Column& column : chart.columns) most = std::max(most, column.count);
  const Scale y{{0, 1.1 * most}, bottom, kTop};

  std::string out = open_chart(chart.title, chart.description, kHeight);
  out += y_axis(y, nice_ticks(0, 1.1 * most, 5, 1.0), right);
  for (std::size_t i = 0; i < chart.columns.size(); ++i) {
    const Column& column = chart.columns[i];
    const double left = kLeft + width * static_cast<double>(i), top = y(column.count);
    const double middle = left + width / 2;
    out += fmt::format("<rect class=\"column\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                       "height=\"{:.1f}\"/>\n",
                       left + 0.1 * width, top, 0.8 * width, bottom - top);
    out += text_at(middle, top - 4, "middle", fmt::format("{:g}", column.count));
    out += text_at(middle, bottom + kLine, "middle", column.label);
  }
  return {out + line_at("axis", kLeft, bottom, right, bottom) +
              axis_labels(chart.x_label, chart.y_label, right) + "</svg>\n",
          kHeight};
}

Drawing interval_chart(const IntervalChart& chart) {
  Span values;
  for (const IntervalRow& row : chart.rows) values.add(row.value);
  // A bound that is far away must not press all the others together.
  const double most = std::max(1.0, 0.6 * (values.high - values.low));
  Span span = values;
  for (const IntervalRow& row : chart.rows)
    for (const double bound : {row.low, row.high})
      span.add(std::clamp(bound, values.low - most, values.high + most));
  const double left = kRight, right = kWidth - kRight;
  const double bottom = kTop + kRow * static_cast<double>(chart.rows.size());
  const Scale x{span.padded(0.05), left, right};

  std::string out = open_chart(chart.title, chart.description, bottom + kBottom);
  out += x_axis(x, nice_ticks(x.span.low, x.span.high, 6), kTop, bottom);
  std::string drawn;
  for (std::size_t i = 0; i < chart.rows.size(); ++i) {
    const IntervalRow& row = chart.rows[i];
    const double top = kTop + kRow * static_cast<double>(i), at = top + 27;
    out += text_at(left + 2, top + 13, "start", shortened(row.label, 70));
    drawn += line_at("error", x(row.low), at, x(row.high), at);
    for (const double end : {row.low, row.high})
      if (std::isfinite(end)) drawn += line_at("error", x(end), at - 5, x(end), at + 5);
    drawn += fmt::format("<circle class=\"mark\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>\n",
                         x(row.value), at);
  }
  return {out + in_frame(left, kTop, right, bottom, drawn) +
              line_at("axis", left, bottom, right, bottom) +
              text_at((left + right) / 2, bottom + kBottom - 10, "middle", chart.x_label) + "</svg>\n",
          bottom + kBottom};
}

std::string plot_style() {
  return R"(.plot { --ink: #1c1f23; --faint: #d9dde2; --accent: #1f5fa8; color-scheme: light dark;
  font: 14px system-ui, sans-serif; display: block; width: 100%; height: auto; }
@media (prefers-color-scheme: dark) {
  .plot { --ink: #e4e7ea; --faint: #3a4048; --accent: #7db4f2; }
}
.plot text { fill: var(--ink); }
.plot .grid { stroke: var(--faint); }
.plot .axis { stroke: var(--ink); }
.plot .level { stroke: var(--ink); stroke-dasharray: 6 4; }
.plot .band { fill: var(--accent); fill-opacity: 0.2; }
.plot .line { fill: none; stroke: var(--accent); stroke-width: 2; }
.plot .error { stroke: var(--accent); stroke-width: 2; }
.plot .mark, .plot .column { fill: var(--accent); }
)";
}

std::string svg_file(const std::vector<Drawing>& charts) {
  std::string placed;
  double height = 0;
  for (const Drawing& chart : charts) {
    placed += fmt::format("<svg y=\"{0}\" width=\"{1}\" height=\"{2}\">\n{3}</svg>\n", height, kWidth,
                          chart.height, chart.svg);
    height += chart.height;
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
      "<style>\n{2}.paper {{ fill: #ffffff; }}\n"
      "@media (prefers-color-scheme: dark) {{ .paper {{ fill: #15181c; }} }}\n</style>\n"
      "<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n{3}</svg>\n",
      kWidth, height, plot_style(), placed);
}

}  // namespace gounki::play
