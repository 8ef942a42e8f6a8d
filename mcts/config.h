// The parameters of a search, each declared once.
#pragma once

#include <string>

#include "core/error.h"
#include "core/params.h"

namespace gounki::mcts {

// The defaults play as well as they can; self-play turns on noise and temperature.
struct SearchConfig {
  std::string algorithm = "puct";
  int visits = 400;

  double cpuct = 1.25;
  double cpuct_growth = 0.45;
  double cpuct_growth_base = 500.0;
  double fpu_reduction = 0.25;
  double virtual_loss = 1.0;
  double root_noise_weight = 0.0;
  double root_noise_total = 10.0;
  double root_policy_temperature = 1.0;

  int gumbel_moves = 16;
  double gumbel_noise = 0.0;
  double gumbel_c_visit = 50.0;
  double gumbel_c_scale = 0.1;

  double temperature = 0.0;
  double temperature_end = 0.0;
  double temperature_halflife = 16.0;

  bool is_gumbel() const { return algorithm == "gumbel"; }

  // What the ranges below cannot say.
  Expected<void> check() const {
    if (algorithm == "puct" || algorithm == "gumbel") return {};
    return fail("algorithm: expected \"puct\" or \"gumbel\", found \"" + algorithm + "\"");
  }

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = SearchConfig;
    visit("algorithm", &C::algorithm, Range{},
          "How the search spends its visits: \"puct\" (AlphaZero's rule) or \"gumbel\" (sequential "
          "halving at the root, better with few visits).");
    visit("visits", &C::visits, Range{1, 100'000'000}, "Simulations for each move.");
    visit("cpuct", &C::cpuct, Range{0, 100}, "Exploration of PUCT at few visits.");
    visit("cpuct_growth", &C::cpuct_growth, Range{0, 100},
          "How much cpuct grows with the logarithm of the visits (KataGo: 0.45).");
    visit("cpuct_growth_base", &C::cpuct_growth_base, Range{1, 1e9},
          "Visits around which that growth sets in.");
    visit("fpu_reduction", &C::fpu_reduction, Range{0, 2},
          "An unvisited move is taken to be worth the parent's value less this times the square "
          "root of the prior mass visited so far (PUCT).");
    visit("virtual_loss", &C::virtual_loss, Range{0.1, 100},
          "Losses that a leaf under way counts for while others are chosen (PUCT).");
    visit("root_noise_weight", &C::root_noise_weight, Range{0, 1},
          "Share of Dirichlet noise in the root's priors (PUCT); 0 turns it off.");
    visit("root_noise_total", &C::root_noise_total, Range{1e-3, 1e4},
          "Sum of the noise's alphas, spread over the legal moves.");
    visit("root_policy_temperature", &C::root_policy_temperature, Range{0.1, 10},
          "Above 1 flattens the root's priors (PUCT).");
    visit("gumbel_moves", &C::gumbel_moves, Range{1, 160},
          "Moves that a Gumbel search starts its halving with; 4 to 8 for 32 visits.");
    visit("gumbel_noise", &C::gumbel_noise, Range{0, 10},
          "Scale of the Gumbel noise by which those moves are drawn: 1 in self-play, 0 for none.");
    visit("gumbel_c_visit", &C::gumbel_c_visit, Range{0, 1e6},
          "Visits added to the most visited move's where a Gumbel search weighs values against "
          "priors.");
    visit("gumbel_c_scale", &C::gumbel_c_scale, Range{0, 1e3},
          "Weight of the values against the priors' logits in a Gumbel search.");
    visit("temperature", &C::temperature, Range{0, 10},
          "Choice of the move at the game's first ply: visits to the power 1/temperature; 0 takes "
          "the best.");
    visit("temperature_end", &C::temperature_end, Range{0, 10},
          "What the temperature falls to as the game goes on.");
    visit("temperature_halflife", &C::temperature_halflife, Range{0.1, 1e6},
          "Plies in which the temperature falls half of the way to its end.");
  }
};

}  // namespace gounki::mcts
