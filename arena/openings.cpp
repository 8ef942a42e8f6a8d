#include "arena/openings.h"

#include <cstdlib>
#include <optional>
#include <string>
#include <unordered_set>

#include "arena/alphabeta.h"
#include "core/error.h"
#include "core/random.h"

namespace gounki::arena {
namespace {

// In a row without a new opening. The last of n positions that are equally likely is found after
// about n tries, so this is far more than a sensible request needs.
constexpr int kMostFailures = 20'000;

std::optional<Game> random_game(int plies, Rng& rng, const Rules& rules) {
  Game game(Position::start(), rules);
  for (int ply = 0; ply < plies; ++ply) {
    const MoveList moves = game.legal_moves();
    game.play(moves[static_cast<int>(rng.below(moves.size()))]);
    if (game.is_over()) return std::nullopt;
  }
  return game;
}

}  // namespace

std::string origin_text(const OpeningsConfig& config) {
  std::string text;
  for (const ParamInfo& param : describe_params(config))
    text += (text.empty() ? "random: " : ", ") + param.name + "=" + param.value;
  return text;
}

std::vector<Game> make_openings(int count, std::uint64_t seed, const OpeningsConfig& config,
                                const Rules& rules, const std::function<void(int)>& found) {
  AlphaBeta checker;
  const AlphaBetaConfig check{.depth = config.check_depth};
  std::vector<Game> openings;
  std::unordered_set<std::uint64_t> seen;
  int failures = 0;
  for (std::uint64_t attempt = 0; static_cast<int>(openings.size()) < count; ++attempt) {
    if (failures == kMostFailures)
      throw Failure("only " + std::to_string(openings.size()) + " different openings of " +
                    std::to_string(config.plies) + " random plies found, " + std::to_string(count) +
                    " are needed: allow more plies, a larger max_score, or play fewer pairs");
    ++failures;
    Rng rng(derive_seed({seed, attempt}));
    std::optional<Game> game = random_game(config.plies, rng, rules);
    if (!game || !seen.insert(game->position().hash()).second) continue;
    if (std::abs(checker.search(*game, check).score) > config.max_score) continue;
    openings.push_back(std::move(*game));
    failures = 0;
    if (found) found(static_cast<int>(openings.size()));
  }
  return openings;
}

}  // namespace gounki::arena
