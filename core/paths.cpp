#include "core/paths.h"

namespace gounki {
namespace {

// Adds a run of `steps` landings to `out`; false when the run cannot be walked.
bool walk(Direction direction, int steps, Square from, Landings& out) {
  const Path& path = path_from(direction, from);
  for (int i = 0; i < steps; ++i) {
    if (!path[i].exists()) return false;
    out.add(path[i]);
    if (path[i].is_out()) return true;
  }
  return true;
}

Landings move_landing(Move move, Stack stack) {
  const Template how = move.how();
  if (how.steps() > (how.rounds_first() ? stack.rounds() : stack.squares())) return {};
  Landings way, last;
  if (!walk(how.first(), how.steps(), move.from(), way)) return {};
  if (way.size() < how.steps()) return {};  // it would have left the board before
  last.add(way.back());
  return last;
}

Landings deployment_landings(Move move, Stack stack) {
  const Template how = move.how();
  if (stack.size() < 2) return {};
  const bool two_kinds = stack.squares() > 0 && stack.rounds() > 0;
  if (two_kinds != how.has_second_run()) return {};
  const int first_steps = how.rounds_first() ? stack.rounds() : stack.squares();
  if (first_steps == 0) return {};

  Landings out;
  if (!walk(how.first(), first_steps, move.from(), out)) return {};
  if (out[0].is_out()) return {};  // the same thing as the move to OUT
  if (!two_kinds || out.exits()) return out;
  if (!walk(how.second(), stack.size() - first_steps, out.back().square(), out)) return {};
  return out;
}

}  // namespace

Landings landings(Move move, Stack stack) {
  return move.how().deploys() ? deployment_landings(move, stack) : move_landing(move, stack);
}

}  // namespace gounki
