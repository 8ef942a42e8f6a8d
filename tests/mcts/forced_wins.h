// The positions of tests/golden/forced_wins.txt, whose forced wins are known.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace gounki::mcts::testing {

struct ForcedWin {
  std::string position;
  int plies = 0;
  std::vector<std::string> moves;
};

inline std::vector<ForcedWin> forced_wins() {
  std::ifstream file(std::string(GOUNKI_GOLDEN) + "/forced_wins.txt");
  std::vector<ForcedWin> out;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto bar = line.find(" | "), second = line.find(" | ", bar + 3);
    ForcedWin win{line.substr(0, bar), std::stoi(line.substr(bar + 3)), {}};
    std::istringstream moves(line.substr(second + 3));
    for (std::string move; moves >> move;) win.moves.push_back(move);
    out.push_back(win);
  }
  REQUIRE(out.size() > 50);
  return out;
}

}  // namespace gounki::mcts::testing
