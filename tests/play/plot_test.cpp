#include <algorithm>
#include <limits>

#include <catch2/catch.hpp>

#include "play/plot.h"
#include "xml_check.h"

namespace gounki::play {
namespace {

using Catch::Contains;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::string> labels(const Ticks& ticks) {
  std::vector<std::string> out;
  for (const double tick : ticks.at) out.push_back(ticks.label(tick));
  return out;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

TEST_CASE("ticks are round numbers") {
  using Labels = std::vector<std::string>;
  CHECK(labels(nice_ticks(0, 100, 5)) == Labels{"0", "20", "40", "60", "80", "100"});
  CHECK(labels(nice_ticks(-3, 3, 3)) == Labels{"−2", "0", "2"});
  CHECK(labels(nice_ticks(0, 0.6, 3)) == Labels{"0.0", "0.2", "0.4", "0.6"});
  CHECK(labels(nice_ticks(-0.05, 0.05, 2)) == Labels{"−0.05", "0.00", "0.05"});
  CHECK(labels(nice_ticks(1, 3, 8)) == Labels{"1.0", "1.5", "2.0", "2.5", "3.0"});
  CHECK(labels(nice_ticks(1, 3, 8, 1.0)) == Labels{"1", "2", "3"});
}

TEST_CASE("ticks stay within their ends and are about as many as asked for") {
  for (const double low : {-1234.5, -1.0, 0.0, 0.001, 17.0, 4e6})
    for (const double length : {1e-3, 0.7, 3.0, 99.0, 12345.0, 1e9}) {
      const Ticks ticks = nice_ticks(low, low + length, 6);
      CHECK(ticks.at.size() >= 2);
      CHECK(ticks.at.size() <= 8);
      for (const double tick : ticks.at) {
        CHECK(tick >= low - 1e-6 * length);
        CHECK(tick <= low + length + 1e-6 * length);
      }
    }
}

LineChart hostile_line() {
  LineChart chart{"<b>&\"title\"", "'</desc><script>", "x<", "y&", {}, {{5, "<level>"}}};
  chart.points = {{0, 1, -kInfinity, kInfinity}, {1, kInfinity, 2, kInfinity}, {2, 3, 1, 4}, {3, 2}};
  return chart;
}

TEST_CASE("charts are well-formed whatever their texts and numbers are") {
  LineChart line = hostile_line();
  CHECK(xml_error(line_chart(line).svg) == "");
  line.marks = true;
  CHECK(xml_error(line_chart(line).svg) == "");
  const Drawing columns = column_chart({"a<", "b&", "c\"", "d>", {{"<e>", 3}, {"", 0}}});
  CHECK(xml_error(columns.svg) == "");
  const Drawing intervals =
      interval_chart({"a<", "b&", "c", {{"<e>", 3, -kInfinity, 5}, {"f", 2, 1, kInfinity}}});
  CHECK(xml_error(intervals.svg) == "");
  for (const std::string& svg : {line_chart(line).svg, columns.svg, intervals.svg}) {
    CHECK_THAT(svg, !Contains("nan") && !Contains("inf") && !Contains("<script"));
    CHECK_THAT(svg, Contains("role=\"img\"") && Contains("<title>") && Contains("<desc>"));
  }
  const std::string file = svg_file({line_chart(line), columns, intervals});
  CHECK(xml_error(file) == "");
  CHECK_THAT(file, Contains("prefers-color-scheme: dark"));
}

TEST_CASE("charts of nothing and of one point are drawn") {
  CHECK(xml_error(line_chart({}).svg) == "");
  LineChart one;
  one.points = {{7, 7, 7, 7}};
  CHECK(xml_error(line_chart(one).svg) == "");
  CHECK_THAT(line_chart(one).svg, !Contains("nan"));
  CHECK(xml_error(column_chart({}).svg) == "");
  CHECK_THAT(interval_chart({"", "", "", {{"alone", 0, -kInfinity, kInfinity}}}).svg, !Contains("nan"));
}

TEST_CASE("a line has its band and marks have their bars") {
  LineChart chart;
  chart.points = {{0, 1, 0, 2}, {1, 2, 1, 3}, {2, 2, 1, kInfinity}};
  const std::string line = line_chart(chart).svg;
  CHECK(count(line, "class=\"band\"") == 1);
  CHECK(count(line, "class=\"mark\"") == 0);
  chart.marks = true;
  const std::string marks = line_chart(chart).svg;
  CHECK(count(marks, "class=\"band\"") == 0);
  CHECK(count(marks, "class=\"mark\"") == 3);
  CHECK(count(marks, "class=\"error\"") == 3 + 5);  // an end that is infinite has no cap
}

TEST_CASE("a column is as high as its count") {
  const std::string svg = column_chart({"", "", "", "", {{"a", 2}, {"b", 4}}}).svg;
  std::vector<double> heights;
  for (std::size_t at = 0; (at = svg.find("<rect", at)) != std::string::npos; ++at)
    heights.push_back(std::stod(svg.substr(svg.find("height=\"", at) + 8)));
  REQUIRE(heights.size() == 2);
  CHECK(heights[1] == Approx(2 * heights[0]).margin(0.1));
}

TEST_CASE("labels of levels that are close together do not overlap") {
  LineChart chart;
  chart.points = {{0, 0}, {1, 1000}};
  chart.levels = {{500, "one"}, {501, "two"}, {502, "three"}, {0, "four"}, {1, "five"}};
  const std::string svg = line_chart(chart).svg;
  std::vector<double> places;
  for (const PlotLevel& level : chart.levels) {
    const std::size_t end = svg.find(">" + level.label + "<");
    REQUIRE(end != std::string::npos);
    places.push_back(std::stod(svg.substr(svg.rfind(" y=\"", end) + 4)));
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i) CHECK(places[i] - places[i - 1] >= 15.9);
}

}  // namespace
}  // namespace gounki::play
