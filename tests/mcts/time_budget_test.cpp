#include "mcts/time_budget.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/random.h"

namespace gounki::mcts {
namespace {

const Move kA = Move::from_index(1), kB = Move::from_index(2);

TEST_CASE("a clock's budget by hand") {
  struct Row { Clock clock; int ply; double overhead, aim, most; };
  for (const Row& row : {
           // Spare 56.98, kept 149 * 0.02 for overheads: 54 for 20 moves, four times that at most.
           Row{{60, 0, 0}, 0, 0.02, 2.7, 10.8},
           // 56.98 and 19 times 0.98 for 20 moves; at most 0.98 and a quarter of the other 56.
           Row{{60, 1, 0}, 0, 0.02, 3.78, 14.98},
           // Spare 57 for 8 moves, which are always planned for; at most a quarter.
           Row{{60, 0, 0}, 100, 0.0, 7.125, 14.25},
           // The increment is all there is, and comes back.
           Row{{2, 2, 0}, 30, 0.1, 1.35, 1.8},
           // The last moves before more time is added.
           Row{{10, 0, 1}, 20, 0.5, 6.75, 9.0},
           Row{{10, 0, 2}, 20, 0.5, 3.1875, 4.25},
           // With 40 moves to go fewer are planned for, as the game will be over before.
           Row{{60, 0, 40}, 0, 0.0, 2.85, 11.4},
           // 149 overheads of 0.05 cannot be paid: half of 4.7 for 20 moves.
           Row{{5, 0, 0}, 0, 0.05, 0.1175, 0.47},
           // Next to nothing left.
           Row{{0.01, 0, 0}, 0, 0.0, 0.000475, 0.0019},
           Row{{0.01, 5, 0}, 0, 0.0, 0.007125, 0.0095},
           Row{{0.01, 0, 0}, 0, 0.05, 0, 0},
           Row{{0.01, 5, 0}, 0, 0.05, 0, 0},
           Row{{0, 0, 0}, 0, 0.0, 0, 0},
           Row{{0, 5, 0}, 0, 0.0, 0, 0},
           Row{{0, 0, 1}, 0, 0.1, 0, 0},
       }) {
    INFO(row.clock.left << " + " << row.clock.increment << ", " << row.clock.moves_to_go
                        << " to go, ply " << row.ply);
    const TimeBudget budget = time_budget(row.clock, row.ply, row.overhead);
    CHECK(budget.aim == Approx(row.aim).margin(1e-12));
    CHECK(budget.most == Approx(row.most).margin(1e-12));
  }
}

TEST_CASE("a fixed time is aim and most") {
  CHECK(fixed_time(1.5).aim == 1.5);
  CHECK(fixed_time(1.5).most == 1.5);
}

// Between `least` and `most`, each order of magnitude as likely as another.
double log_uniform(Rng& rng, double least, double most) {
  return least * std::pow(most / least, rng.uniform());
}

TEST_CASE("budgets leave the overhead and a reserve and grow with the clock") {
  Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    const Clock clock{log_uniform(rng, 1e-3, 1e4), rng.below(2) ? 5.0 * rng.uniform() : 0.0,
                      static_cast<int>(rng.below(2) ? rng.below(60) : 0)};
    const int ply = static_cast<int>(rng.below(320));
    const double overhead = 0.2 * rng.uniform();
    const TimeBudget budget = time_budget(clock, ply, overhead);
    REQUIRE(budget.aim >= 0.0);
    if (budget.most == 0.0) {
      REQUIRE(budget.aim == 0.0);
    } else {
      REQUIRE(budget.aim < budget.most);
      REQUIRE(budget.most <= 0.95 * clock.left - overhead + 1e-12);
    }

    const TimeBudget before = time_budget(clock, ply, 0.0);
    const Clock more{clock.left * 1.1, clock.increment, clock.moves_to_go};
    REQUIRE(time_budget(more, ply, 0.0).aim >= before.aim - 1e-12);
    REQUIRE(time_budget(more, ply, 0.0).most >= before.most - 1e-12);
    const Clock gaining{clock.left, clock.increment + 0.1, clock.moves_to_go};
    REQUIRE(time_budget(gaining, ply, 0.0).aim >= before.aim - 1e-12);
    REQUIRE(time_budget(gaining, ply, 0.0).most >= before.most - 1e-12);
  }
}

// Plays the moves of one side, each for the budget's `most`. The first clock pays the overheads.
bool survives(Rng& rng) {
  const double overhead = log_uniform(rng, 1e-3, 0.5);
  const double increment = rng.below(3) ? 5.0 * rng.uniform() : 0.1 * rng.uniform();
  const int period = static_cast<int>(rng.below(2) ? 1 + rng.below(60) : 0);
  const int first_ply = static_cast<int>(rng.below(2));
  const int moves = static_cast<int>(20 + rng.below(131));
  // What the moves cost if none takes any thought, and the share that is never planned with.
  const int unpaid = period > 0 ? period : 150;
  const double needed = (std::max(0.0, overhead - increment) * (unpaid - 1) + overhead) / 0.95;
  const double added = needed + log_uniform(rng, 1e-3, 1e3);

  Clock clock{added, increment, period};
  for (int move = 0; move < moves; ++move) {
    const TimeBudget budget = time_budget(clock, first_ply + 2 * move, overhead);
    clock.left -= budget.most + overhead * (rng.below(2) ? 1.0 : rng.uniform());
    if (clock.left <= 0.0) return false;
    clock.left += increment;
    if (period > 0 && --clock.moves_to_go == 0) {
      clock.moves_to_go = period;
      clock.left += added;
    }
  }
  return true;
}

TEST_CASE("no game is lost on time though each move takes all it may") {
  Rng rng(2);
  int lost = 0;
  for (int game = 0; game < 20000; ++game) lost += !survives(rng);
  CHECK(lost == 0);
}

TEST_CASE("a game of usual length spends much of the clock and not all of it") {
  for (const double overhead : {0.0, 0.02})
    for (const double seconds : {10.0, 60.0, 900.0}) {
      Clock clock{seconds, 0, 0};
      for (int ply = 0; ply < 33; ply += 2)
        clock.left -= time_budget(clock, ply, overhead).aim + overhead;
      INFO(seconds << " s, " << clock.left << " left");
      CHECK(clock.left < 0.5 * seconds);
      CHECK(clock.left > 0.15 * seconds);
    }
  // Once the game has lasted, an increment is what a move takes.
  Clock clock{60, 1, 0};
  for (int ply = 0; ply < 300; ply += 2) clock.left -= time_budget(clock, ply, 0.0).aim - 1.0;
  CHECK(time_budget(clock, 300, 0.0).aim == Approx(1.0).margin(0.05));
}

Snapshot at(double seconds, std::int64_t visits, std::int64_t best, std::int64_t second,
            Move by_visits = kA, Move by_value = kA) {
  return {seconds, visits, by_visits, by_value, best, second};
}

TEST_CASE("the most is never passed") {
  for (const TimeBudget budget : {TimeBudget{1, 4}, fixed_time(4)})
    for (const Snapshot& now :
         {at(4, 0, 0, 0), at(4, 100, 50, 50), at(4, 100, 90, 10, kA, kB), at(9, 100, 60, 40)})
      CHECK(Pacer(budget).should_stop(now));
  CHECK(Pacer({0, 0}).should_stop(at(0, 0, 0, 0)));
}

TEST_CASE("no search stops without a visit of its own while there is time") {
  for (const TimeBudget budget : {TimeBudget{1, 4}, fixed_time(4)})
    for (const double seconds : {0.0, 0.5, 1.0, 3.99}) {
      CHECK_FALSE(Pacer(budget).should_stop(at(seconds, 0, 0, 0)));
      // All visits are those of a tree that was kept.
      CHECK_FALSE(Pacer(budget).should_stop(at(seconds, 0, 1000, 10)));
    }
}

TEST_CASE("a fixed time is used to its end") {
  Pacer pacer(fixed_time(2));
  CHECK_FALSE(pacer.should_stop(at(0.0, 1, 1, 0)));
  CHECK_FALSE(pacer.should_stop(at(1.0, 1000, 1000, 0)));
  CHECK_FALSE(pacer.should_stop(at(1.999, 2000, 2000, 0)));
  CHECK(pacer.should_stop(at(2.0, 2000, 2000, 0)));
}

TEST_CASE("before the aim a search stops when the second cannot catch up") {
  struct Row { double seconds; std::int64_t visits, best, second; Move by_value; bool stops; };
  for (const Row& row : {
           // 100 visits a second and 4 s to go: 400 to come.
           Row{6, 600, 500, 99, kA, true},
           Row{6, 600, 500, 100, kA, false},
           Row{6, 600, 350, 250, kA, false},
           Row{9, 900, 551, 449, kA, true},
           Row{9, 900, 500, 400, kA, false},
           // One move has all visits.
           Row{4.9, 490, 490, 0, kA, false},
           Row{5.1, 510, 510, 0, kA, true},
           // The choice is not settled while another move has the better value.
           Row{6, 600, 500, 99, kB, false},
           Row{9.9, 990, 990, 0, kB, false},
           // A tree that was kept gave the lead; the rate is that of this search.
           Row{2, 200, 1500, 699, kA, true},
           Row{2, 200, 1500, 700, kA, false},
           // Too early to know the rate.
           Row{0.9, 1, 5000, 0, kA, false},
           Row{0.0, 1, 5000, 0, kA, false},
           Row{1.0, 1, 5000, 0, kA, true},
       }) {
    INFO(row.seconds << " s, " << row.best << " against " << row.second);
    const Snapshot now = at(row.seconds, row.visits, row.best, row.second, kA, row.by_value);
    CHECK(Pacer({10, 40}).should_stop(now) == row.stops);
  }
}

TEST_CASE("at the aim a search stops if the choice does not waver") {
  CHECK_FALSE(Pacer({10, 40}).should_stop(at(9.9, 990, 490, 490)));
  CHECK(Pacer({10, 40}).should_stop(at(10, 1000, 500, 499)));
  CHECK_FALSE(Pacer({10, 40}).should_stop(at(10, 1000, 500, 499, kA, kB)));
  CHECK_FALSE(Pacer({10, 40}).should_stop(at(39.9, 1000, 999, 0, kA, kB)));
}

// The seconds at which the first of the snapshots stops the search, -1 if none does.
double stopped_at(Pacer pacer, const std::vector<Snapshot>& snapshots) {
  for (const Snapshot& now : snapshots)
    if (pacer.should_stop(now)) return now.seconds;
  return -1.0;
}

TEST_CASE("a new best move must last for a third of the time") {
  struct Row { double changed, stops; };
  // A change at t has lasted long enough from 3 / 2 t on.
  for (const Row& row : {Row{2, 10}, Row{6, 10}, Row{7, 11}, Row{8, 12}, Row{10, 15}}) {
    std::vector<Snapshot> search;
    for (double t = 1; t <= 40; t += 1) {
      const Move best = t < row.changed ? kA : kB;
      search.push_back(at(t, static_cast<std::int64_t>(t) * 100, 300, 299, best, best));
    }
    INFO("changed at " << row.changed);
    CHECK(stopped_at(Pacer({10, 40}), search) == row.stops);
  }
}

TEST_CASE("a search goes on after its aim until best by visits and by value agree") {
  for (const int agrees : {5, 10, 11, 25, 39, 50}) {
    std::vector<Snapshot> search;
    for (int t = 1; t <= 60; ++t)
      search.push_back(at(t, t * 100, t * 40, t * 39, kA, t < agrees ? kB : kA));
    INFO("agrees at " << agrees);
    CHECK(stopped_at(Pacer({10, 40}), search) == std::clamp(agrees, 10, 40));
  }
}

TEST_CASE("a move that keeps changing takes a search to its most") {
  std::vector<Snapshot> search;
  for (int t = 1; t <= 60; ++t)
    search.push_back(at(t, t * 100, t * 40, t * 40, t / 3 % 2 ? kA : kB, t / 3 % 2 ? kA : kB));
  CHECK(stopped_at(Pacer({10, 40}), search) == 40);
}

// Of two moves that get visits at random, the one ahead at the aim is the one that was ahead when
// the pacer stopped earlier.
TEST_CASE("stopping early changes no choice") {
  Rng rng(3);
  int early = 0;
  for (int i = 0; i < 500; ++i) {
    const double share = rng.uniform();
    Pacer pacer({10, 40});
    std::int64_t visits[2] = {};
    int chosen = -1;
    for (int t = 1; t < 1000; ++t) {
      ++visits[rng.uniform() < share ? 0 : 1];
      const int best = visits[1] > visits[0];
      const Move move = best ? kB : kA;
      const Snapshot now = at(t * 0.01, t, visits[best], visits[1 - best], move, move);
      if (chosen < 0 && pacer.should_stop(now)) chosen = best;
    }
    early += chosen >= 0;
    if (chosen >= 0) REQUIRE(visits[chosen] >= visits[1 - chosen]);
  }
  CHECK(early > 250);
}

}  // namespace
}  // namespace gounki::mcts
