#include "nn/safetensors.h"

#include <cstring>
#include <functional>

#include <catch2/catch.hpp>

#include "core/random.h"

using namespace gounki;
using namespace gounki::nn;

namespace {

Tensor tensor(std::vector<std::int64_t> shape, const std::string& dtype, std::size_t bytes, int first) {
  Tensor out{dtype, std::move(shape), std::vector<std::byte>(bytes)};
  for (std::size_t i = 0; i < bytes; ++i) out.data[i] = static_cast<std::byte>(first + static_cast<int>(i));
  return out;
}

TensorFile sample() {
  TensorFile file;
  file.metadata = {{"format", "test"}, {"text", "two\nlines, \"quoted\" and é"}};
  file.tensors["b.weight"] = tensor({2, 3}, "F32", 24, 10);
  file.tensors["a"] = tensor({}, "I64", 8, 90);
  file.tensors["empty"] = tensor({0, 5}, "F16", 0, 0);
  file.tensors["c"] = tensor({3}, "U8", 3, 200);
  return file;
}

bool same(const TensorFile& a, const TensorFile& b) {
  if (a.metadata != b.metadata || a.tensors.size() != b.tensors.size()) return false;
  for (const auto& [name, tensor] : a.tensors) {
    const auto other = b.tensors.find(name);
    if (other == b.tensors.end() || other->second.dtype != tensor.dtype ||
        other->second.shape != tensor.shape || other->second.data != tensor.data)
      return false;
  }
  return true;
}

std::string with_header(const std::string& header, std::size_t data_bytes) {
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(data_bytes, 'x');
}

std::string error_of(const std::string& bytes) {
  const auto file = parse_safetensors(bytes);
  return file ? "" : file.error().message;
}

}  // namespace

TEST_CASE("tensors written are the tensors read") {
  const auto read = parse_safetensors(to_bytes(sample()));
  REQUIRE(read);
  CHECK(same(*read, sample()));
  CHECK(to_bytes(*read) == to_bytes(sample()));
  const auto nothing = parse_safetensors(to_bytes({}));
  REQUIRE(nothing);
  CHECK(same(*nothing, {}));
}

TEST_CASE("the bytes are those that the format asks for") {
  TensorFile file;
  file.metadata = {{"k", "v"}};
  file.tensors["t"] = tensor({2}, "U8", 2, 65);
  const std::string header =
      R"({"__metadata__":{"k":"v"},"t":{"data_offsets":[0,2],"dtype":"U8","shape":[2]}})";
  const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  std::string expected(8, '\0');
  expected[0] = static_cast<char>(padded.size());
  CHECK(to_bytes(file) == expected + padded + "AB");
}

TEST_CASE("files by others are read") {
  // Tensors in another order than their names, extra spaces, no metadata.
  const auto file = parse_safetensors(with_header(
      R"(  {"z": {"dtype":"U8","shape":[1],"data_offsets":[0,1]},
           "a": {"shape":[1,1], "data_offsets":[1,3], "dtype":"BF16"}} )", 3));
  REQUIRE(file);
  CHECK(file->tensors.at("a").data.size() == 2);
  CHECK(file->tensors.at("z").shape == std::vector<std::int64_t>{1});
}

TEST_CASE("what is wrong with a file is said") {
  struct Case { std::string header; std::size_t data; std::string message; };
  const Case cases[] = {
      {"", 0, "the header is not a JSON object"},
      {"[]", 0, "the header is not a JSON object"},
      {R"({"t":)", 0, "the header is not a JSON object"},
      {R"({"t":1})", 0, "its entry is not a JSON object"},
      {R"({"t":{"dtype":"F32","shape":[1]}})", 4, "not just dtype, shape and data_offsets"},
      {R"({"t":{"dtype":"F31","shape":[1],"data_offsets":[0,4]}})", 4, "unknown dtype \"F31\""},
      {R"({"t":{"dtype":7,"shape":[1],"data_offsets":[0,4]}})", 4, "unknown dtype 7"},
      {R"({"t":{"dtype":"F32","shape":4,"data_offsets":[0,4]}})", 4, "shape is not a list"},
      {R"({"t":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "something that is no size"},
      {R"({"t":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4, "something that is no size"},
      {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", 4, "not two offsets"},
      {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[0,-4]}})", 4, "not two offsets"},
      {R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4, "does not need the 4 bytes"},
      {R"({"t":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4, "not within the 4"},
      {R"({"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 4, "not within the 4"},
      {R"({"t":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0,
       "shape is too large"},
      {R"({"t":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}})", 0,
       "does not need the 0 bytes"},
      {R"({"t":{"dtype":"F32","shape":[18446744073709551615,0],"data_offsets":[0,0]}})", 0,
       "shape is too large"},
      {R"({"t":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},
           "u":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})", 3, "the one before it ends at 2"},
      {R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},
           "u":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})", 3, "the one before it ends at 1"},
      {R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 3, "the tensors end at byte 1 of 3"},
      {R"({"t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},
           "t":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1, "names \"t\" twice"},
      {R"({"t":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1, "\"dtype\" twice"},
      {R"({"__metadata__":3})", 0, "__metadata__ is not a JSON object"},
      {R"({"__metadata__":{"k":3}})", 0, "metadata \"k\" is not a string"},
  };
  for (const Case& c : cases) {
    INFO(c.header);
    CHECK_THAT(error_of(with_header(c.header, c.data)), Catch::Contains(c.message));
  }
}

TEST_CASE("a header that claims more than the file has is refused before memory is asked for") {
  for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{100'000'000'000},
                                     ~std::uint64_t{0}, ~std::uint64_t{7}}) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    CHECK_THAT(error_of(bytes), Catch::Contains("the header claims"));
  }
  CHECK_THAT(error_of(""), Catch::Contains("not a safetensors file"));
  CHECK_THAT(error_of("1234567"), Catch::Contains("not a safetensors file"));
}

TEST_CASE("every cut of a file is refused") {
  const std::string bytes = to_bytes(sample());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    CHECK_FALSE(parse_safetensors(std::string_view(bytes).substr(0, length)));
  CHECK_FALSE(parse_safetensors(bytes + "x"));
}

TEST_CASE("damaged and random bytes never crash the reader") {
  Rng rng(3);
  const std::string valid = to_bytes(sample());
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = valid;
    for (auto n = 1 + rng.below(4); n > 0; --n) bytes[rng.below(bytes.size())] = static_cast<char>(rng());
    const auto file = parse_safetensors(bytes);
    if (file) CHECK(to_bytes(*file).size() >= 8);
    refused += !file;
  }
  CHECK(refused > 10'000);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(rng.below(64), '\0');
    for (char& c : bytes) c = static_cast<char>(rng());
    CHECK_FALSE(parse_safetensors(bytes));
  }
  // JSON that nests deeply, or says little with much.
  CHECK_FALSE(parse_safetensors(with_header(std::string(200'000, '['), 0)));
  std::string deep = R"({"a":)";
  for (int i = 0; i < 17; ++i) deep += deep.substr(0, 60'000);
  CHECK_FALSE(parse_safetensors(with_header(deep, 0)));
}
