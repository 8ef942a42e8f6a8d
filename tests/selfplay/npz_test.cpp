#include "selfplay/npz.h"

#include <catch2/catch.hpp>

#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;

namespace {

NamedArrays some_arrays() {
  const std::vector<float> floats{1.5f, -2.0f, 3.25f, 0.0f, 1e-30f, 7.0f};
  const std::vector<std::int64_t> numbers{-1, 1LL << 40};
  NamedArrays arrays;
  arrays.emplace_back("floats", make_array<float>(floats, {3, 2}));
  arrays.emplace_back("numbers", make_array<std::int64_t>(numbers, {2}));
  arrays.emplace_back("single", make_array<std::int32_t>(std::vector<std::int32_t>{42}, {}));
  arrays.emplace_back("empty", make_array<std::uint16_t>(std::vector<std::uint16_t>{}, {0, 64}));
  return arrays;
}

std::string npy(const std::string& header, const std::string& data) {
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xFF);
  out += static_cast<char>(header.size() >> 8);
  return out + header + data;
}

}  // namespace

TEST_CASE("arrays written and read back are the same") {
  const NamedArrays arrays = some_arrays();
  const auto back = parse_npz(npz_to_bytes(arrays));
  REQUIRE(back);
  REQUIRE(back->size() == arrays.size());
  for (const auto& [name, array] : arrays) {
    CHECK(back->at(name).dtype == array.dtype);
    CHECK(back->at(name).shape == array.shape);
    CHECK(back->at(name).data == array.data);
  }
  CHECK(values_of<std::int64_t>(back->at("numbers")) == std::vector<std::int64_t>{-1, 1LL << 40});
}

TEST_CASE("the bytes of a file depend on its arrays alone") {
  const std::string first = npz_to_bytes(some_arrays());
  ::setenv("TZ", "Asia/Tokyo", 1);
  ::tzset();
  CHECK(npz_to_bytes(some_arrays()) == first);
  ::unsetenv("TZ");
  ::tzset();
}

TEST_CASE("single arrays can be asked for, and must be there") {
  const std::string bytes = npz_to_bytes(some_arrays());
  const auto one = parse_npz(bytes, {"single"});
  REQUIRE(one);
  CHECK(one->size() == 1);
  const auto none = parse_npz(bytes, {"single", "double"});
  REQUIRE_FALSE(none);
  CHECK(none.error().message == "array \"double\" is missing");
}

TEST_CASE("the data of a .npy file begin at a multiple of 64 bytes") {
  for (const auto& [name, array] : some_arrays())
    CHECK((npy_to_bytes(array).size() - array.data.size()) % 64 == 0);
}

TEST_CASE("headers of .npy files") {
  struct Row {
    std::string header, data;
    bool good;
  };
  const std::string four(4, 'x');
  const Row rows[] = {
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", four, true},
      {"{'shape': (1,), 'fortran_order': False, 'descr': '<f4'}  \n", four, true},
      {"{'descr':'|u1','fortran_order':False,'shape':(2,2)}", four, true},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", four, true},
      {"{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", four, false},
      {"{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", four, false},
      {"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", four, false},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", four, false},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", four, false},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", four, false},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967297)}", four, false},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }", four, false},
      {"{'descr': '<f4', 'fortran_order': False, }", four, false},
      {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", four, false},
      {"{'descr': '<f4", four, false},
      {"", four, false},
  };
  for (const Row& row : rows) {
    INFO(row.header);
    CHECK(parse_npy(npy(row.header, row.data)).has_value() == row.good);
  }
  CHECK_FALSE(parse_npy(""));
  CHECK_FALSE(parse_npy("\x93NUMPY"));
}

TEST_CASE("a damaged .npz file gives an error") {
  const std::string good = npz_to_bytes(some_arrays());
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK_FALSE(parse_npz(good.substr(0, size)));

  // Any byte changed: an error or, where nothing reads the byte, the same arrays.
  const auto arrays = parse_npz(good);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    const auto back = parse_npz(bad);
    if (!back) continue;
    for (const auto& [name, array] : *back) {
      if (!arrays->contains(name)) continue;  // the name itself is what changed
      INFO("byte " << i);
      CHECK(array.data == arrays->at(name).data);
    }
  }
}

TEST_CASE("an entry that claims a gigabyte is refused before memory is asked for") {
  const std::vector<std::uint8_t> zeros(8);
  std::string bytes = npz_to_bytes({{"a", make_array<std::uint8_t>(zeros, {8})}});
  const std::uint32_t claimed = 1u << 30;
  const std::size_t local = bytes.find("PK\x03\x04"), central = bytes.find("PK\x01\x02");
  REQUIRE(local == 0);
  REQUIRE(central != std::string::npos);
  std::memcpy(&bytes[local + 22], &claimed, 4);
  std::memcpy(&bytes[central + 24], &claimed, 4);
  CHECK_FALSE(parse_npz(bytes));
}
