// What this build is.
#pragma once

#include <string>

namespace gounki::play {

// "gounki 0.1.0", and how it was built.
std::string version_text();

}  // namespace gounki::play
