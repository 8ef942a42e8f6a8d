#include "play/search_report.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "play/console.h"

namespace gounki::play {
namespace {

// Of 2^20 bytes, as the parameters memory_mb and cache_mb are.
std::string megabytes_text(std::size_t bytes) {
  const double megabytes = static_cast<double>(bytes) / (1 << 20);
  return fmt::format("{:.{}f} MB", megabytes, megabytes < 9.95 ? 1 : 0);
}

std::string hits_text(const mcts::Report& report) {
  const auto percent = 100.0 * static_cast<double>(report.cache_hits) /
                       static_cast<double>(std::max<std::int64_t>(1, report.lookups));
  return fmt::format("{:.0f}%", percent);
}

// "+0.250"; never "-0.000".
std::string value_text(mcts::MoverValue value) {
  const double rounded = std::round(1000.0 * value.v) / 1000.0;
  return fmt::format("{:+.3f}", rounded + 0.0);
}

const char* word_of(mcts::MoverValue value) {
  return value.v > 0 ? "win" : value.v < 0 ? "loss" : "draw";
}

std::string side_to_move(const Game& game) {
  return game.position().side_to_move() == Side::White ? "White" : "Black";
}

// The value of the root in words, with its point of view.
std::string verdict_text(const Game& game, const mcts::SearchResult& result) {
  const std::string side = side_to_move(game);
  if (!result.proven)
    return fmt::format("value {} for {}, from -1 to 1", value_text(result.value), side);
  const std::string proof = proof_text(result.value, result.plies);
  const std::string restricted =
      static_cast<int>(result.moves.size()) < game.legal_moves().size()
          ? ", if only the moves below may be played" : "";
  if (result.value.v == 0) return "proven: a draw" + restricted;
  return fmt::format("proven: {} {} for {}{}", proof, result.plies == 1 ? "ply" : "plies", side,
                     restricted);
}

std::string cells(const Game& game, const mcts::MoveStats& m, bool any_proven) {
  const bool valued = m.visits > 0 || m.proven;
  std::string out = fmt::format(
      "{:<14} {:>10} {:>7} {:>7} {:>6.1f}% {:>6.1f}%", to_string(m.move, game.position()), m.visits,
      valued ? value_text(m.q) : "-", m.visits > 0 ? value_text(m.lower_bound) : "-",
      100 * m.prior, 100 * m.policy);
  if (any_proven) out += fmt::format("  {:<10}", m.proven ? proof_text(m.q, m.plies) : "");
  return out;
}

std::string table_text(const Game& game, const mcts::SearchResult& result, int rows) {
  const std::size_t lines = result.lines.size();
  const auto shown =
      std::min(result.ranking.size(), std::max(lines, static_cast<std::size_t>(rows)));
  const auto stats = [&](std::size_t i) -> const mcts::MoveStats& {
    return result.moves[static_cast<std::size_t>(result.ranking[i])];
  };
  bool any_proven = false;
  for (std::size_t i = 0; i < shown; ++i) any_proven |= stats(i).proven;

  std::string out =
      fmt::format("{:<14} {:>10} {:>7} {:>7} {:>7} {:>7}{}  line\n", "move", "visits", "value",
                  "bound", "prior", "policy", any_proven ? "  proven    " : "");
  for (std::size_t i = 0; i < shown; ++i) {
    std::string row = cells(game, stats(i), any_proven);
    if (i < lines) row += fmt::format("  {}", fmt::join(line_text(game, result.lines[i]), " "));
    row.erase(row.find_last_not_of(' ') + 1);
    out += row + "\n";
  }
  const std::size_t left = result.ranking.size() - shown;
  if (left > 0) out += fmt::format("and {} more move{}\n", left, left == 1 ? "" : "s");
  return out;
}

// Fields of a proof; null where nothing is proven.
void add_proof(Json& out, mcts::MoverValue value, bool proven, int plies) {
  out["proven"] = proven;
  out["result"] = proven ? Json(word_of(value)) : Json();
  out["plies"] = proven ? Json(plies) : Json();
}

Json move_json(const Game& game, const mcts::MoveStats& m) {
  Json out = {{"move", to_string(m.move, game.position())},
              {"visits", m.visits},
              {"value", m.q.v},
              {"lower_bound", m.lower_bound.v},
              {"prior", m.prior},
              {"policy", m.policy}};
  add_proof(out, m.q, m.proven, m.plies);
  return out;
}

}  // namespace

std::string proof_text(mcts::MoverValue value, int plies) {
  return value.v == 0 ? "draw" : fmt::format("{} in {}", word_of(value), plies);
}

std::vector<std::string> line_text(const Game& game, const std::vector<Move>& line) {
  std::vector<std::string> out;
  Position position = game.position();
  for (const Move move : line) {
    out.push_back(to_string(move, position));
    position = position.after(move);
  }
  return out;
}

std::string search_progress_text(const Game& game, const mcts::Report& report) {
  constexpr std::size_t kMoves = 4;
  const mcts::SearchResult& result = report.result;
  std::string out = fmt::format(
      "depth {}/{}, {} visits, {}/s, {} eval/s", result.depth, result.seldepth,
      count_text(static_cast<double>(result.visits)), count_text(report.visits_per_second()),
      count_text(report.evaluations_per_second()));
  if (report.lookups > 0) out += ", cache " + hits_text(report);
  out += fmt::format(", {}{}, {}", megabytes_text(report.bytes), result.full ? " full" : "",
                     value_text(result.value));
  std::vector<std::string> moves = line_text(game, result.line());
  if (moves.size() > kMoves) moves.resize(kMoves);
  return fmt::format("{} {}", out, fmt::join(moves, " "));
}

std::string search_text(const Game& game, const mcts::Report& report, int rows) {
  const mcts::SearchResult& result = report.result;
  std::string out = fmt::format(
      "{} visits in {:.2f} s, depth {}, seldepth {}, {} visits/s, {} evaluations/s\n",
      result.visits, report.seconds, result.depth, result.seldepth,
      count_text(report.visits_per_second()), count_text(report.evaluations_per_second()));
  out += fmt::format("{} nodes, {}{}", result.nodes, megabytes_text(report.bytes),
                     result.full ? ", memory full" : "");
  if (report.lookups > 0)
    out += fmt::format(", cache hits {} of {}", hits_text(report),
                       count_text(static_cast<double>(report.lookups)));
  out += "\n" + verdict_text(game, result);
  if (report.evaluations + report.cache_hits > 0)
    out += fmt::format("; the evaluator alone: win {:.1f}%, draw {:.1f}%, loss {:.1f}%",
                       100 * result.raw.win, 100 * result.raw.draw, 100 * result.raw.loss);
  return out + "\n\n" + table_text(game, result, rows) +
         fmt::format("\nbest {}\n", to_string(result.best, game.position()));
}

Json search_json(const Game& game, const mcts::Report& report) {
  const mcts::SearchResult& result = report.result;
  Json out = {{"best", to_string(result.best, game.position())}, {"value", result.value.v}};
  add_proof(out, result.value, result.proven, result.plies);
  for (std::size_t i = 0; i < result.lines.size(); ++i) {
    const auto& first = result.moves[static_cast<std::size_t>(result.ranking[i])];
    Json line = {{"moves", line_text(game, result.lines[i])}, {"value", first.q.v}};
    add_proof(line, first.q, first.proven, first.plies);
    out["lines"].push_back(std::move(line));
  }
  out["raw"] = {{"win", result.raw.win}, {"draw", result.raw.draw}, {"loss", result.raw.loss}};
  out["plies_left"] = result.plies_left >= 0 ? Json(result.plies_left) : Json();
  out["visits"] = result.visits;
  out["nodes"] = result.nodes;
  out["depth"] = result.depth;
  out["seldepth"] = result.seldepth;
  out["seconds"] = report.seconds;
  out["visits_per_second"] = report.visits_per_second();
  out["evaluations"] = report.evaluations;
  out["evaluations_per_second"] = report.evaluations_per_second();
  out["cache"] = {{"lookups", report.lookups}, {"hits", report.cache_hits}};
  out["bytes"] = report.bytes;
  out["full"] = result.full;
  for (const int i : result.ranking)
    out["moves"].push_back(move_json(game, result.moves[static_cast<std::size_t>(i)]));
  return out;
}

}  // namespace gounki::play
