#include <fstream>

#include <catch2/catch.hpp>

#include "core/files.h"
#include "nn/network.h"
#include "nn/weights.h"
#include "nn_test_helpers.h"

using namespace gounki;
using namespace gounki::nn;
using test::TemporaryFolder;

namespace {

// Right in shape, without LibTorch.
Checkpoint plain_checkpoint() {
  Checkpoint checkpoint;
  checkpoint.network = test::kTiny;
  checkpoint.step = 1234;
  checkpoint.config = "[network]\nblocks = 2\n";
  for (const WeightSpec& spec : weight_specs(checkpoint.network)) {
    Tensor tensor;
    tensor.shape = spec.shape;
    tensor.data.resize(static_cast<std::size_t>(spec.size()) * sizeof(float));
    checkpoint.weights.tensors[spec.name] = std::move(tensor);
  }
  return checkpoint;
}

std::string error_of(const std::filesystem::path& path) {
  const auto checkpoint = load_checkpoint(path);
  return checkpoint ? "" : checkpoint.error().message;
}

}  // namespace

TEST_CASE("a checkpoint saved is the checkpoint loaded") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "net.safetensors";
  const Checkpoint saved = plain_checkpoint();
  save_checkpoint(saved, path);
  const auto loaded = load_checkpoint(path);
  REQUIRE(loaded);
  CHECK(loaded->network == saved.network);
  CHECK(loaded->step == 1234);
  CHECK(loaded->config == saved.config);
  CHECK(loaded->encoder_version == kEncoderVersion);
  CHECK(to_bytes(loaded->weights) == to_bytes(saved.weights));
}

TEST_CASE("a checkpoint that cannot be used says why and which file it is") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "net.safetensors";
  Checkpoint checkpoint = plain_checkpoint();
  std::string expected;

  SECTION("missing") { expected = "net.safetensors"; }
  SECTION("cut short") {
    save_checkpoint(checkpoint, path);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
    expected = "not within";
  }
  SECTION("no safetensors at all") {
    std::ofstream(path) << "hello there, this is text";
    expected = "not a safetensors file";
  }
  SECTION("safetensors of something else") {
    write_file_atomically(path, to_bytes(checkpoint.weights));
    expected = "not a checkpoint of gounki";
  }
  SECTION("another encoder") {
    checkpoint.encoder_version = 99;
    save_checkpoint(checkpoint, path);
    expected = "made for encoder version 99, this program has " + std::to_string(kEncoderVersion);
  }
  SECTION("another shape") {
    checkpoint.network.channels = 16;
    save_checkpoint(checkpoint, path);
    expected = "has shape [8, 15, 3, 3], the network's shape says [16, 15, 3, 3]";
  }
  SECTION("a shape out of range") {
    checkpoint.network.blocks = 1'000'000'000;
    save_checkpoint(checkpoint, path);
    expected = "the network's blocks is missing or out of range";
  }
  SECTION("a tensor that is missing") {
    checkpoint.weights.tensors.erase("wdl.bias");
    save_checkpoint(checkpoint, path);
    expected = "tensor wdl.bias is missing";
  }
  SECTION("a tensor too many") {
    checkpoint.weights.tensors["block2.first.weight"] = {};
    checkpoint.weights.tensors["block2.first.weight"].shape = {0};
    save_checkpoint(checkpoint, path);
    expected = "block2.first.weight belongs to no layer";
  }
  SECTION("a tensor of another type") {
    checkpoint.weights.tensors["wdl.bias"].dtype = "I32";
    save_checkpoint(checkpoint, path);
    expected = "tensor wdl.bias is I32";
  }
  SECTION("a weight that is no number") {
    auto& data = checkpoint.weights.tensors["wdl.bias"].data;
    data[2] = data[3] = std::byte{0xff};
    save_checkpoint(checkpoint, path);
    expected = "tensor wdl.bias holds a value that is not finite";
  }
  CHECK_THAT(error_of(path), Catch::Contains(expected) && Catch::Contains(path.string()));
}

TEST_CASE("the newest checkpoint of a run is the one with most steps") {
  const TemporaryFolder folder;
  CHECK_THAT(newest_checkpoint(folder.path()).error().message, Catch::Contains(folder.path().string()));
  CHECK(checkpoint_path("run", 42) == "run/checkpoints/step-00000042.safetensors");
  std::filesystem::create_directories(folder.path() / "checkpoints");
  const auto make = [&](const std::filesystem::path& path) { std::ofstream(path) << "x"; };
  for (const std::int64_t step : {0, 900, 42, 123'456'789, 100}) make(checkpoint_path(folder.path(), step));
  for (const char* other : {"step-.safetensors", "step-9999999999.safetensors.tmp12", "step-99x.safetensors",
                            "step--5.safetensors", "latest", "step-99999999999999999999.safetensors"})
    make(folder.path() / "checkpoints" / other);
  CHECK(newest_checkpoint(folder.path()) == checkpoint_path(folder.path(), 123'456'789));
  const auto all = checkpoints(folder.path());
  REQUIRE(all.size() == 5);
  CHECK(all.back() == checkpoint_path(folder.path(), 0));
}
