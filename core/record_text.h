// What the reader and the writer of game records share.
#pragma once

#include <string>
#include <string_view>

#include "core/error.h"
#include "core/movegen.h"

namespace gounki {

// The value of a Rules tag: what is switched off, with commas between.
std::string to_rules_tag(const Rules& rules);
Expected<Rules> parse_rules_tag(std::string_view value);

}  // namespace gounki
