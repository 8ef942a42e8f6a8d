#include "program.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <stdlib.h>
#include <sys/wait.h>

#include "core/files.h"

namespace gounki::play {

namespace fs = std::filesystem;

Ran shell(const std::string& command, const std::string& input) {
  const TemporaryFolder folder;
  std::ofstream(folder / "in") << input;
  std::ofstream(folder / "script") << "gounki='" GOUNKI_PROGRAM "'\ngolden='" GOUNKI_GOLDEN "'\n"
                                   << command << '\n';
  const std::string base = folder.path().string();
  const int raw = std::system(("exec bash '" + base + "/script' <'" + base + "/in' >'" + base +
                               "/out' 2>'" + base + "/err'")
                                  .c_str());
  Ran ran;
  ran.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  ran.out = read_file(folder / "out");
  ran.err = read_file(folder / "err");
  return ran;
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const auto start = text.rfind('\n', end);
  return text.substr(start == std::string::npos ? 0 : start + 1,
                     end - (start == std::string::npos ? 0 : start + 1) + 1);
}

int count_lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace gounki::play
