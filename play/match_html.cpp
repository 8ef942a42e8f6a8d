#include "play/match_html.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <spdlog/fmt/fmt.h>

#include "play/markup.h"
#include "play/match_charts.h"
#include "play/match_report.h"
#include "play/tally_text.h"

namespace gounki::play {
namespace {

using arena::MatchHistory;
using arena::Strength;

constexpr std::size_t kMostRows = 200;  // of the table of pairs

std::string name_of(const MatchHistory& match, int player) {
  return escaped(match.settings.players[static_cast<std::size_t>(player)]);
}

std::string paragraph(const std::string& text) { return "<p>" + text + "</p>\n"; }

std::string heading(int level, const std::string& text) {
  return fmt::format("<h{0}>{1}</h{0}>\n", level, text);
}

std::string figure(const Drawing& chart) {
  const auto begin = chart.svg.find("<desc>") + 6, end = chart.svg.find("</desc>");
  const auto title = chart.svg.find("<title>") + 7, title_end = chart.svg.find("</title>");
  return fmt::format("<figure>\n{}<figcaption><b>{}.</b> {}</figcaption>\n</figure>\n", chart.svg,
                     chart.svg.substr(title, title_end - title), chart.svg.substr(begin, end - begin));
}

// A table whose cells are markup; the first cell of a row is its heading.
class TableText {
 public:
  explicit TableText(const std::vector<std::string>& headings) {
    if (headings.empty()) return;
    text_ += "<thead><tr>";
    for (const std::string& cell : headings) text_ += "<th scope=\"col\">" + cell + "</th>";
    text_ += "</tr></thead>\n";
  }
  void row(const std::vector<std::string>& cells) {
    rows_ += "<tr><th scope=\"row\">" + cells.front() + "</th>";
    for (std::size_t i = 1; i < cells.size(); ++i) rows_ += "<td>" + cells[i] + "</td>";
    rows_ += "</tr>\n";
  }
  std::string text(const char* kind = "numbers") const {
    return fmt::format("<div class=\"scroll\"><table class=\"{}\">\n{}<tbody>\n{}</tbody></table></div>\n",
                       kind, text_, rows_);
  }

 private:
  std::string text_, rows_;
};

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string rules_text(const Rules& rules) {
  std::string out;
  if (!rules.null_moves) out += ", without null moves";
  if (!rules.repetition_draw) out += ", no draw by repetition";
  if (!rules.quiet_draw) out += ", no draw by quiet plies";
  return out.empty() ? "all" : out.substr(2);
}

std::string adjudication_text(const arena::TableConfig& table) {
  std::string out = fmt::format("a draw at ply {}", table.ply_cap);
  if (table.end_proven) out += "; as soon as a player has proven the result";
  if (table.win_value > 0)
    out += fmt::format("; won when both players value it at {:g} or more for {} plies",
                       table.win_value, table.win_plies);
  if (table.draw_value > 0)
    out += fmt::format("; drawn when both players value it within {:g} of 0 for {} plies, from ply {}",
                       table.draw_value, table.draw_plies, table.draw_from);
  return out;
}

std::string settings_section(const MatchHistory& match) {
  const arena::MatchSettings& settings = match.settings;
  TableText table({});
  bool clocks = false;
  for (std::size_t i = 0; i < settings.players.size(); ++i) {
    const auto& clock = settings.clocks[i];
    clocks |= clock.has_value();
    table.row({fmt::format("player {}", i + 1),
               fmt::format("<code>{}</code>{}", escaped(settings.players[i]),
                           clock ? ", clock " + to_string(*clock) + " s" : "")});
  }
  table.row({"openings", escaped(settings.openings)});
  table.row({"seed", std::to_string(settings.seed)});
  table.row({"rules", rules_text(settings.rules)});
  table.row({"adjudication", adjudication_text(settings.table)});
  if (clocks) table.row({"time margin", fmt::format("{} ms", settings.table.time_margin)});
  if (settings.sprt) {
    const arena::SprtConfig& test = *settings.sprt;
    table.row({"test", fmt::format("SPRT of {:g} against {:g} {} Elo, alpha {:g}, beta {:g}", test.elo0,
                                   test.elo1, escaped(test.model), test.alpha, test.beta)});
  }
  table.row({"log", fmt::format("format {}, {} pairs, {} games", arena::kMatchLogFormat,
                                match.pairs.size(), 2 * match.pairs.size())});
  return heading(2, "What was played") + table.text("facts");
}

// One sentence for those who know no Elo.
std::string meaning(const Strength& s, const std::string& first, const std::string& second) {
  const auto better = [](const std::string& winner, const std::string& loser, double score, double low,
                         double high) {
    const std::string lead = std::isinf(high) ? fmt::format("at least {:.0f} Elo", low)
                                              : fmt::format("{:.0f} to {:.0f} Elo", low, high);
    return fmt::format("<b>{} is the stronger player</b>: it takes {} of the points against {}, and "
                       "games like these are what a lead of {} looks like (95 %).",
                       winner, percent(score), loser, lead);
  };
  if (s.elo_low > 0) return better(first, second, s.score, s.elo_low, s.elo_high);
  if (s.elo_high < 0) return better(second, first, 1 - s.score, -s.elo_high, -s.elo_low);
  const auto side = [](double elo, const std::string& name) {
    return std::isinf(elo) ? name + " far ahead" : fmt::format("{} {:.0f} Elo ahead", name, std::abs(elo));
  };
  return fmt::format("<b>These games do not show who is stronger</b>: anything from {} to {} goes "
                     "with them (95 %).",
                     side(s.elo_low, second), side(s.elo_high, first));
}

std::string headline(const MatchHistory& match, const Encounter& encounter) {
  const std::string first = name_of(match, encounter.first), second = name_of(match, encounter.second);
  const Strength s = arena::estimate_strength(encounter.result.pairs);
  const arena::Tally total = encounter.result.total();
  std::string out = paragraph(meaning(s, first, second));
  if (match.settings.sprt && test_of(match).verdict != arena::SprtVerdict::kUndecided)
    out += paragraph("A test ended this match when it had seen enough, so the Elo is too far from 0 on "
                     "average; the verdict is what counts.");
  TableText table({});
  table.row({"score", fmt::format("{:.1f} of {} points: {} ({} to {})", total.points(), total.games(),
                                  percent(s.score), percent(s.score_low), percent(s.score_high))});
  table.row({"Elo", escaped(arena::to_string(s))});
  if (!s.uniform)
    table.row({"normalised Elo",
               fmt::format("{:+.1f} ± {:.1f} (95 %)", s.normalized_elo, s.normalized_error)});
  table.row({"LOS", fmt::format("{}: the chance that {} is the better player", percent(s.los), first)});
  return out + table.text("facts");
}

std::string colours_table(const std::string& first, const arena::MatchResult& result) {
  TableText table({first, "won", "drawn", "lost", "points", "score"});
  const auto row = [&](const char* what, const arena::Tally& t) {
    table.row({what, std::to_string(t.wins), std::to_string(t.draws), std::to_string(t.losses),
               fmt::format("{:.1f}", t.points()),
               t.games() > 0 ? percent(t.points() / t.games()) : ""});
  };
  row("as White", result.as_white);
  row("as Black", result.as_black);
  row("total", result.total());
  return table.text();
}

// What the first move is worth: each pair counted for White, who has another player behind it in
// each of the two games.
std::string first_move(const Pairs& pairs) {
  arena::PairCounts counts{};
  for (const arena::PlayedPair& pair : pairs) {
    int half_points = 0;
    for (const arena::PlayedGame& game : pair.games)
      half_points += arena::half_points_of(game.result, Side::White);
    ++counts[static_cast<std::size_t>(half_points)];
  }
  const Strength s = arena::estimate_strength(counts);
  return fmt::format("White, who moves first, scored {}: {}. In {} of {} pairs White won both games, "
                     "in {} Black did.",
                     percent(s.score), escaped(arena::to_string(s)), counts[4], s.pairs, counts[0]);
}

std::string endings_list(const MatchHistory& match, const Encounter& encounter) {
  const arena::MatchResult& result = encounter.result;
  std::string out = "<ul>\n<li>Games ended: " + escaped(endings_text(result.endings)) + ".</li>\n";
  for (const int which : {0, 1}) {
    const auto& faults = result.faults[static_cast<std::size_t>(which)];
    const std::string name = name_of(match, which == 0 ? encounter.first : encounter.second);
    out += faults.empty() ? "<li>" + name + " never failed a turn.</li>\n"
                          : "<li>" + name + " failed and lost: " + escaped(faults_text(faults)) +
                                ".</li>\n";
  }
  out += result.repeated == 0
             ? "<li>No game repeats another.</li>\n"
             : fmt::format("<li>{} games repeat another with the same colours move by move, and say "
                           "nothing new.</li>\n",
                           result.repeated);
  return out + "</ul>\n";
}

std::string encounter_body(const MatchHistory& match, const Encounter& encounter, const Pairs& pairs) {
  const arena::MatchResult& result = encounter.result;
  std::string out = headline(match, encounter) +
                    colours_table(name_of(match, encounter.first), result) +
                    "<div class=\"charts\">\n" + figure(pair_counts_chart(result.pairs)) +
                    figure(elo_chart(pairs));
  if (match.settings.sprt) out += figure(llr_chart(pairs, *match.settings.sprt));
  return out + figure(length_chart(pairs)) + "</div>\n" + paragraph(first_move(pairs)) +
         endings_list(match, encounter);
}

// Of each player against each other one, in points; a dash where they did not meet.
std::string cross_table(const MatchHistory& match, const std::vector<Encounter>& met,
                        const std::vector<int>& ranking) {
  std::map<std::pair<int, int>, std::string> cells;
  for (const Encounter& encounter : met) {
    const arena::Tally total = encounter.result.total();
    cells[{encounter.first, encounter.second}] =
        fmt::format("{:.1f} of {}", total.points(), total.games());
    cells[{encounter.second, encounter.first}] =
        fmt::format("{:.1f} of {}", total.games() - total.points(), total.games());
  }
  std::vector<std::string> headings = {"points of … against"};
  for (std::size_t i = 0; i < ranking.size(); ++i) headings.push_back(std::to_string(i + 1));
  TableText table(headings);
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{}. {}", i + 1, name_of(match, ranking[i]))};
    for (const int other : ranking) {
      const auto cell = cells.find({ranking[i], other});
      row.push_back(cell == cells.end() ? "–" : cell->second);
    }
    table.row(row);
  }
  return table.text();
}

std::string ratings_table(const RatedPlayers& rated) {
  TableText table({"player", "Elo", "from", "to", "games", "score"});
  for (const int player : rated.ranking()) {
    const arena::PlayerRating& r = rated.ratings.players()[static_cast<std::size_t>(player)];
    table.row({escaped(rated.names[static_cast<std::size_t>(player)]), elo_text(r.elo), elo_text(r.low),
               elo_text(r.high), std::to_string(r.games), percent(r.score)});
  }
  return table.text() + paragraph(escaped(anchor_text(rated)) + "; bounds of 95 %.");
}

std::string ratings_section(const MatchHistory& match, const std::vector<Encounter>& met) {
  const RatedPlayers rated = match_ratings(match);
  std::string out = heading(2, "Ratings") + "<div class=\"charts\">\n" + figure(ratings_chart(rated)) +
                    "</div>\n" + ratings_table(rated);
  if (const std::string groups = groups_text(rated); !groups.empty())
    out += "<pre>" + escaped(groups) + "</pre>\n";
  return out + heading(2, "Who scored what against whom") +
         cross_table(match, met, rated.ranking());
}

std::string game_cell(const arena::PlayedGame& game) {
  const std::string how = game.ending == arena::Ending::Fault
                              ? fmt::format("{}: {}", to_string(game.fault), game.fault_text)
                              : std::string(to_string(game.ending));
  return fmt::format("{}, {} plies, {}", to_string(game.result), game.moves.size(), escaped(how));
}

std::string pairs_section(const MatchHistory& match) {
  TableText table({"opening", "first player", "second player", "first has White", "first has Black",
                   "points of first"});
  const std::size_t rows = std::min(kMostRows, match.pairs.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const arena::PlayedPair& pair = match.pairs[i];
    table.row({std::to_string(pair.pairing.opening + 1), name_of(match, pair.pairing.first),
               name_of(match, pair.pairing.second), game_cell(pair.games[0]), game_cell(pair.games[1]),
               fmt::format("{:g} of 2", pair.half_points() / 2.0)});
  }
  const std::string summary = rows == match.pairs.size()
                                  ? fmt::format("All {} pairs", rows)
                                  : fmt::format("The first {} of {} pairs", rows, match.pairs.size());
  return heading(2, "Pairs") + "<details><summary>" + summary + "</summary>\n" + table.text() +
         "</details>\n" +
         paragraph("All games with their moves: <code>gounki report LOG --records games.pgn</code>");
}

Pairs pairs_of(const MatchHistory& match, const Encounter& encounter) {
  Pairs pairs;
  std::copy_if(match.pairs.begin(), match.pairs.end(), std::back_inserter(pairs), [&](const auto& pair) {
    return pair.pairing.first == encounter.first && pair.pairing.second == encounter.second;
  });
  return pairs;
}

std::string results(const MatchHistory& match) {
  if (match.pairs.empty()) return paragraph("No pairs played.");
  const std::vector<Encounter> met = encounters(match.pairs);
  if (match.settings.players.size() == 2)
    return heading(2, "Result") + encounter_body(match, met.front(), match.pairs) + pairs_section(match);
  std::string out = ratings_section(match, met) + heading(2, "Each two players") +
                    paragraph("All games together: " + first_move(match.pairs));
  for (const Encounter& encounter : met)
    out += fmt::format("<details><summary>{} against {}: {}</summary>\n{}</details>\n",
                       name_of(match, encounter.first), name_of(match, encounter.second),
                       tally_text(encounter.result.total()),
                       encounter_body(match, encounter, pairs_of(match, encounter)));
  return out + pairs_section(match);
}

constexpr const char* kStyle = R"(:root { --paper: #ffffff; --ink: #1c1f23; --faint: #d9dde2; --soft: #f4f6f8; color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15181c; --ink: #e4e7ea; --faint: #3a4048; --soft: #1e2329; }
}
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1, h2, td, th, summary, p, li { overflow-wrap: anywhere; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 1rem; }
figure { margin: 0; padding: 0.75rem; background: var(--soft); border-radius: 6px; max-width: 46rem; }
figcaption { font-size: 0.9rem; margin-top: 0.5rem; }
.scroll { overflow-x: auto; margin: 0.75rem 0; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--faint); padding: 0.3rem 0.75rem 0.3rem 0; text-align: left;
  vertical-align: top; }
tbody th { font-weight: normal; min-width: 7rem; }
.numbers td, .numbers thead th:not(:first-child) { font-variant-numeric: tabular-nums; white-space: nowrap; }
summary { cursor: pointer; padding: 0.3rem 0; }
pre { white-space: pre-wrap; }
)";

}  // namespace

std::string match_html(const MatchHistory& match) {
  const std::string title =
      match.settings.players.size() == 2
          ? name_of(match, 0) + " against " + name_of(match, 1)
          : fmt::format("A match of {} players", match.settings.players.size());
  return fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\"/>\n"
      "<title>{0}</title>\n<style>\n{1}{2}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{3}{4}</body>\n"
      "</html>\n",
      title, kStyle, plot_style(), results(match), settings_section(match));
}

}  // namespace gounki::play
