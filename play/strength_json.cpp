#include "play/strength_json.h"

#include <nlohmann/json.hpp>

namespace gounki::play {

void add_strength(Json& out, const arena::Strength& strength) {
  out["score"] = strength.score;
  out["score_low"] = strength.score_low;
  out["score_high"] = strength.score_high;
  out["elo"] = strength.elo;
  out["elo_low"] = strength.elo_low;
  out["elo_high"] = strength.elo_high;
  out["los"] = strength.los;
  out["normalized_elo"] = strength.normalized_elo;
  out["normalized_error"] = strength.normalized_error;
}

Json sprt_json(const arena::SprtConfig& test, const arena::SprtResult& result) {
  return {{"elo0", test.elo0},
          {"elo1", test.elo1},
          {"alpha", test.alpha},
          {"beta", test.beta},
          {"model", test.model},
          {"llr", result.llr},
          {"lower", result.lower},
          {"upper", result.upper},
          {"verdict", to_string(result.verdict)},
          {"pairs_left", result.pairs_left}};
}

}  // namespace gounki::play
