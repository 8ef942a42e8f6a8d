#include "nn/encoder.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "core/notation.h"
#include "nn_test_helpers.h"

using namespace gounki;
using namespace gounki::nn;

namespace {

using Planes = std::array<float, kInputSize>;

Planes encoded(const Position& position, int repetitions = 0) {
  Planes planes;
  planes.fill(-1.0f);  // every value must be written
  encode(position, repetitions, planes);
  return planes;
}

// A plane as the golden file writes it.
std::string plane_text(const Planes& planes, int plane) {
  const auto first = planes.begin() + plane * kPlaneSize, last = first + kPlaneSize;
  std::ostringstream text;
  text << "plane " << plane << ":";
  if (plane >= 12) {
    REQUIRE(std::all_of(first, last, [&](float x) { return x == *first; }));
    text << " all " << *first;
    return text.str();
  }
  for (int square = 0; square < kPlaneSize; ++square) {
    REQUIRE((first[square] == 0.0f || first[square] == 1.0f));
    if (first[square] == 1.0f) text << " " << to_string(Square(square));
  }
  return text.str();
}

struct GoldenCase {
  std::string position;
  int repetitions = 0;
  std::vector<std::string> planes;
};

std::vector<GoldenCase> golden_cases() {
  std::ifstream file(GOUNKI_GOLDEN "/encoder.txt");
  std::vector<GoldenCase> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("position ")) cases.push_back({line.substr(9), 0, {}});
    if (line.starts_with("repetitions ")) cases.back().repetitions = std::stoi(line.substr(12));
    if (line.starts_with("plane ")) cases.back().planes.push_back(line);
  }
  return cases;
}

Planes mirrored(const Planes& planes) {
  Planes out;
  for (int i = 0; i < kInputSize; ++i)
    out[i / 64 * 64 + Square(i % 64).mirrored().index()] = planes[i];
  return out;
}

// The same position with the colours of all stacks and the side to move changed, upside down.
Position with_colours_changed(const Position& position) {
  Position out;
  for (int i = 0; i < 64; ++i) {
    const Square square(i);
    for (const Side side : {Side::White, Side::Black})
      if (position.has_stack_of(side, square))
        out.put(square.flipped(), ~side, position.stack_at(square));
  }
  out.set_side_to_move(~position.side_to_move());
  out.set_counters(position.quiet_plies(), position.ply());
  return out;
}

}  // namespace

TEST_CASE("planes are those of the golden file") {
  const auto cases = golden_cases();
  REQUIRE(cases.size() == 6);
  for (const GoldenCase& golden : cases) {
    INFO(golden.position);
    const auto position = parse_position(golden.position);
    REQUIRE(position);
    const Planes planes = encoded(*position, golden.repetitions);
    REQUIRE(golden.planes.size() == kPlanes);
    for (int plane = 0; plane < kPlanes; ++plane)
      CHECK(plane_text(planes, plane) == golden.planes[plane]);
  }
}

TEST_CASE("a mirrored position has mirrored planes") {
  for (const Game& game : test::random_games(200, 1))
    CHECK(encoded(game.position().mirrored(), game.repetitions()) ==
          mirrored(encoded(game.position(), game.repetitions())));
}

TEST_CASE("planes do not depend on who is White") {
  for (const Game& game : test::random_games(200, 2))
    CHECK(encoded(with_colours_changed(game.position())) == encoded(game.position()));
}
