// Moves as the policy index names them: a square to start from and one of 32 templates.
#pragma once

#include <array>
#include <cstdint>

#include "core/types.h"

namespace gounki {

// The direction that a run of steps starts with, as its mover sees it.
enum class Direction : std::uint8_t { Forward, Left, Right, ForwardLeft, ForwardRight };

// How a stack moves or deploys (rules.md, "The policy index"). A template names no square and no
// stack, so it is one of 32 planes of a policy.
class Template {
 public:
  static constexpr int kCount = 32;

  constexpr Template() = default;
  constexpr explicit Template(int index) : index_(static_cast<std::uint8_t>(index)) {
    assert(index >= 0 && index < kCount);
  }
  static constexpr Template move(Direction direction, int steps) {
    return Template(static_cast<int>(direction) * 3 + steps - 1);
  }

  constexpr int index() const { return index_; }
  constexpr bool deploys() const { return index_ >= 15; }
  // The direction of the first run.
  constexpr Direction first() const { return kInfo[index_].first; }
  // The direction of the second run; only for templates with two runs.
  constexpr Direction second() const { return kInfo[index_].second; }
  constexpr bool has_second_run() const { return index_ >= 20; }
  // Steps of a move; 0 for deployments, whose steps follow from the stack.
  constexpr int steps() const { return kInfo[index_].steps; }
  // Whether the first run uses the rounds (and goes diagonally).
  constexpr bool rounds_first() const { return first() >= Direction::ForwardLeft; }

  constexpr Template mirrored() const { return Template(kMirror[index_]); }

  constexpr auto operator<=>(const Template&) const = default;

 private:
  struct Info { Direction first, second; std::uint8_t steps; };
  static const std::array<Info, kCount> kInfo;
  static const std::array<std::uint8_t, kCount> kMirror;

  std::uint8_t index_ = 0;
};

namespace detail {
inline constexpr auto F = Direction::Forward, L = Direction::Left, R = Direction::Right,
                      FL = Direction::ForwardLeft, FR = Direction::ForwardRight;
}
inline constexpr std::array<Template::Info, Template::kCount> Template::kInfo{{
    {detail::F, detail::F, 1},   {detail::F, detail::F, 2},   {detail::F, detail::F, 3},
    {detail::L, detail::L, 1},   {detail::L, detail::L, 2},   {detail::L, detail::L, 3},
    {detail::R, detail::R, 1},   {detail::R, detail::R, 2},   {detail::R, detail::R, 3},
    {detail::FL, detail::FL, 1}, {detail::FL, detail::FL, 2}, {detail::FL, detail::FL, 3},
    {detail::FR, detail::FR, 1}, {detail::FR, detail::FR, 2}, {detail::FR, detail::FR, 3},
    {detail::F, detail::F, 0},   {detail::L, detail::L, 0},   {detail::R, detail::R, 0},
    {detail::FL, detail::FL, 0}, {detail::FR, detail::FR, 0},
    {detail::FL, detail::F, 0},  {detail::FL, detail::L, 0},  {detail::FL, detail::R, 0},
    {detail::FR, detail::F, 0},  {detail::FR, detail::L, 0},  {detail::FR, detail::R, 0},
    {detail::F, detail::FL, 0},  {detail::F, detail::FR, 0},  {detail::L, detail::FL, 0},
    {detail::L, detail::FR, 0},  {detail::R, detail::FL, 0},  {detail::R, detail::FR, 0},
}};
inline constexpr std::array<std::uint8_t, Template::kCount> Template::kMirror{
    0,  1,  2,  6,  7,  8,  3,  4,  5,  12, 13, 14, 9,  10, 11, 15,
    17, 16, 19, 18, 23, 25, 24, 20, 22, 21, 27, 26, 31, 30, 29, 28};

// A move: the square it starts from, as the mover sees it, and a template. Its 16 bits are its
// policy index, from * 32 + template, so 0 … 2047. Which squares it lands on follows from the stack
// that stands on `from` (see core/paths.h).
class Move {
 public:
  static constexpr int kIndices = 64 * Template::kCount;

  constexpr Move() = default;
  constexpr Move(Square from_seen_by_mover, Template how)
      : index_(static_cast<std::uint16_t>(from_seen_by_mover.index() * Template::kCount +
                                          how.index())) {}
  static constexpr Move from_index(int index) {
    return Move(Square(index / Template::kCount), Template(index % Template::kCount));
  }

  constexpr int index() const { return index_; }
  constexpr Square from() const { return Square(index_ / Template::kCount); }
  constexpr Template how() const { return Template(index_ % Template::kCount); }
  constexpr Move mirrored() const { return Move(from().mirrored(), how().mirrored()); }

  constexpr auto operator<=>(const Move&) const = default;

 private:
  std::uint16_t index_ = 0;
};

static_assert(sizeof(Move) == 2);
static_assert(Template::move(Direction::ForwardRight, 3).index() == 14);
static_assert(Template(24).mirrored() == Template(22) && Template(28).mirrored() == Template(31));

}  // namespace gounki
