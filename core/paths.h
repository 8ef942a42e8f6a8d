// The geometry of runs: where a step leads, where a run bounces, where it leaves the board. All as
// the mover sees it, going up the ranks. Nothing here knows what stands on the board.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

#include "core/move.h"
#include "core/types.h"

namespace gounki {

constexpr int rank_step(Direction d) {
  return d == Direction::Left || d == Direction::Right ? 0 : 1;
}
constexpr int file_step(Direction d) {
  switch (d) {
    case Direction::Left: case Direction::ForwardLeft: return -1;
    case Direction::Right: case Direction::ForwardRight: return 1;
    default: return 0;
  }
}

// Where a piece that takes one more step of a run stands: a square, or off the far edge, or nowhere
// because no such step exists.
class Landing {
 public:
  constexpr Landing() = default;
  constexpr explicit Landing(Square square) : code_(static_cast<std::uint8_t>(square.index())) {}
  static constexpr Landing out() { return Landing(kOut); }

  constexpr bool exists() const { return code_ != kNone; }
  constexpr bool is_out() const { return code_ == kOut; }
  constexpr bool on_board() const { return code_ < kOut; }
  constexpr Square square() const { return Square(code_); }
  constexpr bool operator==(const Landing&) const = default;

 private:
  static constexpr std::uint8_t kOut = 64, kNone = 65;
  constexpr explicit Landing(std::uint8_t code) : code_(code) {}
  std::uint8_t code_ = kNone;
};

// The file on which the n-th step (1 … 3) of a run that starts on `file` lands, or -1 when the run
// may not begin because a side edge is in the way. A run that meets the side edge later bounces:
// the sideways part of its direction flips, so files run … 1, 0, 1 … or … 6, 7, 6 ….
constexpr int file_after(Direction d, int file, int n) {
  switch (file_step(d)) {
    case -1: return file == 0 ? -1 : std::abs(file - n);
    case 1: return file == 7 ? -1 : 7 - std::abs(7 - file - n);
    default: return file;
  }
}

// The three landings of a run; after OUT there is none. A first step that passes the far rank exits
// from any file, also where the side edge is in the way of a diagonal.
using Path = std::array<Landing, 3>;

constexpr Path path(Direction d, Square from) {
  Path steps{};
  for (int n = 1; n <= 3; ++n) {
    const int rank = from.rank() + n * rank_step(d);
    if (rank > 7) {
      steps[n - 1] = Landing::out();
      break;
    }
    const int file = file_after(d, from.file(), n);
    if (file < 0) break;
    steps[n - 1] = Landing(Square(file, rank));
  }
  return steps;
}

namespace detail {
constexpr auto make_paths() {
  std::array<std::array<Path, 64>, 5> table{};
  for (int d = 0; d < 5; ++d)
    for (int square = 0; square < 64; ++square)
      table[d][square] = path(static_cast<Direction>(d), Square(square));
  return table;
}
inline constexpr auto kPaths = make_paths();
}  // namespace detail

inline const Path& path_from(Direction d, Square from) {
  return detail::kPaths[static_cast<int>(d)][from.index()];
}

// The squares that a move lands on, in order: one for a move, one for each simple piece of a
// deployment, fewer when the last of them is OUT.
class Landings {
 public:
  constexpr void add(Landing landing) { items_[size_++] = landing; }
  constexpr int size() const { return size_; }
  constexpr const Landing* begin() const { return items_.data(); }
  constexpr const Landing* end() const { return items_.data() + size_; }
  constexpr Landing operator[](int i) const { return items_[i]; }
  constexpr Landing back() const { return items_[size_ - 1]; }
  constexpr bool exits() const { return size_ > 0 && back().is_out(); }
  constexpr bool operator==(const Landings&) const = default;

 private:
  std::array<Landing, 3> items_{};
  std::int8_t size_ = 0;
};

// Where `stack`, standing on move.from(), lands. Empty when the geometry or the stack does not allow
// the template at all; whether the squares of the way allow it is a matter of the rules.
Landings landings(Move move, Stack stack);

}  // namespace gounki
