// The vocabulary of the board: sides, squares, sets of squares and stacks. Nothing here knows a rule.
#pragma once

#include <bit>
#include <cassert>
#include <compare>
#include <cstdint>

namespace gounki {

enum class Side : std::uint8_t { White, Black };

constexpr Side operator~(Side side) { return side == Side::White ? Side::Black : Side::White; }

// A square of the board: file (0 = a … 7 = h) + 8 * rank (0 = rank 1 … 7 = rank 8).
class Square {
 public:
  constexpr Square() = default;
  constexpr explicit Square(int index) : index_(static_cast<std::uint8_t>(index)) {
    assert(index >= 0 && index < 64);
  }
  constexpr Square(int file, int rank) : Square(file + 8 * rank) {}

  constexpr int index() const { return index_; }
  constexpr int file() const { return index_ & 7; }
  constexpr int rank() const { return index_ >> 3; }

  // The same square on a board whose ranks are flipped (what the other side sees).
  constexpr Square flipped() const { return Square(index_ ^ 56); }
  // The same square on a board mirrored a<->h.
  constexpr Square mirrored() const { return Square(index_ ^ 7); }
  // Turns a square seen by `mover`, who always goes up the ranks, into an absolute one, or back.
  constexpr Square seen_by(Side mover) const { return mover == Side::White ? *this : flipped(); }

  constexpr auto operator<=>(const Square&) const = default;

 private:
  std::uint8_t index_ = 0;
};

// A set of squares; bit i is the square of index i.
class Bitboard {
 public:
  constexpr Bitboard() = default;
  constexpr explicit Bitboard(std::uint64_t bits) : bits_(bits) {}
  constexpr explicit Bitboard(Square square) : bits_(std::uint64_t{1} << square.index()) {}

  static constexpr Bitboard all() { return Bitboard(~std::uint64_t{0}); }
  static constexpr Bitboard file(int file) { return Bitboard(0x0101010101010101ULL << file); }
  static constexpr Bitboard rank(int rank) { return Bitboard(0xFFULL << (8 * rank)); }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int count() const { return std::popcount(bits_); }
  constexpr bool contains(Square square) const { return (bits_ >> square.index()) & 1; }
  constexpr Square first() const { return Square(std::countr_zero(bits_)); }

  // The board with its ranks flipped.
  constexpr Bitboard flipped() const { return Bitboard(__builtin_bswap64(bits_)); }
  // The board mirrored a<->h: the bits of every byte reversed.
  constexpr Bitboard mirrored() const {
    std::uint64_t b = bits_;
    b = ((b >> 1) & 0x5555555555555555ULL) | ((b & 0x5555555555555555ULL) << 1);
    b = ((b >> 2) & 0x3333333333333333ULL) | ((b & 0x3333333333333333ULL) << 2);
    b = ((b >> 4) & 0x0F0F0F0F0F0F0F0FULL) | ((b & 0x0F0F0F0F0F0F0F0FULL) << 4);
    return Bitboard(b);
  }
  // Every square moved by `offset` indices; what leaves the 64 squares is dropped.
  constexpr Bitboard shifted(int offset) const {
    return Bitboard(offset >= 0 ? bits_ << offset : bits_ >> -offset);
  }

  constexpr Bitboard operator&(Bitboard o) const { return Bitboard(bits_ & o.bits_); }
  constexpr Bitboard operator|(Bitboard o) const { return Bitboard(bits_ | o.bits_); }
  constexpr Bitboard operator^(Bitboard o) const { return Bitboard(bits_ ^ o.bits_); }
  constexpr Bitboard operator~() const { return Bitboard(~bits_); }
  constexpr Bitboard& operator&=(Bitboard o) { bits_ &= o.bits_; return *this; }
  constexpr Bitboard& operator|=(Bitboard o) { bits_ |= o.bits_; return *this; }
  constexpr Bitboard& operator^=(Bitboard o) { bits_ ^= o.bits_; return *this; }
  constexpr bool operator==(const Bitboard&) const = default;

  // Iterates over the squares, lowest index first.
  class Iterator {
   public:
    constexpr explicit Iterator(std::uint64_t bits) : bits_(bits) {}
    constexpr Square operator*() const { return Square(std::countr_zero(bits_)); }
    constexpr Iterator& operator++() { bits_ &= bits_ - 1; return *this; }
    constexpr bool operator!=(const Iterator& o) const { return bits_ != o.bits_; }
   private:
    std::uint64_t bits_;
  };
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  std::uint64_t bits_ = 0;
};

// What stands on a square: how many simple pieces of each form. Their order does not matter.
class Stack {
 public:
  // Bits 0-1: squares, bits 2-3: rounds.
  constexpr Stack() = default;
  constexpr Stack(int squares, int rounds)
      : code_(static_cast<std::uint8_t>(squares | rounds << 2)) {
    assert(squares >= 0 && squares <= 3 && rounds >= 0 && rounds <= 3);
  }
  static constexpr Stack from_code(int code) { return Stack(code & 3, code >> 2 & 3); }

  constexpr int squares() const { return code_ & 3; }
  constexpr int rounds() const { return code_ >> 2; }
  constexpr int size() const { return squares() + rounds(); }
  constexpr bool empty() const { return code_ == 0; }
  constexpr int code() const { return code_; }

  constexpr Stack operator+(Stack o) const {
    return Stack(squares() + o.squares(), rounds() + o.rounds());
  }
  constexpr bool operator==(const Stack&) const = default;

 private:
  std::uint8_t code_ = 0;
};

static_assert(sizeof(Square) == 1 && sizeof(Stack) == 1 && sizeof(Bitboard) == 8);
static_assert(Stack(2, 1).code() == 6 && Stack::from_code(6) == Stack(2, 1));

}  // namespace gounki
