#include "core/files.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "support.h"

using namespace gounki;
using namespace gounki::test;

namespace {

template <class Action>
std::string failure_of(Action action) {
  try {
    action();
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "(done)";
}

// A text of which every byte says which version it is; versions differ in length too.
std::string version(int number) {
  const std::string line = "version " + std::to_string(number) + "\n";
  std::string text;
  for (int i = 0; i < 2000 + number % 7 * 1000; ++i) text += line;
  return text;
}

}  // namespace

TEST_CASE("what is written can be read, whatever the bytes") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "file";
  Rng rng(61);
  for (const std::string& bytes :
       {std::string(), std::string("text\n"), std::string(1, '\0'), random_bytes(rng, 300'000)}) {
    write_file_atomically(path, bytes);
    CHECK(read_file(path) == bytes);
    CHECK(folder.names() == std::vector<std::string>{"file"});
  }
}

TEST_CASE("a name without a folder is a file here") {
  const TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_file_atomically("here", "text");
  CHECK(read_file("here") == "text");
  std::filesystem::current_path(before);
}

TEST_CASE("what fails names the file and the reason, and leaves nothing behind") {
  const TemporaryFolder folder;
  const std::string name = folder.path().string();
  CHECK(failure_of([&] { read_file(name + "/none"); }) ==
        "cannot read " + name + "/none: No such file or directory");
  CHECK(failure_of([&] { read_file(name); }) == "cannot read " + name + ": Is a directory");
  CHECK(failure_of([&] { write_file_atomically(name + "/no/file", "x"); }) ==
        "cannot write " + name + "/no/file: No such file or directory");

  std::filesystem::create_directory(name + "/folder");
  CHECK(failure_of([&] { write_file_atomically(name + "/folder", "x"); }) ==
        "cannot write " + name + "/folder: Is a directory");
  write_file_atomically(name + "/file", "x");
  CHECK(failure_of([&] { write_file_atomically(name + "/file/inside", "x"); }) ==
        "cannot write " + name + "/file/inside: Not a directory");
  CHECK(folder.names().size() == 2);
}

TEST_CASE("a device or a pipe is not replaced by a file") {
  TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(failure_of([&] { write_file_atomically(pipe, "text"); }) ==
        "cannot write " + pipe + ": it is there and no ordinary file");
  CHECK(std::filesystem::is_fifo(pipe));
}

TEST_CASE("a write that runs out of room leaves the old file and no part of the new one") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "file";
  write_file_atomically(path, "the old one");

  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string failure =
      failure_of([&] { write_file_atomically(path, std::string(5000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);

  CHECK(failure == "cannot write " + path.string() + ": File too large");
  CHECK(read_file(path) == "the old one");
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("a file left by a killed writer of the same process id is no obstacle") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "file";
  std::ofstream(path.string() + ".tmp" + std::to_string(getpid())) << std::string(1000, 'o');
  write_file_atomically(path, "new");
  CHECK(read_file(path) == "new");
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("a reader sees a whole version whenever the writer is killed") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "file";
  write_file_atomically(path, version(0));
  Rng rng(62);
  int latest = 0;
  for (int round = 0; round < 30; ++round) {
    int written[2];
    REQUIRE(pipe(written) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      for (int number = latest + 1;; ++number) {
        write_file_atomically(path, version(number));
        if (write(written[1], "!", 1) != 1) _exit(1);
      }
    }
    close(written[1]);
    // Every other round the kill may also hit the first write.
    char byte = 0;
    if (round % 2 == 0) REQUIRE(read(written[0], &byte, 1) == 1);
    usleep(static_cast<useconds_t>(rng.below(20'000)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(written[0]);

    const std::string text = read_file(path);
    const int seen = std::stoi(text.substr(8));
    REQUIRE(text == version(seen));
    REQUIRE(seen >= latest + (round % 2 == 0));
    latest = seen;
  }
}
