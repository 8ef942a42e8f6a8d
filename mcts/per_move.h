// A list with a place for each legal move of a position.
#pragma once

#include "core/fixed_list.h"
#include "core/movegen.h"

namespace gounki::mcts {

template <class T>
using PerMove = FixedList<T, MoveList::kCapacity>;

}  // namespace gounki::mcts
