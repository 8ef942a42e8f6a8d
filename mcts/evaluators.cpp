#include "mcts/evaluators.h"

#include <cassert>
#include <cmath>

#include "core/error.h"
#include "core/random.h"
#include "mcts/endings.h"
#include "mcts/handcrafted.h"

namespace gounki::mcts {
namespace {

void set_uniform_priors(const Leaf& leaf, Evaluation& out) {
  const int n = leaf.moves.size();
  out.priors.assign(static_cast<std::size_t>(n), 1.0f / static_cast<float>(n));
}

// In (0, 1], from the upper bits of a random word.
float unit(std::uint64_t word) { return static_cast<float>((word >> 40) + 1) * 0x1.0p-24f; }

// How a game of random moves from here ends.
Outcome random_playout(Position position, const Rules& rules, Rng& rng) {
  for (int ply = 0; ply < RolloutEvaluator::kMaxPlies; ++ply) {
    if (position.is_lost()) return win_for(~position.side_to_move());
    if (rules.quiet_draw && position.quiet_plies() >= Rules::kQuietLimit) break;
    const MoveList moves = legal_moves(position, rules);
    if (winning_move(position, moves)) return win_for(position.side_to_move());
    position = position.after(
        moves[static_cast<int>(rng.below(static_cast<std::uint64_t>(moves.size())))]);
  }
  return Outcome::Draw;
}

}  // namespace

void check(const Evaluation& evaluation, std::size_t moves) {
  double sum = 0.0;
  for (const float prior : evaluation.priors) sum += prior < 0.0f ? std::nan("") : prior;
  const WinDrawLoss& wdl = evaluation.wdl;
  const double chances = static_cast<double>(wdl.win) + wdl.draw + wdl.loss;
  if (evaluation.priors.size() == moves && std::abs(sum - 1.0) < 1e-2 &&
      std::abs(chances - 1.0) < 1e-2)
    return;
  throw Failure("the evaluator's answer is no distribution: " +
                std::to_string(evaluation.priors.size()) + " priors for " + std::to_string(moves) +
                " moves sum to " + std::to_string(sum) + ", win, draw and loss to " +
                std::to_string(chances));
}

void UniformEvaluator::evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    out[i].wdl = WinDrawLoss{0.0f, 1.0f, 0.0f};
    out[i].plies_left = -1.0f;
    set_uniform_priors(*leaves[i], out[i]);
  }
}

void HashEvaluator::evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Leaf& leaf = *leaves[i];
    std::uint64_t state = derive_seed(
        {seed_, leaf.position.hash(), static_cast<std::uint64_t>(leaf.repetitions)});
    // Only additions, multiplications and divisions, which every machine rounds alike.
    const float win = unit(splitmix64(state)), draw = 0.25f * unit(splitmix64(state)),
                loss = unit(splitmix64(state)), total = win + draw + loss;
    out[i].wdl = WinDrawLoss{win / total, draw / total, loss / total};
    out[i].plies_left = static_cast<float>(1 + splitmix64(state) % 64);
    out[i].priors.resize(static_cast<std::size_t>(leaf.moves.size()));
    float sum = 0.0f;
    for (float& prior : out[i].priors) {
      const float u = unit(splitmix64(state));
      sum += prior = u * u * u;
    }
    for (float& prior : out[i].priors) prior /= sum;
  }
}

RolloutEvaluator::RolloutEvaluator(std::uint64_t seed, int playouts, const Rules& rules)
    : seed_(seed), playouts_(playouts), rules_(rules) {
  assert(playouts >= 1);
}

void RolloutEvaluator::evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) {
  for (std::size_t i = 0; i < leaves.size(); ++i) evaluate_one(*leaves[i], out[i]);
}

void RolloutEvaluator::evaluate_one(const Leaf& leaf, Evaluation& out) const {
  const Side mover = leaf.position.side_to_move();
  Rng rng(derive_seed({seed_, leaf.position.hash(),
                       static_cast<std::uint64_t>(leaf.position.quiet_plies())}));
  int wins = 0, losses = 0;
  for (int i = 0; i < playouts_; ++i) {
    const Outcome outcome = random_playout(leaf.position, rules_, rng);
    wins += outcome == win_for(mover);
    losses += outcome == win_for(~mover);
  }
  const float n = static_cast<float>(playouts_);
  out.wdl = WinDrawLoss{static_cast<float>(wins) / n,
                        static_cast<float>(playouts_ - wins - losses) / n,
                        static_cast<float>(losses) / n};
  out.plies_left = -1.0f;
  set_uniform_priors(leaf, out);
}

std::string RolloutEvaluator::name() const {
  const char* games = playouts_ == 1 ? " game" : " games";
  return "rollout (" + std::to_string(playouts_) + games + " a leaf)";
}

void HandcraftedEvaluator::evaluate(std::span<const Leaf* const> leaves,
                                    std::span<Evaluation> out) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const float value = handcrafted_value(leaves[i]->position).v;
    out[i].wdl = WinDrawLoss{(1.0f + value) / 2, 0.0f, (1.0f - value) / 2};
    out[i].plies_left = -1.0f;
    handcrafted_priors(leaves[i]->position, leaves[i]->moves, out[i].priors);
  }
}

void CountingEvaluator::evaluate(std::span<const Leaf* const> leaves, std::span<Evaluation> out) {
  inner_->evaluate(leaves, out);
  ++calls_;
  positions_ += static_cast<std::int64_t>(leaves.size());
}

}  // namespace gounki::mcts
