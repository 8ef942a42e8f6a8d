#include "nn/cpu/choice.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "nn/cpu/cpu_network.h"
#include "nn/network_speed.h"
#include "nn_test_helpers.h"

using namespace gounki;
using namespace gounki::nn;
using cpu::KernelChoices;

namespace {

const Checkpoint& small() {
  static const Checkpoint checkpoint =
      random_checkpoint({.blocks = 1, .channels = 8, .value_channels = 2, .value_hidden = 8}, 1);
  return checkpoint;
}

// Sets a variable of the environment while it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

// Whether there are kernels to choose from, besides the portable ones.
bool several() { return cpu::usable_kernels().size() > 2; }

}  // namespace

TEST_CASE("a choice is remembered from one process to the next") {
  if (!several()) return;
  const test::TemporaryFolder folder;
  const auto file = folder / "deep" / "kernels.json";
  const cpu::Kernels& chosen = KernelChoices(file).choose(small());
  const auto written = nlohmann::json::parse(read_file(file));
  REQUIRE(written.size() == 1);
  CHECK_THAT(written.begin().key(), Catch::Contains("\"channels\":8") && Catch::Contains("kernels 1"));
  CHECK(&KernelChoices(file).choose(small()) == &chosen);

  // What the file says goes, whatever a trial would say.
  for (const cpu::Kernels& kernels : cpu::usable_kernels()) {
    KernelChoices(file).remember(small().network, kernels);
    CHECK(&KernelChoices(file).choose(small()) == &kernels);
  }
  // Other shapes are other choices, and stand beside it.
  KernelChoices(file).choose(random_checkpoint({.blocks = 2, .channels = 8}, 1));
  CHECK(nlohmann::json::parse(read_file(file)).size() == 2);
  CHECK(&KernelChoices(file).choose(small()) == &cpu::usable_kernels().back());
}

TEST_CASE("a file that is damaged is as good as none") {
  if (!several()) return;
  const test::TemporaryFolder folder;
  const auto file = folder / "kernels.json";
  KernelChoices(file).choose(small());
  const std::string key = nlohmann::json::parse(read_file(file)).begin().key();
  for (const std::string& text :
       {std::string("{\"half"), std::string("[1]"), std::string(), std::string("\xff\xfe"),
        nlohmann::json{{key, 3}}.dump(), nlohmann::json{{key, "avx9000"}}.dump()}) {
    std::ofstream(file) << text;
    CHECK_NOTHROW(KernelChoices(file).choose(small()));
    CHECK(nlohmann::json::parse(read_file(file))[key].is_string());
  }
}

TEST_CASE("a file that cannot be written is as good as none") {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "plain") << "a file, so no folder";
  for (const std::filesystem::path& file :
       {folder / "plain" / "kernels.json", std::filesystem::path("/proc/no/kernels.json"),
        std::filesystem::path()}) {
    KernelChoices choices(file);
    const cpu::Kernels& chosen = choices.choose(small());
    CHECK(&choices.choose(small()) == &chosen);  // the process remembers
  }
}

TEST_CASE("the environment forces kernels") {
  const test::TemporaryFolder folder;
  const auto file = folder / "kernels.json";
  {
    const Variable forced(cpu::kKernelsVariable, "portable");
    CHECK(KernelChoices(file).choose(small()).name == std::string("portable"));
    CHECK_FALSE(std::filesystem::exists(file));
  }
  const Variable forced(cpu::kKernelsVariable, "sse9");
  CHECK_THROWS_WITH(KernelChoices(file).choose(small()),
                    Catch::Contains("GOUNKI_KERNELS is \"sse9\"") && Catch::Contains("portable"));
}

TEST_CASE("where choices are remembered") {
  const Variable home("HOME", "/home/me");
  {
    const Variable cache("XDG_CACHE_HOME", "/cache");
    CHECK(cpu::kernel_choices_path() == "/cache/gounki/kernels.json");
  }
  const Variable cache("XDG_CACHE_HOME", "");
  CHECK(cpu::kernel_choices_path() == "/home/me/.cache/gounki/kernels.json");
  const Variable no_home("HOME", "");
  CHECK(cpu::kernel_choices_path().empty());
}
