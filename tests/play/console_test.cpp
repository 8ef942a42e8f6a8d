#include "play/console.h"

#include <cstdlib>
#include <string>

#include <catch2/catch.hpp>

using namespace gounki::play;
using namespace std::chrono_literals;

namespace {

// What was written so far to a stream in memory.
class Memory {
 public:
  Memory() : file_(::open_memstream(&text_, &size_)) {}
  ~Memory() {
    std::fclose(file_);
    std::free(text_);
  }
  std::FILE* file() { return file_; }
  std::string text() {
    std::fflush(file_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

constexpr Console::Clock::time_point kStart{};

}  // namespace

TEST_CASE("durations and counts read well") {
  CHECK(duration_text(0.2) == "0 s");
  CHECK(duration_text(59.4) == "59 s");
  CHECK(duration_text(200) == "3 min 20 s");
  CHECK(duration_text(3600 * 2 + 300) == "2 h 5 min");
  CHECK(duration_text(-1) == "0 s");
  CHECK(count_text(0) == "0");
  CHECK(count_text(842) == "842");
  CHECK(count_text(12345) == "12.3 k");
  CHECK(count_text(5.24e6) == "5.24 M");
  CHECK(count_text(3e9) == "3 G");
  CHECK(progress_text("match", 10, 40, "games", 5) == "match: 10 of 40 games, 2/s, 15 s left");
  CHECK(progress_text("match", 0, 40, "games", 0) == "match: 0 of 40 games, 0/s");
}

TEST_CASE("in a file progress is a line a minute") {
  Memory memory;
  Console console(memory.file(), false, kStart);
  for (int second = 0; second <= 150; ++second)
    console.progress("at " + std::to_string(second), kStart + second * 1s);
  CHECK(memory.text() == "at 60\nat 120\n");
}

TEST_CASE("on a terminal progress is one line that updates, after two seconds") {
  Memory memory;
  {
    Console console(memory.file(), true, kStart);
    console.progress("early", kStart + 1s);
    CHECK(memory.text().empty());
    console.progress("first", kStart + 2s);
    console.progress("too soon", kStart + 2100ms);
    console.progress("second", kStart + 2200ms);
    CHECK(memory.text() == "\r\x1b[Kfirst\r\x1b[Ksecond");
    console.log("news");
    CHECK(memory.text() == "\r\x1b[Kfirst\r\x1b[Ksecond\r\x1b[Knews\n");
    console.progress("third", kStart + 3s);
  }
  INFO("the progress goes when the work ends");
  CHECK(memory.text().substr(memory.text().size() - 4) == "\r\x1b[K");
}

TEST_CASE("a progress line does not wrap") {
  Memory memory;
  Console console(memory.file(), true, kStart);
  console.progress(std::string(500, 'x'), kStart + 2s);
  CHECK(memory.text().size() < 100);
}
