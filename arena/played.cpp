#include "arena/played.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace gounki::arena {
namespace {

constexpr Ending kEndings[] = {Ending::Rules, Ending::PlyCap, Ending::Proven, Ending::Agreed,
                               Ending::Fault};
constexpr Fault kFaults[] = {Fault::None,        Fault::Crash,    Fault::Stall,
                             Fault::IllegalMove, Fault::TimeLoss, Fault::Garbage};

template <class Named>
std::optional<Named> named(std::string_view text, std::span<const Named> all) {
  for (const Named one : all)
    if (text == to_string(one)) return one;
  return std::nullopt;
}

std::string comment(const PlayedGame& game, std::size_t ply) {
  char text[48];
  std::string out;
  if (const auto value = game.values[ply]) {
    std::snprintf(text, sizeof text, "[%%eval %+.3f]", value->v);
    out = text;
  }
  if (!game.seconds.empty() && static_cast<int>(ply) >= game.opening_plies) {
    std::snprintf(text, sizeof text, "%s[%%emt %.3f]", out.empty() ? "" : " ", game.seconds[ply]);
    out += text;
  }
  return out;
}

}  // namespace

std::string_view to_string(Ending ending) {
  switch (ending) {
    case Ending::Rules: return "rules";
    case Ending::PlyCap: return "ply cap";
    case Ending::Proven: return "proven";
    case Ending::Agreed: return "agreed";
    case Ending::Fault: return "fault";
  }
  return "";
}

std::optional<Ending> ending_from(std::string_view text) { return named<Ending>(text, kEndings); }
std::optional<Fault> fault_from(std::string_view text) { return named<Fault>(text, kFaults); }

int half_points_of(Outcome result, Side side) {
  return result == Outcome::Draw ? 1 : result == win_for(side) ? 2 : 0;
}

int PlayedPair::half_points() const {
  return half_points_of(games[0].result, Side::White) + half_points_of(games[1].result, Side::Black);
}

bool begins_with(const PlayedGame& game, const Game& opening) {
  const std::vector<Move>& moves = opening.moves();
  return game.start == opening.positions().front() && moves.size() <= game.moves.size() &&
         std::equal(moves.begin(), moves.end(), game.moves.begin());
}

double to_thousandths(double value) { return std::round(1000.0 * value) / 1000.0 + 0.0; }

GameRecord record_of(const PlayedPair& pair, int game, const std::vector<std::string>& players) {
  const PlayedGame& played = pair.games[static_cast<std::size_t>(game)];
  const auto name = [&](int player) { return players[static_cast<std::size_t>(player)]; };
  const auto [first, second, opening] = pair.pairing;
  const std::string number = std::to_string(opening + 1);
  GameRecord record;
  record.tags = {{"Event", "match"},
                 {"Round", number + (game == 0 ? ".1" : ".2")},
                 {"White", name(game == 0 ? first : second)},
                 {"Black", name(game == 0 ? second : first)},
                 {"Opening", number},
                 {"OpeningPlies", std::to_string(played.opening_plies)}};
  if (played.ending == Ending::Fault) {
    record.tags.emplace_back("Termination", to_string(played.fault));
    record.tags.emplace_back("Fault", played.fault_text);
  } else if (played.ending != Ending::Rules) {
    record.tags.emplace_back("Termination", to_string(played.ending));
  }
  record.first = played.start;
  record.rules = played.rules;
  record.moves = played.moves;
  for (std::size_t ply = 0; ply < played.moves.size(); ++ply)
    record.comments.push_back(comment(played, ply));
  record.result = played.result;
  return record;
}

}  // namespace gounki::arena
