// The parameters of a search, each declared once.
#pragma once

#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/params.h"
#include "mcts/gumbel.h"

namespace gounki::mcts {

// The defaults play as well as they can; self-play turns on noise and temperature.
struct SearchConfig {
  std::string algorithm = "puct";
  int visits = 400;
  std::int64_t nodes = 0;
  int memory_mb = 0;
  bool prove = true;

  double cpuct = 1.25;
  double cpuct_growth = 0.45;
  double cpuct_growth_base = 500.0;
  double cpuct_stdev_scale = 0.0;
  double cpuct_stdev_prior = 0.4;
  double cpuct_stdev_weight = 2.0;
  double fpu_reduction = 0.0;
  double virtual_loss = 1.0;
  double root_noise_weight = 0.0;
  double root_noise_total = 10.0;
  double root_policy_temperature = 1.0;
  double forced_playouts = 0.0;
  std::string choice = "lcb";
  double lcb_stdevs = 5.0;
  double lcb_least_visits = 0.15;

  int gumbel_moves = 0;
  double gumbel_noise = 0.0;
  double gumbel_c_visit = 50.0;
  double gumbel_c_scale = 0.1;
  double gumbel_least_span = 0.0;

  double temperature = 0.0;
  double temperature_end = 0.0;
  double temperature_halflife = 16.0;

  bool is_gumbel() const { return algorithm == "gumbel"; }
  ValueWeight value_weight() const { return {gumbel_c_visit, gumbel_c_scale, gumbel_least_span}; }

  // What the ranges below cannot say.
  Expected<void> check() const {
    if (algorithm != "puct" && algorithm != "gumbel")
      return fail("algorithm: expected \"puct\" or \"gumbel\", found \"" + algorithm + "\"");
    if (choice != "visits" && choice != "lcb")
      return fail("choice: expected \"visits\" or \"lcb\", found \"" + choice + "\"");
    return {};
  }

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = SearchConfig;
    visit("algorithm", &C::algorithm, Range{},
          "How the search spends its visits: \"puct\" (AlphaZero's rule) or \"gumbel\" (sequential "
          "halving at the root, better with few visits).");
    visit("visits", &C::visits, Range{1, 100'000'000}, "Simulations for each move.");
    visit("nodes", &C::nodes, Range{0, 4e9}, "Nodes that end the search; 0 for no limit.");
    visit("memory_mb", &C::memory_mb, Range{0, 1e7},
          "Megabytes for the tree; when they are used up the search goes on in the tree that it has. "
          "0 for no limit.");
    visit("prove", &C::prove, Range{},
          "Prove wins, losses and draws in the tree. Off for comparisons only.");
    visit("cpuct", &C::cpuct, Range{0, 100}, "Exploration of PUCT at few visits.");
    visit("cpuct_growth", &C::cpuct_growth, Range{0, 100},
          "How much cpuct grows with the logarithm of the visits (KataGo: 0.45).");
    visit("cpuct_growth_base", &C::cpuct_growth_base, Range{1, 1e9},
          "Visits around which that growth sets in.");
    visit("cpuct_stdev_scale", &C::cpuct_stdev_scale, Range{0, 1},
          "How much cpuct follows the spread of a node's values; 0 not at all (KataGo: 0.85).");
    visit("cpuct_stdev_prior", &C::cpuct_stdev_prior, Range{0.01, 1},
          "Standard deviation of values at which cpuct is left as it is (KataGo: 0.4).");
    visit("cpuct_stdev_weight", &C::cpuct_stdev_weight, Range{0.01, 1000},
          "Visits that this prior weighs as much as (KataGo: 2).");
    visit("fpu_reduction", &C::fpu_reduction, Range{-1, 2},
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
    visit("forced_playouts", &C::forced_playouts, Range{0, 100},
          "In self-play, each tried move of the root gets at least the square root of this times its prior "
          "times all visits, which the policy target leaves out again (PUCT; KataGo: 2); 0 for none.");
    visit("choice", &C::choice, Range{},
          "The move to play when nothing is drawn: the most visited (\"visits\"), or the one with the "
          "greatest lower confidence bound (\"lcb\") (PUCT).");
    visit("lcb_stdevs", &C::lcb_stdevs, Range{0, 100},
          "Standard errors that the bound lies below the mean (KataGo: 5).");
    visit("lcb_least_visits", &C::lcb_least_visits, Range{0, 1},
          "Share of the most visited move's visits that a move needs to be chosen by its bound.");
    visit("gumbel_moves", &C::gumbel_moves, Range{0, 160},
          "Moves that a Gumbel search starts its halving with; 0 for 3 for each 8 visits up to 16, and 1 for each 16 visits from 256 on.");
    visit("gumbel_noise", &C::gumbel_noise, Range{0, 10},
          "Scale of the Gumbel noise by which those moves are drawn: 1 in self-play, 0 for none.");
    visit("gumbel_c_visit", &C::gumbel_c_visit, Range{0, 1e6},
          "Visits added to the most visited move's where a Gumbel search weighs values against "
          "priors.");
    visit("gumbel_c_scale", &C::gumbel_c_scale, Range{0, 1e3},
          "Weight of the values against the priors' logits in a Gumbel search.");
    visit("gumbel_least_span", &C::gumbel_least_span, Range{0, 2},
          "Values of a node that span less than this are not spread further apart when a Gumbel search "
          "weighs them: 0 always spreads them to the full (mctx), 2 takes them as they are.");
    visit("temperature", &C::temperature, Range{0, 10},
          "Choice of the move at the game's first ply: drawn from the visited moves by their visits (PUCT) or "
          "their share of the improved policy (Gumbel), to the power 1/temperature; 0 takes the best.");
    visit("temperature_end", &C::temperature_end, Range{0, 10},
          "What the temperature falls to as the game goes on.");
    visit("temperature_halflife", &C::temperature_halflife, Range{0.1, 1e6},
          "Plies in which the temperature falls half of the way to its end.");
  }
};

}  // namespace gounki::mcts
