#include "play/version.h"

#include <spdlog/fmt/fmt.h>

namespace gounki::play {

std::string version_text() {
#ifdef __AVX2__
  constexpr const char* kInstructions = "AVX2";
#else
  constexpr const char* kInstructions = "baseline instructions";
#endif
  return fmt::format("gounki {}\n{} build by {}, {}", GOUNKI_VERSION, GOUNKI_BUILD_TYPE,
                     GOUNKI_COMPILER, kInstructions);
}

}  // namespace gounki::play
