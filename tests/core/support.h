// What several tests of core need: golden files, positions to try things on, folders of their own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/position.h"
#include "core/random.h"
#include "tests/temporary_folder.h"

namespace gounki::test {

// How much to do of what a release build does in full: a tenth in a debug build, which is what
// sanitizers slow down.
constexpr int share_of(int count) {
#ifdef NDEBUG
  return count;
#else
  return count / 10;
#endif
}

std::string golden_path(const std::string& name);

// The fields of the lines of a golden file, split at " | "; comments are left out.
std::vector<std::vector<std::string>> golden_rows(const std::string& name);

// The position of a text that must be right.
Position position_of(std::string_view text);

// A legal position that no game need lead to: any number of stacks, of any kind, anywhere. A third
// of them crowd the edges, a third the last ranks before the exit.
Position random_position(Rng& rng);

// The positions of random games from the start, until `count` of them.
std::vector<Position> random_walk_positions(Rng& rng, int count);

// `text` with a few bytes changed, dropped, doubled or swapped for pieces of itself.
std::string mutated(std::string text, Rng& rng);
std::string random_bytes(Rng& rng, int longest);

using testing::TemporaryFolder;

}  // namespace gounki::test
