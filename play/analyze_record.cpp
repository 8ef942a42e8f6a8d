#include "play/analyze_record.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "core/notation.h"
#include "play/search_report.h"

namespace gounki::play {
namespace {

// Carries what is proven back to the position before, whose search may not have seen it: a move to a
// position that the other side has lost wins.
void prove_backwards(const Game& game, std::vector<Judgement>& judgements) {
  for (std::size_t i = game.moves().size(); i-- > 0;) {
    const mcts::Proof by_move = judgements[i + 1].proof.one_ply_before();
    Judgement& before = judgements[i];
    if (!by_move.is_win()) continue;
    if (before.proof.is_win() && before.proof.plies() <= by_move.plies()) continue;
    before.proof = by_move;
    before.value = by_move.value();
    before.best = game.moves()[i];
  }
}

ReviewedMove reviewed(Move move, const Judgement& before, const Judgement& after) {
  ReviewedMove out{move, before.best, before.value, after.value.flipped(), before.proof,
                   after.proof.one_ply_before(), 0.0, before.visits};
  if (move != before.best)
    out.loss = std::max(0.0, static_cast<double>(out.before.v) - static_cast<double>(out.after.v));
  return out;
}

void count(const ReviewedMove& move, SideReview& side) {
  ++side.moves;
  side.best += move.move == move.best;
  side.loss += move.loss;
  if (move.loss >= kBlunder) ++side.blunders;
  else if (move.loss >= kMistake) ++side.mistakes;
  else if (move.loss >= kInaccuracy) ++side.inaccuracies;
}

std::string value_text(float value) {
  return fmt::format("{:+.3f}", std::round(1000.0 * value) / 1000.0 + 0.0);
}

// What the proofs say of a move, for people.
std::string remark_on(const ReviewedMove& move) {
  const auto text = [](mcts::Proof proof) { return proof_text(proof.value(), proof.plies()); };
  const mcts::Proof before = move.proof_before, after = move.proof_after;
  if (before.is_win() && !after.is_win()) return "misses a " + text(before);
  if (!before.known() && after.is_loss()) return "runs into a " + text(after);
  if (before.is_draw() && after.is_loss()) return "runs into a " + text(after);
  return after.known() ? text(after) : "";
}

std::string side_text(const char* name, const SideReview& side) {
  return fmt::format(
      "{}: {} moves, {} of them best; mean loss {:.3f}; {} inaccuracies, {} mistakes, {} blunders; "
      "accuracy {:.1f} %\n",
      name, side.moves, side.best, side.mean_loss(), side.inaccuracies, side.mistakes,
      side.blunders, 100.0 * side.accuracy());
}

Json side_json(const SideReview& side) {
  return {{"moves", side.moves},           {"best", side.best},
          {"meanLoss", side.mean_loss()},  {"inaccuracies", side.inaccuracies},
          {"mistakes", side.mistakes},     {"blunders", side.blunders},
          {"accuracy", side.accuracy()}};
}

// The plies are those of the game after the position before the move.
void add_proof(Json& out, const char* name, mcts::Proof proof, Perspective perspective, Side mover) {
  if (!proof.known()) {
    out[name] = Json();
    return;
  }
  const float v = seen_from(perspective, proof.value(), mover);
  out[name] = {{"result", v > 0 ? "win" : v < 0 ? "loss" : "draw"}, {"plies", proof.plies()}};
}

Json move_json(const Position& position, int ply, const ReviewedMove& m, Perspective perspective) {
  const Side mover = position.side_to_move();
  Json out = {{"ply", ply},
              {"side", mover == Side::White ? "white" : "black"},
              {"move", to_string(m.move, position)},
              {"best", to_string(m.best, position)},
              {"perspective", side_of(perspective, mover) == Side::White ? "white" : "black"},
              {"before", seen_from(perspective, m.before, mover)},
              {"after", seen_from(perspective, m.after, mover)},
              {"loss", m.loss},
              {"mark", mark_of(m.loss)},
              {"visits", m.visits}};
  add_proof(out, "provenBefore", m.proof_before, perspective, mover);
  add_proof(out, "provenAfter", m.proof_after, perspective, mover);
  return out;
}

const char* view_text(Perspective perspective) {
  switch (perspective) {
    case Perspective::White: return "White";
    case Perspective::Black: return "Black";
    case Perspective::SideToMove: break;
  }
  return "the side that moves";
}

}  // namespace

Judgement judgement_of(const mcts::SearchResult& result) {
  return {result.value, result.proof(), result.best, result.visits};
}

Judgement judgement_of_end(const Game& game) {
  const Side mover = game.position().side_to_move();
  const mcts::MoverValue value = mcts::result_for(game.outcome(), mover).value();
  return {value, value.v < 0 ? mcts::Proof::loss(0) : mcts::Proof::draw(0), Move(), 0};
}

const char* mark_of(double loss) {
  return loss >= kBlunder ? "??" : loss >= kMistake ? "?" : loss >= kInaccuracy ? "?!" : "";
}

GameReview review(const Game& game, std::vector<Judgement> judgements) {
  prove_backwards(game, judgements);
  GameReview out;
  for (std::size_t i = 0; i < game.moves().size(); ++i) {
    out.moves.push_back(reviewed(game.moves()[i], judgements[i], judgements[i + 1]));
    const bool white = game.positions()[i].side_to_move() == Side::White;
    count(out.moves.back(), white ? out.white : out.black);
  }
  return out;
}

std::string review_text(const GameRecord& record, const GameReview& review,
                        Perspective perspective) {
  std::string out = fmt::format("values for {}, from -1 to 1\n{:>4} {:<14} {:>7} {:>7} {:>6}    {:<14}\n",
                                view_text(perspective), "ply", "move", "before", "after", "loss", "best");
  Position position = record.first;
  for (std::size_t i = 0; i < review.moves.size(); ++i) {
    const ReviewedMove& m = review.moves[i];
    const Side mover = position.side_to_move();
    std::string row = fmt::format(
        "{:>4} {:<14} {:>7} {:>7} {:>6.3f} {:<2} {:<14} {}", i + 1, to_string(m.move, position),
        value_text(seen_from(perspective, m.before, mover)),
        value_text(seen_from(perspective, m.after, mover)), m.loss, mark_of(m.loss),
        to_string(m.best, position), remark_on(m));
    row.erase(row.find_last_not_of(' ') + 1);
    out += row + "\n";
    position = position.after(m.move);
  }
  return out + side_text("White", review.white) + side_text("Black", review.black);
}

Json review_json(int number, const GameRecord& record, const GameReview& review,
                 Perspective perspective) {
  Json out = {{"game", number}};
  for (const auto& [name, value] : record.tags) out["tags"][name] = value;
  out["result"] = to_string(record.result);
  out["moves"] = Json::array();
  Position position = record.first;
  for (std::size_t i = 0; i < review.moves.size(); ++i) {
    out["moves"].push_back(
        move_json(position, static_cast<int>(i) + 1, review.moves[i], perspective));
    position = position.after(review.moves[i].move);
  }
  out["white"] = side_json(review.white);
  out["black"] = side_json(review.black);
  return out;
}

}  // namespace gounki::play
