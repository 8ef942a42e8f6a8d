#include <cstdlib>
#include <fstream>
#include <thread>

#include <catch2/catch.hpp>
#include <dlfcn.h>
#include <unistd.h>

#include "nn/backend_module.h"
#include "nn/network.h"
#include "nn_test_helpers.h"

using namespace gounki;
using namespace gounki::nn;

TEST_CASE("a module that is not there is named with the places where it was looked for") {
  CHECK_THROWS_WITH(load_backend({"/nowhere/a.so", "/nowhere/b.so"}),
                    Catch::Contains("gounki_torch.so") && Catch::Contains("/nowhere/a.so or /nowhere/b.so") &&
                        Catch::Contains("GOUNKI_TORCH_MODULE"));
}

TEST_CASE("the environment says where the module is") {
  CHECK(backend_places().size() == 2);
  REQUIRE(setenv("GOUNKI_TORCH_MODULE", "/nowhere/special.so", 1) == 0);
  const auto places = backend_places();
  unsetenv("GOUNKI_TORCH_MODULE");
  CHECK(places == std::vector<std::filesystem::path>{"/nowhere/special.so"});
}

TEST_CASE("a file that is no module, or another program's, is refused") {
  const test::TemporaryFolder folder;
  const auto text = folder.path() / "text.so";
  std::ofstream(text) << "not a library";
  CHECK_THROWS_WITH(load_backend({text}), Catch::Contains(text.string()) && Catch::Contains("cannot load"));
  Dl_info c_library;
  REQUIRE(dladdr(reinterpret_cast<void*>(&getpid), &c_library) != 0);
  CHECK_THROWS_WITH(load_backend({c_library.dli_fname}), Catch::Contains("another version"));
}

TEST_CASE("the backend is loaded once, whoever asks first, and says what it is") {
  Backend* seen[4] = {};
  std::vector<std::thread> threads;
  for (Backend*& place : seen) threads.emplace_back([&place] { place = &backend(); });
  for (std::thread& thread : threads) thread.join();
  for (const Backend* place : seen) CHECK(place == &backend());
  CHECK_THAT(backend().description(), Catch::StartsWith("LibTorch "));
  CHECK_THAT(backend().description(), Catch::Contains(backend().gpus() > 0 ? "CUDA, " : "CPU, "));
}
