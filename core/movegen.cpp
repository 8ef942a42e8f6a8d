#include "core/movegen.h"

#include <string>

#include "core/paths.h"

namespace gounki {
namespace {

// The start files from which the n-th step of a run along D lands `shift` files further on.
template <Direction D, int N>
constexpr Bitboard start_files_with_shift(int shift) {
  Bitboard files;
  for (int file = 0; file < 8; ++file) {
    const int to = file_after(D, file, N);
    if (to >= 0 && to - file == shift) files |= Bitboard::file(file);
  }
  return files;
}

// The squares from which the N-th step of a run along D lands in `targets`, which a bounce may have
// turned on the way. Only the geometry: the squares before the N-th are not looked at.
template <Direction D, int N>
constexpr Bitboard starts(Bitboard targets) {
  Bitboard result;
  const auto add = [&]<int Shift>() {
    constexpr Bitboard files = start_files_with_shift<D, N>(Shift);
    if constexpr (!files.empty())
      result |= files & targets.shifted(-(Shift + 8 * N * rank_step(D)));
  };
  add.template operator()<-3>();
  add.template operator()<-2>();
  add.template operator()<-1>();
  add.template operator()<0>();
  add.template operator()<1>();
  add.template operator()<2>();
  add.template operator()<3>();
  return result;
}

// The squares from which a run along D passes the far rank with its N-th step. A first step does so
// from any file; a longer run must be able to begin.
template <Direction D, int N>
constexpr Bitboard exit_starts() {
  if constexpr (rank_step(D) == 0) return Bitboard();
  else if constexpr (N == 1) return Bitboard::rank(7);
  else return Bitboard::rank(8 - N) & starts<D, 1>(Bitboard::all());
}

constexpr bool sideways(Direction d) { return rank_step(d) == 0; }
// The file from which a sideways run of two steps bounces back home, and the next one, from which a
// run of three steps on its first square twice.
constexpr Bitboard home_file(Direction d) {
  return sideways(d) ? Bitboard::file(d == Direction::Left ? 1 : 6) : Bitboard();
}
constexpr Bitboard repeat_file(Direction d) {
  return sideways(d) ? Bitboard::file(d == Direction::Left ? 2 : 5) : Bitboard();
}

// The own stacks by what they hold, and the squares by what may land there.
struct Sets {
  explicit Sets(const Position& p) : own(p.own()), empty(~p.occupied()) {
    const Bitboard s0 = p.with_squares(0), s1 = p.with_squares(1), s2 = p.with_squares(2),
                   s3 = p.with_squares(3);
    const Bitboard r0 = p.with_rounds(0), r1 = p.with_rounds(1), r2 = p.with_rounds(2),
                   r3 = p.with_rounds(3);
    squares[0] = own & ~s0;
    squares[1] = own & (s2 | s3);
    squares[2] = own & s3;
    rounds[0] = own & ~r0;
    rounds[1] = own & (r2 | r3);
    rounds[2] = own & r3;
    ss = own & s2 & r0;
    sss = squares[2];
    rr = own & r2 & s0;
    rrr = rounds[2];
    sr = own & s1 & r1;
    ssr = own & s2 & r1;
    srr = own & s1 & r2;
    const Bitboard singles = own & ((s1 & r0) | (s0 & r1));
    triples = sss | rrr | ssr | srr;
    doubles = own & ~singles & ~triples;
    room_for_two = empty | singles;
    room_for_one = room_for_two | doubles;
    enter[0] = p.enemy() | room_for_one;
    enter[1] = p.enemy() | room_for_two;
    enter[2] = p.enemy() | empty;
    size[0] = singles;
    size[1] = doubles;
    size[2] = triples;
  }

  Bitboard own, empty;
  Bitboard squares[3], rounds[3];  // [n]: own stacks with more than n squares, rounds
  Bitboard ss, sss, rr, rrr, sr, ssr, srr;
  Bitboard doubles, triples;
  Bitboard size[3];   // [n]: own stacks of n + 1 simple pieces
  Bitboard enter[3];  // [n]: where a stack of n + 1 simple pieces may end a move
  Bitboard room_for_one, room_for_two;  // where one, two simple pieces may be left
};

// The own stacks that can take n + 1 steps along D.
constexpr const Bitboard* able_to_run(Direction d, const Sets& sets) {
  return sideways(d) || d == Direction::Forward ? sets.squares : sets.rounds;
}

// The starts from which the squares before the last of two, of three steps along D are empty.
template <Direction D>
struct EmptyWay {
  explicit EmptyWay(const Sets& sets)
      : two(starts<D, 1>(sets.empty)), three(two & (starts<D, 2>(sets.empty) | home_file(D))) {}
  Bitboard two, three;
};

// A whole stack moves N steps along D.
template <Direction D, int N>
Bitboard move_starts(const Sets& sets, Bitboard able, Bitboard empty_way) {
  Bitboard targets_ok;
  for (int n = N; n <= 3; ++n) targets_ok |= sets.size[n - 1] & starts<D, N>(sets.enter[n - 1]);
  // Two steps sideways that bounce end at home, which the stack has left empty.
  if constexpr (N == 2) targets_ok |= home_file(D);
  return able & empty_way & (targets_ok | exit_starts<D, N>());
}

template <Direction D>
void add_moves(const Sets& sets, Origins& out) {
  const Bitboard* able = able_to_run(D, sets);
  const EmptyWay<D> way(sets);
  const int first = Template::move(D, 1).index();
  out[first] = move_starts<D, 1>(sets, able[0], Bitboard::all());
  out[first + 1] = move_starts<D, 2>(sets, able[1], way.two);
  out[first + 2] = move_starts<D, 3>(sets, able[2], way.three);
}

template <Direction D>
void add_captures(const Sets& sets, Bitboard enemy, Origins& out) {
  const Bitboard* able = able_to_run(D, sets);
  const EmptyWay<D> way(sets);
  const int first = Template::move(D, 1).index();
  out[first] = able[0] & starts<D, 1>(enemy);
  out[first + 1] = able[1] & way.two & starts<D, 2>(enemy);
  out[first + 2] = able[2] & way.three & starts<D, 3>(enemy);
}

// The squares from which simple pieces can be left on one, two, three steps along D, each landing on
// room for one, or the run wins by leaving the board before it is complete. A first step that exits
// is not among them: `exit` counts from the second step on.
template <Direction D>
struct Drops {
  explicit Drops(const Sets& sets) {
    const Bitboard room = sets.room_for_one;
    one = starts<D, 1>(room);
    const Bitboard out2 = exit_starts<D, 2>();
    two = one & (starts<D, 2>(room) | home_file(D) | out2);
    // The third step of a bouncing run may come back to the square of its first.
    const Bitboard third = (starts<D, 3>(room) & ~repeat_file(D)) |
                           (starts<D, 3>(sets.room_for_two) & repeat_file(D));
    three = two & (third | out2 | exit_starts<D, 3>());
  }
  Bitboard one, two, three;
};

// The squares from which the second run of a deployment, n steps along D, can follow a first run that
// has just left a piece there. Its first step may exit.
template <Direction D>
struct SecondRun {
  SecondRun(const Sets& sets, const Drops<D>& drops) {
    const Bitboard out1 = exit_starts<D, 1>();
    one = drops.one | out1;
    // A sideways run of two that bounces leaves a second piece on the square where it starts.
    two = (drops.two & (~home_file(D) | sets.room_for_two)) | out1;
  }
  Bitboard one, two;
};

template <Direction D1, Direction D2>
void add_rounds_then_squares(const Sets& sets, const Drops<D1>& first, const SecondRun<D2>& second,
                             Bitboard& out) {
  const Bitboard room = sets.room_for_one;
  const Bitboard after_one = starts<D1, 1>(room & second.one);
  const Bitboard after_one_two = starts<D1, 1>(room & second.two);
  const Bitboard after_two = first.one & (starts<D1, 2>(room & second.one) | exit_starts<D1, 2>());
  out = (sets.sr & after_one) | (sets.ssr & after_one_two) | (sets.srr & after_two);
}

template <Direction D1, Direction D2>
void add_squares_then_rounds(const Sets& sets, const Drops<D1>& first, const Drops<D2>& rounds,
                             Bitboard& out) {
  const Bitboard room = sets.room_for_one;
  // Rounds leave the rank of the first run at once, so nothing of it is in their way.
  const Bitboard run1 = rounds.one | exit_starts<D2, 1>();
  const Bitboard run2 = rounds.two | exit_starts<D2, 1>();
  const Bitboard after_one = starts<D1, 1>(room & run1);
  const Bitboard after_one_two = starts<D1, 1>(room & run2);
  const Bitboard after_two =
      first.one & ((starts<D1, 2>(room & run1) & ~home_file(D1)) | (home_file(D1) & run1) |
                   exit_starts<D1, 2>());
  out = (sets.sr & after_one) | (sets.srr & after_one_two) | (sets.ssr & after_two);
}

void add_deployments(const Sets& sets, Origins& out) {
  using enum Direction;
  const Drops<Forward> f(sets);
  const Drops<Left> l(sets);
  const Drops<Right> r(sets);
  const Drops<ForwardLeft> fl(sets);
  const Drops<ForwardRight> fr(sets);
  out[15] = (sets.ss & f.two) | (sets.sss & f.three);
  out[16] = (sets.ss & l.two) | (sets.sss & l.three);
  out[17] = (sets.ss & r.two) | (sets.sss & r.three);
  out[18] = (sets.rr & fl.two) | (sets.rrr & fl.three);
  out[19] = (sets.rr & fr.two) | (sets.rrr & fr.three);
  if ((sets.sr | sets.ssr | sets.srr).empty()) return;

  const SecondRun<Forward> then_f(sets, f);
  const SecondRun<Left> then_l(sets, l);
  const SecondRun<Right> then_r(sets, r);
  add_rounds_then_squares<ForwardLeft, Forward>(sets, fl, then_f, out[20]);
  add_rounds_then_squares<ForwardLeft, Left>(sets, fl, then_l, out[21]);
  add_rounds_then_squares<ForwardLeft, Right>(sets, fl, then_r, out[22]);
  add_rounds_then_squares<ForwardRight, Forward>(sets, fr, then_f, out[23]);
  add_rounds_then_squares<ForwardRight, Left>(sets, fr, then_l, out[24]);
  add_rounds_then_squares<ForwardRight, Right>(sets, fr, then_r, out[25]);
  add_squares_then_rounds<Forward, ForwardLeft>(sets, f, fl, out[26]);
  add_squares_then_rounds<Forward, ForwardRight>(sets, f, fr, out[27]);
  add_squares_then_rounds<Left, ForwardLeft>(sets, l, fl, out[28]);
  add_squares_then_rounds<Left, ForwardRight>(sets, l, fr, out[29]);
  add_squares_then_rounds<Right, ForwardLeft>(sets, r, fl, out[30]);
  add_squares_then_rounds<Right, ForwardRight>(sets, r, fr, out[31]);
}

Origins all_templates(const Position& position, const Sets& sets, const Rules& rules) {
  Origins out{};
  if (position.is_lost()) return out;
  add_moves<Direction::Forward>(sets, out);
  add_moves<Direction::Left>(sets, out);
  add_moves<Direction::Right>(sets, out);
  add_moves<Direction::ForwardLeft>(sets, out);
  add_moves<Direction::ForwardRight>(sets, out);
  if (!(sets.doubles | sets.triples).empty()) add_deployments(sets, out);
  if (!rules.null_moves) {
    out[Template::move(Direction::Left, 2).index()] &= ~Bitboard::file(1);
    out[Template::move(Direction::Right, 2).index()] &= ~Bitboard::file(6);
  }
  return out;
}

// Keeps of each move only the smallest template. These are all the ways in which two templates can
// describe one move; the test against brute force would find another.
void drop_duplicates(const Sets& sets, Origins& out) {
  const auto at = [&out](Direction d, int steps) -> Bitboard& {
    return out[Template::move(d, steps).index()];
  };
  // Three steps sideways with a bounce end where one step ends: b-a-b-c, c-b-a-b, and at the h side.
  at(Direction::Left, 3) &= ~Bitboard::file(2);
  at(Direction::Right, 1) &= ~(at(Direction::Left, 3) & Bitboard::file(1));
  at(Direction::Right, 3) &= ~(Bitboard::file(5) | Bitboard::file(6));

  // Every way of a stack to leave the board is the same move.
  Bitboard exits;
  for (const Direction d : {Direction::Forward, Direction::ForwardLeft, Direction::ForwardRight}) {
    for (int steps = 1; steps <= 3; ++steps) {
      Bitboard& templ = at(d, steps);
      const Bitboard exiting = templ & Bitboard::rank(8 - steps);
      templ &= ~(exiting & exits);
      exits |= exiting;
    }
  }

  // A deployment that leaves the board in its first run does so whatever its second run would be.
  const Bitboard rounds_exit = sets.srr & Bitboard::rank(6);
  for (const int second : {21, 22, 24, 25}) out[second] &= ~rounds_exit;
  // So does one whose rounds leave at once from the last rank, to either side; after squares forward
  // from rank 7 (and 6 for two of them), or sideways on rank 8.
  out[27] &= ~(Bitboard::rank(6) | (sets.ssr & Bitboard::rank(5)));
  out[29] &= ~Bitboard::rank(7);
  out[31] &= ~Bitboard::rank(7);
}

MoveList listed(const Origins& origins) {
  MoveList moves;
  for (int t = 0; t < Template::kCount; ++t)
    for (const Square from : origins[t]) moves.add(Move(from, Template(t)));
  return moves;
}

std::uint64_t perft_from(const Position& position, int depth, const Rules& rules) {
  if (depth == 1) return static_cast<std::uint64_t>(count_legal_moves(position, rules));
  std::uint64_t leaves = 0;
  for (const Move move : legal_moves(position, rules))
    leaves += perft_from(position.after(move), depth - 1, rules);
  return leaves;
}

}  // namespace

Origins generate_all_templates(const Position& position, const Rules& rules) {
  return all_templates(position, Sets(position), rules);
}

Origins generate(const Position& position, const Rules& rules) {
  const Sets sets(position);
  Origins out = all_templates(position, sets, rules);
  drop_duplicates(sets, out);
  return out;
}

MoveList legal_moves(const Position& position, const Rules& rules) {
  return listed(generate(position, rules));
}

MoveList legal_captures(const Position& position) {
  Origins out{};
  if (position.is_lost()) return {};
  const Sets sets(position);
  add_captures<Direction::Forward>(sets, position.enemy(), out);
  add_captures<Direction::Left>(sets, position.enemy(), out);
  add_captures<Direction::Right>(sets, position.enemy(), out);
  add_captures<Direction::ForwardLeft>(sets, position.enemy(), out);
  add_captures<Direction::ForwardRight>(sets, position.enemy(), out);
  drop_duplicates(sets, out);
  return listed(out);
}

int count_legal_moves(const Position& position, const Rules& rules) {
  int count = 0;
  for (const Bitboard squares : generate(position, rules)) count += squares.count();
  return count;
}

bool is_legal(const Position& position, Move move, const Rules& rules) {
  return generate(position, rules)[move.how().index()].contains(move.from());
}

Expected<Move> move_from_policy_index(const Position& position, int index, const Rules& rules) {
  if (index < 0 || index >= Move::kIndices)
    return fail("policy index " + std::to_string(index) + " is outside 0 … 2047");
  const Move wanted = Move::from_index(index);
  const Origins all = generate_all_templates(position, rules);
  if (!all[wanted.how().index()].contains(wanted.from()))
    return fail("policy index " + std::to_string(index) + " is not legal here");
  const Stack stack = position.stack_on(wanted.from());
  const Landings wanted_landings = landings(wanted, stack);
  for (int t = 0; t < wanted.how().index(); ++t) {
    const Move smaller(wanted.from(), Template(t));
    if (all[t].contains(wanted.from()) && smaller.how().deploys() == wanted.how().deploys() &&
        landings(smaller, stack) == wanted_landings)
      return smaller;
  }
  return wanted;
}

Move mirrored_move(const Position& position, Move move) {
  return move_from_policy_index(position.mirrored(), move.mirrored().index()).value();
}

Expected<Position> play_checked(const Position& position, Move move, const Rules& rules) {
  if (!is_legal(position, move, rules)) return fail("the move is not legal here");
  return position.after(move);
}

std::uint64_t perft(const Position& position, int depth, const Rules& rules) {
  return depth <= 0 ? 1 : perft_from(position, depth, rules);
}

}  // namespace gounki
