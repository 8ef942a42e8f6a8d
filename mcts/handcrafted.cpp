#include "mcts/handcrafted.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/paths.h"
#include "mcts/endings.h"
#include "mcts/handcrafted_terms.h"

namespace gounki::mcts {
namespace {

using TermCounts = std::array<int, kHandcraftedTerms.size()>;

constexpr int term(std::string_view name) {
  for (std::size_t i = 0; i < kHandcraftedTerms.size(); ++i)
    if (kHandcraftedTerms[i].name == name) return static_cast<int>(i);
  throw "no such term";  // refused by the compiler
}
constexpr int kSquareRank2 = term("S rank 2"), kRoundRank2 = term("R rank 2"),
              kRace2 = term("race 2"), kReach = term("reach"), kReachFar = term("reach far"),
              kEdge = term("edge"), kFree = term("free"), kTempo = term("tempo"),
              kExitThreat = term("exit threat"),
              kBestCapture = term("best capture"), kNextCapture = term("next capture"),
              kBestThreat = term("best threat"), kNextThreat = term("next threat");
constexpr int kLastRace = 6;

// The term of a stack, by its code (2 bits of squares, 2 bits of rounds).
constexpr auto make_stack_terms() {
  std::array<int, 16> terms{};
  for (int code = 1; code < 16; ++code) {
    const int squares = code & 3, rounds = code >> 2;
    if (squares + rounds > 3) continue;
    std::array<char, 3> name{};
    for (int i = 0; i < squares + rounds; ++i) name[i] = i < squares ? 'S' : 'R';
    terms[code] = term({name.data(), static_cast<std::size_t>(squares + rounds)});
  }
  return terms;
}
constexpr auto kStackTerm = make_stack_terms();

// Adds terms up to ten times a score.
class TermSum {
 public:
  void add(int term, int count) { sum_ += kHandcraftedTerms[term].weight * count; }
  void add_stack(int code, int rank, int sign) { sum_ += sign * kStackWorth[code][rank]; }
  int sum() const { return sum_; }

 private:
  static constexpr auto kStackWorth = [] {
    std::array<std::array<int, 8>, 16> worth{};
    for (int code = 1; code < 16; ++code)
      for (int rank = 0; rank < 8; ++rank) {
        const int squares = code & 3, rounds = code >> 2;
        if (squares + rounds > 3) continue;
        worth[code][rank] = kHandcraftedTerms[kStackTerm[code]].weight;
        if (rank == 0) continue;
        worth[code][rank] += squares * kHandcraftedTerms[kSquareRank2 + rank - 1].weight +
                             rounds * kHandcraftedTerms[kRoundRank2 + rank - 1].weight;
      }
    return worth;
  }();
  int sum_ = 0;
};

// Keeps the terms apart.
class TermCounter {
 public:
  void add(int term, int count) { counts_[term] += count; }
  void add_stack(int code, int rank, int sign) {
    counts_[kStackTerm[code]] += sign;
    if (rank == 0) return;
    counts_[kSquareRank2 + rank - 1] += sign * (code & 3);
    counts_[kRoundRank2 + rank - 1] += sign * (code >> 2);
  }
  const TermCounts& counts() const { return counts_; }

 private:
  TermCounts counts_{};
};

// How many moves of its own side a stack of this code needs to leave the board from this rank when
// nothing stands in its way: whole moves of its longest run, then a deployment or a run out.
constexpr auto make_moves_to_exit() {
  std::array<std::array<std::int8_t, 8>, 16> table{};
  for (int code = 1; code < 16; ++code) {
    const int squares = code & 3, rounds = code >> 2, size = squares + rounds;
    if (size > 3) continue;
    const int run = std::max(squares, rounds);
    for (int rank = 0; rank < 8; ++rank) {
      const int left = 8 - rank - size;
      table[code][rank] = static_cast<std::int8_t>(1 + std::max(0, (left + run - 1) / run));
    }
  }
  return table;
}
constexpr auto kMovesToExit = make_moves_to_exit();

// The squares further up from which an enemy can get in the way, up to three ranks ahead.
constexpr std::array<Bitboard, 64> make_cones() {
  std::array<Bitboard, 64> cones{};
  for (int from = 0; from < 64; ++from)
    for (int up = 1; up <= 3; ++up)
      for (int file = from % 8 - up; file <= from % 8 + up; ++file)
        if (file >= 0 && file < 8 && from / 8 + up < 8)
          cones[from] |= Bitboard(Square(file, from / 8 + up));
  return cones;
}
constexpr auto kCones = make_cones();

constexpr Bitboard kFar = Bitboard::rank(5) | Bitboard::rank(6) | Bitboard::rank(7);
constexpr Bitboard kEdgeFiles = Bitboard::file(0) | Bitboard::file(7);
constexpr Bitboard kNotA = ~Bitboard::file(0), kNotH = ~Bitboard::file(7);

constexpr Bitboard up(Bitboard b) { return b.shifted(8); }
constexpr Bitboard left(Bitboard b) { return (b & kNotA).shifted(-1); }
constexpr Bitboard right(Bitboard b) { return (b & kNotH).shifted(1); }
constexpr Bitboard up_left(Bitboard b) { return (b & kNotA).shifted(7); }
constexpr Bitboard up_right(Bitboard b) { return (b & kNotH).shifted(9); }

// One side's stacks as that side sees them, going up.
struct Camp {
  Bitboard own, enemy;
  // Bits of the number of squares and of rounds, of both sides.
  Bitboard squares_low, squares_high, rounds_low, rounds_high;

  explicit Camp(const Position& p)
      : own(p.own()),
        enemy(p.enemy()),
        squares_low(p.with_squares(1) | p.with_squares(3)),
        squares_high(p.with_squares(2) | p.with_squares(3)),
        rounds_low(p.with_rounds(1) | p.with_rounds(3)),
        rounds_high(p.with_rounds(2) | p.with_rounds(3)) {}

  Camp other() const {
    Camp out = *this;
    out.own = enemy.flipped();
    out.enemy = own.flipped();
    for (Bitboard Camp::*board : {&Camp::squares_low, &Camp::squares_high, &Camp::rounds_low,
                                 &Camp::rounds_high})
      out.*board = (this->*board).flipped();
    return out;
  }

  int code(Square square) const {
    const auto bit = [square](Bitboard b) { return static_cast<int>(b.contains(square)); };
    return bit(squares_low) | bit(squares_high) << 1 | bit(rounds_low) << 2 | bit(rounds_high) << 3;
  }
  int size(Square square) const { return (code(square) & 3) + (code(square) >> 2); }

  // The squares that some stack can reach with a run, whoever stands on the last of them. Bounces
  // are left out.
  Bitboard reach() const {
    const Bitboard empty = ~(own | enemy);
    Bitboard result;
    const auto add = [&](Bitboard one, Bitboard two, Bitboard three, auto step) {
      result |= step(one) | step(step(two) & empty) | step(step(step(three) & empty) & empty);
    };
    const Bitboard s1 = own & (squares_low | squares_high), s2 = own & squares_high,
                   s3 = s2 & squares_low;
    const Bitboard r1 = own & (rounds_low | rounds_high), r2 = own & rounds_high,
                   r3 = r2 & rounds_low;
    add(s1, s2, s3, up);
    add(s1, s2, s3, left);
    add(s1, s2, s3, right);
    add(r1, r2, r3, up_left);
    add(r1, r2, r3, up_right);
    return result;
  }

  // Whether some stack can leave the board now; bounces and deployments over friends are left out.
  bool exits_now() const {
    const Bitboard empty = ~(own | enemy);
    const Bitboard squares = own & (squares_low | squares_high);
    const Bitboard rounds = own & (rounds_low | rounds_high);
    if (!((squares | rounds) & Bitboard::rank(7)).empty()) return true;
    // From the last rank but one: a second step of the same kind, whole or leaving pieces.
    const Bitboard near = Bitboard::rank(6);
    const Bitboard two_squares = own & squares_high, two_rounds = own & rounds_high;
    const Bitboard mixed = squares & rounds;
    const auto diagonal = [](Bitboard b) { return up_left(b) | up_right(b); };
    if (!(up(near & (two_squares | mixed)) & empty).empty()) return true;
    if (!(diagonal(near & (two_rounds | mixed)) & empty).empty()) return true;
    // From the one before, three steps; the pieces of a mixed triple go one kind after the other.
    const Bitboard far = Bitboard::rank(5);
    const Bitboard sss = two_squares & squares_low, rrr = two_rounds & rounds_low;
    const auto way = [&](Bitboard b, auto first, auto second) {
      return !(second(first(b) & empty) & empty).empty();
    };
    const Bitboard ssr = far & two_squares & rounds, srr = far & two_rounds & squares;
    return way(far & sss, up, up) || way(far & rrr, up_left, up_left) ||
           way(far & rrr, up_right, up_right) || way(ssr, up, up) || way(ssr, diagonal, up) ||
           way(srr, up, diagonal) || way(srr, up_left, up_left) || way(srr, up_right, up_right);
  }
};

// How far one side is from leaving the board.
struct Races {
  // Moves that the quickest stack needs with nothing in its way, and that the quickest stack needs
  // that no enemy can stop or catch: enemies never step back, so those behind it do not count.
  int race = 99;
  int free_race = 99;
  // Halves of moves: the quickest stack with a price on every enemy in front of it.
  int hindered_race = 99;
  int free_stacks = 0;  // with no enemy in front of them
};

// Adds the side's stacks to the terms on the way.
template <class Terms>
Races races(const Camp& camp, int sign, Terms& terms) {
  Races out;
  const std::uint64_t enemy = camp.enemy.bits();
  const int last_enemy_rank = enemy == 0 ? -1 : (63 - std::countl_zero(enemy)) / 8;
  for (const Square square : camp.own) {
    const int code = camp.code(square), rank = square.rank();
    const int moves = kMovesToExit[code][rank];
    terms.add_stack(code, rank, sign);
    out.race = std::min(out.race, moves);
    if (rank > last_enemy_rank) out.free_race = std::min(out.free_race, moves);
    const int in_the_way = (kCones[square.index()] & camp.enemy).count();
    out.free_stacks += in_the_way == 0;
    out.hindered_race = std::min(out.hindered_race, 2 * moves + std::min(in_the_way, 4));
  }
  return out;
}

// The most that a capture wins, in tenths of a piece: a whole stack, nine less where it is taken back.
// `second` is the next best, which remains when the owner saves the first.
struct Hits {
  int best = 0, second = 0;
};

Hits hits(const Camp& victim, Bitboard attacked, Bitboard defended) {
  Hits out;
  for (const Square square : victim.own & attacked) {
    const int gain = 10 * victim.size(square) - (defended.contains(square) ? 9 : 0);
    if (gain > out.best) {
      out.second = out.best;
      out.best = gain;
    } else {
      out.second = std::max(out.second, gain);
    }
  }
  return out;
}

// The score of a decided position; else nothing, and the terms of the position are added.
template <class Terms>
std::optional<int> decided_or_add(const Position& position, Terms& terms) {
  const Camp mine(position);
  if (mine.exits_now()) return kMaxScore - 1;
  const Camp theirs = mine.other();
  const Races my = races(mine, 1, terms), their = races(theirs, -1, terms);

  // A race that nobody can stop is decided by counting: with equal numbers the mover is first.
  if (my.free_race <= their.race) return kDecidedScore + 3000 - 100 * my.free_race;
  if (their.free_race < my.race) return -(kDecidedScore + 3000 - 100 * their.free_race);

  terms.add(kTempo, 1);
  const int nearest = std::clamp(std::min(my.race, their.race), 2, kLastRace);
  terms.add(kRace2 + nearest - 2, their.hindered_race - (my.hindered_race - 1));
  terms.add(kExitThreat, theirs.exits_now());

  const Bitboard my_reach = mine.reach(), their_reach = theirs.reach();
  terms.add(kReach, my_reach.count() - their_reach.count());
  terms.add(kReachFar, (my_reach & kFar).count() - (their_reach & kFar).count());
  terms.add(kEdge, (mine.own & kEdgeFiles).count() - (theirs.own & kEdgeFiles).count());
  terms.add(kFree, my.free_stacks - their.free_stacks);
  const Hits i_take = hits(theirs, my_reach.flipped(), their_reach);
  const Hits they_take = hits(mine, their_reach.flipped(), my_reach);
  terms.add(kBestCapture, i_take.best);
  terms.add(kNextCapture, i_take.second);
  terms.add(kBestThreat, they_take.best);
  terms.add(kNextThreat, they_take.second);
  return std::nullopt;
}

// What the logit of a move is made of; the unit is a factor of e in how likely it is.
constexpr float kWinLogit = 12.0f;
constexpr float kRankLogit = 0.35f;      // for each rank that a stack or its foremost piece climbs
constexpr float kCaptureLogit = 1.4f;    // for each piece captured
constexpr float kRecaptureLogit = 0.7f;  // for each own piece left where the enemy captures
constexpr float kRescueLogit = 0.7f;     // for each own piece that an attack no longer meets
constexpr float kTripleLogit = 0.5f;     // for a mixed triple made

float logit_of(const Position& position, Move move, Bitboard attacked) {
  if (wins_at_once(position, move)) return kWinLogit;
  const Stack stack = position.stack_on(move.from());
  const Landings landed = landings(move, stack);
  float logit = kRankLogit * static_cast<float>(landed.back().square().rank() - move.from().rank());
  if (attacked.contains(move.from())) logit += kRescueLogit * static_cast<float>(stack.size());
  if (move.how().deploys()) {
    for (const Landing landing : landed)
      if (attacked.contains(landing.square())) logit -= kRecaptureLogit;
    return logit;
  }
  const Square to = landed.back().square();
  const bool captures = position.enemy().contains(to);
  const Stack there = to == move.from() ? Stack() : position.stack_on(to);
  const Stack result = captures ? stack : stack + there;
  if (captures) logit += kCaptureLogit * static_cast<float>(there.size());
  if (attacked.contains(to)) logit -= kRecaptureLogit * static_cast<float>(result.size());
  if (!captures && !there.empty() && result.size() == 3 && result.squares() % 3 != 0)
    logit += kTripleLogit;
  return logit;
}

}  // namespace

int handcrafted_score(const Position& position) {
  TermSum terms;
  if (const auto decided = decided_or_add(position, terms)) return *decided;
  return std::clamp(terms.sum() / 10, -kDecidedScore + 1, kDecidedScore - 1);
}

std::optional<std::vector<int>> handcrafted_counts(const Position& position) {
  TermCounter terms;
  if (decided_or_add(position, terms)) return std::nullopt;
  return std::vector<int>(terms.counts().begin(), terms.counts().end());
}

MoverValue value_of_score(int score) {
  return {static_cast<float>(std::tanh(score / kHandcraftedScale))};
}

MoverValue handcrafted_value(const Position& position) {
  return value_of_score(handcrafted_score(position));
}

void handcrafted_priors(const Position& position, const MoveList& moves,
                        std::vector<float>& priors) {
  const Bitboard attacked = Camp(position).other().reach().flipped();
  priors.resize(static_cast<std::size_t>(moves.size()));
  float best = -1e9f, sum = 0.0f;
  for (int i = 0; i < moves.size(); ++i) {
    priors[i] = logit_of(position, moves[i], attacked);
    best = std::max(best, priors[i]);
  }
  for (float& prior : priors) sum += prior = std::exp(prior - best);
  for (float& prior : priors) prior /= sum;
}

}  // namespace gounki::mcts
