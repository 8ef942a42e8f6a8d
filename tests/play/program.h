// Runs the built program as a user would.
#pragma once

#include <filesystem>
#include <string>

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

// A new folder that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

std::string last_line(const std::string& text);
int count_lines(const std::string& text);

}  // namespace gounki::play
