#include "play/line_reader.h"

#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <unistd.h>

using namespace gounki::play;
using Got = LineReader::Got;

namespace {

// A pipe whose ends are closed with it.
struct Pipe {
  Pipe() { REQUIRE(::pipe(ends) == 0); }
  ~Pipe() {
    ::close(ends[0]);
    close_writer();
  }
  void write(const std::string& text) {
    REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void close_writer() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
  int ends[2];
};

const std::atomic<bool> kGoOn = false;

// What a reader of lines up to 5 bytes makes of a text; a line that is too long is "!".
std::vector<std::string> lines_of(const std::vector<std::string>& parts) {
  Pipe pipe;
  LineReader reader(pipe.ends[0], 5);
  std::vector<std::string> lines;
  std::thread writer([&] {
    for (const std::string& part : parts) {
      pipe.write(part);
      std::this_thread::yield();
    }
    pipe.close_writer();
  });
  std::string line;
  for (Got got; (got = reader.next(line, kGoOn)) != Got::End;)
    lines.push_back(got == Got::TooLong ? "!" : line);
  writer.join();
  return lines;
}

}  // namespace

TEST_CASE("lines come whole however they are written") {
  using Lines = std::vector<std::string>;
  CHECK(lines_of({}).empty());
  CHECK(lines_of({"a\nbc\n"}) == Lines{"a", "bc"});
  CHECK(lines_of({"a\nb", "c", "\n"}) == Lines{"a", "bc"});
  CHECK(lines_of({"\n\nabcde"}) == Lines{"", "", "abcde"});
  CHECK(lines_of({std::string("a\0b\n", 4)}) == Lines{std::string("a\0b", 3)});
}

TEST_CASE("a line that is too long is skipped and counts as one") {
  using Lines = std::vector<std::string>;
  CHECK(lines_of({"abcdef\nx\n"}) == Lines{"!", "x"});
  CHECK(lines_of({"a\nabcdefghij", "klm", std::string(200'000, 'n'), "\nx"}) == Lines{"a", "!", "x"});
  CHECK(lines_of({"abcdef"}) == Lines{"!"});
}

TEST_CASE("a reader that is stopped waits no longer") {
  Pipe pipe;
  LineReader reader(pipe.ends[0], 100);
  std::atomic<bool> stop = false;
  std::thread stopper([&] { stop = true; });
  std::string line;
  CHECK(reader.next(line, stop) == Got::End);
  stopper.join();
}
