#include "play/match_report.h"

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "arena/elo.h"
#include "arena/pool.h"
#include "play/strength_json.h"
#include "play/tally_text.h"

namespace gounki::play {
namespace {

using arena::Ending;
using arena::Fault;
using arena::MatchHistory;
using arena::MatchResult;

Json tally_json(const arena::Tally& tally) {
  return {{"wins", tally.wins}, {"draws", tally.draws}, {"losses", tally.losses}};
}

Json faults_json(const std::map<Fault, int>& faults) {
  Json out = Json::object();
  for (const auto& [fault, games] : faults) out[std::string(to_string(fault))] = games;
  return out;
}

Json encounter_json(const MatchHistory& match, const Encounter& encounter) {
  const MatchResult& result = encounter.result;
  const auto& players = match.settings.players;
  Json endings = Json::object();
  for (const auto& [ending, games] : result.endings) endings[std::string(to_string(ending))] = games;
  Json out = {{"first", players[static_cast<std::size_t>(encounter.first)]},
              {"second", players[static_cast<std::size_t>(encounter.second)]},
              {"games", result.total().games()},
              {"total", tally_json(result.total())},
              {"as_white", tally_json(result.as_white)},
              {"as_black", tally_json(result.as_black)},
              {"pairs", result.pairs}};
  add_strength(out, arena::estimate_strength(result.pairs));
  out["endings"] = endings;
  out["faults"] = {faults_json(result.faults[0]), faults_json(result.faults[1])};
  out["repeated"] = result.repeated;
  out["plies"] = result.plies;
  return out;
}

std::string encounter_text(const MatchHistory& match, const Encounter& encounter) {
  const auto name = [&](int player) {
    return match.settings.players[static_cast<std::size_t>(player)];
  };
  const MatchResult& result = encounter.result;
  const arena::Tally total = result.total();
  std::string out = fmt::format("{} against {}: {} games from {} openings\n", name(encounter.first),
                                name(encounter.second), total.games(), total.games() / 2);
  out += fmt::format("  total     {}\n  as White  {}\n  as Black  {}\n", tally_text(total),
                     tally_text(result.as_white), tally_text(result.as_black));
  out += fmt::format("  pairs of 0, ½, 1, 1½, 2 points: {}\n", fmt::join(result.pairs, ", "));
  out += fmt::format("  ended: {}\n", endings_text(result.endings));
  for (const int which : {0, 1})
    if (!result.faults[static_cast<std::size_t>(which)].empty())
      out += fmt::format("  {} failed and lost: {}\n",
                         name(which == 0 ? encounter.first : encounter.second),
                         faults_text(result.faults[static_cast<std::size_t>(which)]));
  if (result.repeated > 0)
    out += fmt::format("  {} games repeat another move by move\n", result.repeated);
  const arena::Strength strength = arena::estimate_strength(result.pairs);
  if (!strength.uniform)
    out += fmt::format("  normalised Elo {:+.1f} ± {:.1f} (95 %)\n", strength.normalized_elo,
                       strength.normalized_error);
  return out + fmt::format("{}\n", arena::to_string(strength));
}

std::string test_text(const MatchHistory& match) {
  const arena::SprtConfig& config = *match.settings.sprt;
  const arena::SprtResult result = test_of(match);
  const std::string verdict =
      result.verdict == arena::SprtVerdict::kUndecided
          ? "undecided"
          : fmt::format("{} accepted", to_string(result.verdict));
  return fmt::format("SPRT of {:g} against {:g} {} Elo: LLR {:.2f} of {:.2f} … {:.2f}, {}\n",
                     config.elo0, config.elo1, config.model, result.llr, result.lower, result.upper,
                     verdict);
}

// The ratings of more than two players.
bool is_rated(const MatchHistory& match) {
  return match.settings.players.size() > 2 && !match.pairs.empty();
}

}  // namespace

arena::PairCounts counts_of(const std::vector<arena::PlayedPair>& pairs) {
  arena::PairCounts counts{};
  for (const arena::PlayedPair& pair : pairs) ++counts[static_cast<std::size_t>(pair.half_points())];
  return counts;
}

arena::SprtResult test_of(const MatchHistory& match) {
  return arena::sprt(counts_of(match.pairs), *match.settings.sprt);
}

RatedPlayers match_ratings(const MatchHistory& match) {
  const int players = static_cast<int>(match.settings.players.size());
  std::vector<std::string> names;
  for (int i = 0; i < players; ++i) names.push_back(arena::pool_name(match.settings, i));
  return {std::move(names), arena::Ratings(players, arena::pair_results(match.pairs))};
}

std::string endings_text(const std::map<Ending, int>& endings) {
  std::vector<std::string> parts;
  const std::map<Ending, const char*> words = {{Ending::Rules, "by the rules"},
                                               {Ending::PlyCap, "drawn at the ply cap"},
                                               {Ending::Proven, "proven"},
                                               {Ending::Agreed, "agreed"},
                                               {Ending::Fault, "by a player's failure"}};
  for (const auto& [ending, games] : endings)
    parts.push_back(fmt::format("{} {}", games, words.at(ending)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string faults_text(const std::map<Fault, int>& faults) {
  std::vector<std::string> parts;
  for (const auto& [fault, games] : faults)
    parts.push_back(fmt::format("{} by {}", games, to_string(fault)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<Encounter> encounters(const std::vector<arena::PlayedPair>& pairs) {
  std::vector<std::pair<int, int>> order;
  std::map<std::pair<int, int>, arena::ScoreKeeper> scores;
  for (const arena::PlayedPair& pair : pairs) {
    const std::pair key(pair.pairing.first, pair.pairing.second);
    if (!scores.contains(key)) order.push_back(key);
    scores[key].add(pair);
  }
  std::vector<Encounter> out;
  for (const auto& key : order) out.push_back({key.first, key.second, scores.at(key).result});
  return out;
}

std::string match_text(const MatchHistory& match) {
  if (match.pairs.empty()) return "no pairs played\n";
  std::string out;
  for (const Encounter& encounter : encounters(match.pairs))
    out += encounter_text(match, encounter);
  if (is_rated(match)) out += "\n" + ratings_text(match_ratings(match));
  if (match.settings.sprt) out += test_text(match);
  return out;
}

Json match_json(const MatchHistory& match) {
  Json out = {{"players", match.settings.players},
              {"openings", match.settings.openings},
              {"seed", match.settings.seed},
              {"sprt", match.settings.sprt ? sprt_json(*match.settings.sprt, test_of(match)) : Json()},
              {"ratings", is_rated(match) ? ratings_json(match_ratings(match)) : Json()},
              {"encounters", Json::array()}};
  for (const Encounter& encounter : encounters(match.pairs))
    out["encounters"].push_back(encounter_json(match, encounter));
  return out;
}

std::string match_records(const MatchHistory& match) {
  std::string out;
  for (const arena::PlayedPair& pair : match.pairs)
    for (const int game : {0, 1})
      out += to_string(record_of(pair, game, match.settings.players)) + "\n";
  return out;
}

}  // namespace gounki::play
