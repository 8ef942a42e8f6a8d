#include "nn/weights.h"

#include <map>

#include <catch2/catch.hpp>

using namespace gounki;
using namespace gounki::nn;

TEST_CASE("a network has the tensors of its layers") {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  for (const WeightSpec& spec : weight_specs({.blocks = 3, .channels = 16, .value_channels = 4, .value_hidden = 24}))
    shapes[spec.name] = spec.shape;
  CHECK(shapes.size() == 5 * (1 + 2 * 3 + 1) + 2 * 4);
  CHECK(shapes["stem.weight"] == std::vector<std::int64_t>{16, kPlanes, 3, 3});
  CHECK(shapes["block2.second.weight"] == std::vector<std::int64_t>{16, 16, 3, 3});
  CHECK(shapes["block2.second.variance"] == std::vector<std::int64_t>{16});
  CHECK(shapes["policy.weight"] == std::vector<std::int64_t>{32, 16, 3, 3});
  CHECK(shapes["value.weight"] == std::vector<std::int64_t>{4, 16, 1, 1});
  CHECK(shapes["hidden.weight"] == std::vector<std::int64_t>{24, 256});
  CHECK(shapes["wdl.bias"] == std::vector<std::int64_t>{3});
  CHECK(shapes["plies.weight"] == std::vector<std::int64_t>{1, 24});
}

TEST_CASE("what only learns comes behind what plays") {
  const NetworkConfig network{.blocks = 1, .channels = 16};
  const auto playing = weight_specs(network), learning = learning_specs(network);
  REQUIRE(learning.size() == playing.size() + 2);
  for (std::size_t i = 0; i < playing.size(); ++i) CHECK(learning[i].name == playing[i].name);
  CHECK(learning[playing.size()].name == "reply.weight");
  CHECK(learning[playing.size()].shape == std::vector<std::int64_t>{32, 16, 1, 1});
}

TEST_CASE("a spec knows its size and how many inputs an output sums up") {
  const WeightSpec spec{"w", {16, 15, 3, 3}, WeightKind::Kernel};
  CHECK(spec.size() == 2160);
  CHECK(spec.fan_in() == 135);
}

TEST_CASE("the shape of a network survives its text") {
  const NetworkConfig network{.blocks = 7, .channels = 40, .value_channels = 3, .value_hidden = 100};
  CHECK(network_from_json(network_to_json(network)) == network);
  for (const char* text : {"", "{}", "[1]", "{\"blocks\":4}", "null",
                           R"({"blocks":4,"channels":32,"value_channels":8,"value_hidden":"64"})",
                           R"({"blocks":4,"channels":32,"value_channels":8,"value_hidden":64.5})",
                           R"({"blocks":4,"channels":1e99,"value_channels":8,"value_hidden":64})",
                           R"({"blocks":-4,"channels":32,"value_channels":8,"value_hidden":64})",
                           R"({"blocks":4,"channels":18446744073709551615,"value_channels":8,"value_hidden":64})"})
    CHECK_FALSE(network_from_json(text));
}
