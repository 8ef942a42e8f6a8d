// What pages and drawings share.
#pragma once

#include <string>
#include <string_view>

namespace gounki::play {

// The text as the content of an element or of a quoted attribute, in HTML and in XML alike. Control
// characters, which XML cannot hold, become U+FFFD.
std::string escaped(std::string_view text);

// At most so many characters (not bytes) of the text; what is left out of its middle is "…".
std::string shortened(const std::string& text, int characters);

}  // namespace gounki::play
