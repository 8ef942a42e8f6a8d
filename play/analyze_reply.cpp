#include "play/analyze_reply.h"

#include <nlohmann/json.hpp>

#include "core/notation.h"
#include "play/search_report.h"

namespace gounki::play {
namespace {

const char* name_of(Side side) { return side == Side::White ? "white" : "black"; }

// Adds values of one position to a reply, turned to the perspective.
class Values {
 public:
  Values(Perspective perspective, Side mover) : perspective_(perspective), mover_(mover) {}

  // The chance to win if a draw is half of a win, and the same from -1 to 1.
  void add(Json& out, const char* winrate, mcts::MoverValue value) const {
    out[winrate] = (static_cast<double>(turned(value)) + 1.0) / 2.0;
  }
  void add_utility(Json& out, const char* name, mcts::MoverValue value) const {
    out[name] = turned(value);
  }
  void add_proof(Json& out, bool proven, mcts::MoverValue value, int plies) const {
    const float v = turned(value);
    out["proven"] = proven;
    out["result"] = proven ? Json(v > 0 ? "win" : v < 0 ? "loss" : "draw") : Json();
    out["plies"] = proven ? Json(plies) : Json();
  }

 private:
  float turned(mcts::MoverValue value) const { return seen_from(perspective_, value, mover_); }

  Perspective perspective_;
  Side mover_;
};

Json head(const std::string& id, int turn, bool during_search) {
  return {{"id", id}, {"turnNumber", turn}, {"isDuringSearch", during_search}};
}

Json move_infos(const Game& game, const mcts::SearchResult& result, const Values& values) {
  Json out = Json::array();
  for (std::size_t i = 0; i < result.ranking.size(); ++i) {
    const mcts::MoveStats& m = result.moves[static_cast<std::size_t>(result.ranking[i])];
    if (m.visits == 0 && !m.proven) continue;
    Json info = {{"move", to_string(m.move, game.position())}, {"order", i}, {"visits", m.visits}};
    values.add(info, "winrate", m.q);
    values.add_utility(info, "utility", m.q);
    values.add(info, "lcb", m.lower_bound);
    values.add_utility(info, "utilityLcb", m.lower_bound);
    info["prior"] = m.prior;
    info["pv"] = line_text(game, result.lines[i]);
    values.add_proof(info, m.proven, m.q, m.plies);
    out.push_back(std::move(info));
  }
  return out;
}

Json root_info(const Game& game, const mcts::SearchResult& result, const Values& values) {
  Json out = {{"currentPlayer", name_of(game.position().side_to_move())},
              {"visits", result.visits}};
  values.add(out, "winrate", result.value);
  values.add_utility(out, "utility", result.value);
  values.add(out, "rawWinrate", result.raw.value());
  values.add_utility(out, "rawUtility", result.raw.value());
  out["rawDrawrate"] = result.raw.draw;
  out["rawPliesLeft"] = result.plies_left >= 0 ? Json(result.plies_left) : Json();
  values.add_proof(out, result.proven, result.value, result.plies);
  out["nodes"] = result.nodes;
  out["depth"] = result.depth;
  out["seldepth"] = result.seldepth;
  out["memoryFull"] = result.full;
  return out;
}

Json policy_json(const Game& game, const mcts::SearchResult& result) {
  Json out = Json::object();
  for (const mcts::MoveStats& m : result.moves) out[to_string(m.move, game.position())] = m.prior;
  return out;
}

}  // namespace

Perspective perspective_from(const std::string& text) {
  return text == "white"   ? Perspective::White
         : text == "black" ? Perspective::Black
                           : Perspective::SideToMove;
}

Side side_of(Perspective perspective, Side mover) {
  switch (perspective) {
    case Perspective::White: return Side::White;
    case Perspective::Black: return Side::Black;
    case Perspective::SideToMove: break;
  }
  return mover;
}

float seen_from(Perspective perspective, mcts::MoverValue value, Side mover) {
  const float v = value.for_white(mover).v;
  return (side_of(perspective, mover) == Side::White ? v : -v) + 0.0f;
}

Json analysis_reply(const AnalysisNews& news, Perspective perspective, bool include_policy) {
  const AnalysisJob& job = news.job;
  if (news.kind == AnalysisNews::Kind::Failed) {
    Json out = error_reply({news.error, "", job.id});
    out["turnNumber"] = job.turn;
    out["isDuringSearch"] = false;
    return out;
  }
  Json out = head(job.id, job.turn, news.kind == AnalysisNews::Kind::Partial);
  if (news.kind == AnalysisNews::Kind::Nothing) {
    out["noResults"] = true;
    return out;
  }
  const Game& game = *news.game;
  const Side mover = game.position().side_to_move();
  const Values values(perspective, mover);
  out["perspective"] = name_of(side_of(perspective, mover));
  out["moveInfos"] = move_infos(game, *news.result, values);
  out["rootInfo"] = root_info(game, *news.result, values);
  if (include_policy) out["policy"] = policy_json(game, *news.result);
  return out;
}

Json finished_reply(const std::string& id, const Game& game, Perspective perspective) {
  const Side mover = game.position().side_to_move();
  const Values values(perspective, mover);
  const mcts::MoverValue value = mcts::result_for(game.outcome(), mover).value();
  Json out = head(id, static_cast<int>(game.moves().size()), false);
  out["perspective"] = name_of(side_of(perspective, mover));
  out["gameOver"] = outcome_text(game);
  out["moveInfos"] = Json::array();
  Json root = {{"currentPlayer", name_of(mover)}, {"visits", 0}};
  values.add(root, "winrate", value);
  values.add_utility(root, "utility", value);
  values.add_proof(root, true, value, 0);
  out["rootInfo"] = std::move(root);
  return out;
}

Json error_reply(const AnalysisError& error) {
  Json out = {{"error", error.message}};
  if (!error.field.empty()) out["field"] = error.field;
  if (!error.id.empty()) out["id"] = error.id;
  return out;
}

Json warning_reply(const std::string& id, const std::string& field, const std::string& message) {
  Json out = {{"warning", message}};
  if (!field.empty()) out["field"] = field;
  out["id"] = id;
  return out;
}

std::string line_of(const Json& reply) {
  return reply.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gounki::play
