#include "core/position.h"

#include <array>
#include <string>

#include "core/paths.h"
#include "core/random.h"

namespace gounki {
namespace {

// Zobrist keys: one for each owner, stack and absolute square, and one for Black to move.
struct HashKeys {
  std::array<std::array<std::array<std::uint64_t, 64>, 16>, 2> stack{};
  std::uint64_t black_to_move = 0;
};

constexpr HashKeys make_hash_keys() {
  HashKeys keys;
  std::uint64_t state = 0x676f756e6b69;  // "gounki"
  for (auto& owner : keys.stack)
    for (int code = 1; code < 16; ++code)
      for (auto& key : owner[code]) key = splitmix64(state);
  keys.black_to_move = splitmix64(state);
  return keys;
}
constexpr HashKeys kKeys = make_hash_keys();

std::uint64_t key(Side owner, Stack stack, Square absolute) {
  return kKeys.stack[static_cast<int>(owner)][stack.code()][absolute.index()];
}

// Counts on, and stays at the most that a counter holds.
std::uint16_t one_more(std::uint16_t counter) {
  return counter == 0xFFFF ? counter : static_cast<std::uint16_t>(counter + 1);
}

// Sets bit 0 and bit 1 of `n` at `square` in two planes.
void set_count(Bitboard square, int n, Bitboard& low, Bitboard& high) {
  low = n & 1 ? low | square : low & ~square;
  high = n & 2 ? high | square : high & ~square;
}

}  // namespace

Position Position::start() {
  Position position;
  for (int file = 0; file < 8; ++file) {
    for (const auto& [rank, side] : {std::pair{0, Side::White}, std::pair{1, Side::White},
                                    std::pair{6, Side::Black}, std::pair{7, Side::Black}}) {
      const bool dark = (file + rank) % 2 == 0;
      position.put(Square(file, rank), side, dark ? Stack(1, 0) : Stack(0, 1));
    }
  }
  return position;
}

Stack Position::stack_on(Square seen) const {
  const int i = seen.index();
  const auto bit = [i](Bitboard b) { return static_cast<int>(b.bits() >> i & 1); };
  return Stack::from_code(bit(squares_low_) | bit(squares_high_) << 1 | bit(rounds_low_) << 2 |
                          bit(rounds_high_) << 3);
}

bool Position::same_board(const Position& o) const {
  return hash_ == o.hash_ && side_ == o.side_ && own_ == o.own_ && enemy_ == o.enemy_ &&
         squares_low_ == o.squares_low_ && squares_high_ == o.squares_high_ &&
         rounds_low_ == o.rounds_low_ && rounds_high_ == o.rounds_high_;
}

void Position::set_stack(Square seen, Side owner, Stack stack) {
  const Bitboard square(seen);
  const Square absolute = seen.seen_by(side_);
  const Stack before = stack_on(seen);
  if (!before.empty()) hash_ ^= key(own_.contains(seen) ? side_ : ~side_, before, absolute);
  if (!stack.empty()) hash_ ^= key(owner, stack, absolute);

  set_count(square, stack.squares(), squares_low_, squares_high_);
  set_count(square, stack.rounds(), rounds_low_, rounds_high_);
  own_ &= ~square;
  enemy_ &= ~square;
  if (!stack.empty()) (owner == side_ ? own_ : enemy_) |= square;
}

void Position::flip() {
  for (Bitboard* board : {&squares_low_, &squares_high_, &rounds_low_, &rounds_high_, &own_, &enemy_})
    *board = board->flipped();
  std::swap(own_, enemy_);
  side_ = ~side_;
  hash_ ^= kKeys.black_to_move;
}

Position Position::after(Move move) const {
  Position next = *this;
  const Square from = move.from();
  const Stack stack = stack_on(from);
  const Landings landed = landings(move, stack);
  bool quiet = true;

  next.set_stack(from, side_, Stack());
  if (!move.how().deploys()) {
    const Landing to = landed[0];
    if (to.on_board()) {
      const bool captures = enemy_.contains(to.square());
      const Stack there = captures ? Stack() : next.stack_on(to.square());
      next.set_stack(to.square(), side_, stack + there);
      quiet = !captures && to.square().rank() == from.rank();
    }
  } else {
    int rounds_left = move.how().rounds_first() ? stack.rounds() : 0;
    int squares_left = stack.squares();
    for (const Landing landing : landed) {
      const bool round = rounds_left > 0 || squares_left == 0;
      --(round ? rounds_left : squares_left);
      if (landing.is_out()) break;
      const Stack piece = round ? Stack(0, 1) : Stack(1, 0);
      next.set_stack(landing.square(), side_, next.stack_on(landing.square()) + piece);
      quiet = quiet && landing.square().rank() == from.rank();
    }
  }
  if (landed.exits()) {
    next.exited_ = true;
    quiet = false;
  }
  next.quiet_ = quiet ? one_more(quiet_) : std::uint16_t{0};
  next.ply_ = one_more(ply_);
  next.flip();
  return next;
}

Position Position::mirrored() const {
  Position out = *this;
  for (Bitboard* board :
       {&out.squares_low_, &out.squares_high_, &out.rounds_low_, &out.rounds_high_, &out.own_,
        &out.enemy_})
    *board = board->mirrored();
  out.hash_ = out.computed_hash();
  return out;
}

void Position::put(Square absolute, Side owner, Stack stack) {
  set_stack(absolute.seen_by(side_), owner, stack);
}

void Position::set_side_to_move(Side side) {
  if (side != side_) flip();
}

void Position::set_counters(int quiet_plies, int ply) {
  quiet_ = static_cast<std::uint16_t>(quiet_plies);
  ply_ = static_cast<std::uint16_t>(ply);
}

std::uint64_t Position::computed_hash() const {
  std::uint64_t hash = side_ == Side::Black ? kKeys.black_to_move : 0;
  for (const Square seen : own_) hash ^= key(side_, stack_on(seen), seen.seen_by(side_));
  for (const Square seen : enemy_) hash ^= key(~side_, stack_on(seen), seen.seen_by(side_));
  return hash;
}

Expected<void> Position::validate() const {
  if (!(own_ & enemy_).empty()) return fail("a square belongs to both sides");
  for (const Square seen : Bitboard::all()) {
    const int size = stack_on(seen).size();
    if (occupied().contains(seen) ? size < 1 || size > 3 : size != 0)
      return fail("a stack holds 1 to 3 pieces");
  }
  for (const auto& [stacks, side] : {std::pair{own_, side_}, std::pair{enemy_, ~side_}}) {
    int pieces = 0;
    for (const Square seen : stacks) pieces += stack_on(seen).size();
    if (pieces > kMaxPieces)
      return fail(std::string(side == Side::White ? "White" : "Black") + " has " +
                  std::to_string(pieces) + " pieces, at most " + std::to_string(kMaxPieces) +
                  " are allowed");
  }
  if (enemy_.empty() && !exited_)
    return fail(std::string(side_ == Side::White ? "Black" : "White") +
                ", who is not to move, has no stack: the game had ended before");
  if (hash_ != computed_hash()) return fail("the hash does not match the board");
  return {};
}

}  // namespace gounki
