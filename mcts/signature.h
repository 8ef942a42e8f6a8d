// One number for the behaviour of the search: it changes when the search does and not otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "mcts/search.h"

namespace gounki::mcts {

// One of the searches that make the signature.
struct SignaturePart {
  std::string algorithm;
  std::string position;
  SearchResult result;
  std::int64_t count = 0;  // what it adds to the signature
};

// Searches fixed positions by both algorithms with the hash evaluator, and counts nodes and visits.
// `on_search` hears of each search when it is done.
std::int64_t search_signature(const std::function<void(const SignaturePart&)>& on_search = {});

}  // namespace gounki::mcts
