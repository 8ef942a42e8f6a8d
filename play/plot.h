// Small charts as SVG, for pages and as files of their own. Every chart has a title and a description
// that says in words what it shows; colours come from CSS and follow the reader's light or dark mode,
// and nothing is told by colour alone. Numbers that are infinite run out of the picture; those that
// are not a number are left out.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace gounki::play {

// An svg element, and its height for a width of 560.
struct Drawing {
  std::string svg;
  double height = 0.0;
};

// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high].
struct Ticks {
  std::vector<double> at;
  double step = 1.0;
  std::string label(double value) const;  // with the digits that the step needs
};
// About so many, and at least `least_step` apart.
Ticks nice_ticks(double low, double high, int about, double least_step = 0.0);

struct PlotPoint {
  double x = 0.0, y = 0.0;
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

// A horizontal line to compare with.
struct PlotLevel {
  double y = 0.0;
  std::string label;
};

struct LineChart {
  std::string title, description, x_label, y_label;
  std::vector<PlotPoint> points;  // by rising x
  std::vector<PlotLevel> levels;
  bool marks = false;        // points and error bars in place of a line and its band
  bool whole_x = true;       // x counts something
  double y_low = 0.0, y_high = 0.0;  // what to show; where both are 0, all that is finite
};
Drawing line_chart(const LineChart& chart);

struct Column {
  std::string label;
  double count = 0.0;
};
struct ColumnChart {
  std::string title, description, x_label, y_label;
  std::vector<Column> columns;
};
Drawing column_chart(const ColumnChart& chart);

// A value with its interval, a row for each.
struct IntervalRow {
  std::string label;
  double value = 0.0, low = 0.0, high = 0.0;
};
struct IntervalChart {
  std::string title, description, x_label;
  std::vector<IntervalRow> rows;
};
Drawing interval_chart(const IntervalChart& chart);

// The rules of style that charts need, once for a page.
std::string plot_style();
// Charts below each other as one file.
std::string svg_file(const std::vector<Drawing>& charts);

}  // namespace gounki::play
