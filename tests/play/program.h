// Runs the built program as a user would.
#pragma once

#include <string>

#include "tests/temporary_folder.h"

namespace gounki::play {

struct Ran {
  int status = -1;  // the exit status; 128 + n when signal n ended it
  std::string out, err;
};

// A shell command in which $gounki is the program and $golden the folder of golden files; `input` is
// its standard input.
Ran shell(const std::string& command, const std::string& input = "");
// The program with these arguments, as a shell reads them.
inline Ran gounki_program(const std::string& arguments, const std::string& input = "") {
  return shell("\"$gounki\" " + arguments, input);
}

using testing::TemporaryFolder;

std::string last_line(const std::string& text);
int count_lines(const std::string& text);

}  // namespace gounki::play
