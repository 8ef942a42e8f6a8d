#include "selfplay/shard.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "selfplay/npz.h"
#include "support.h"

using namespace gounki;
using namespace gounki::selfplay;
using Catch::Matchers::Contains;

namespace {

Shard some_shard(int rows = 40) { return {1234, support::random_samples(rows, 17)}; }

// The shard's file with one array changed.
std::string with_array(const std::string& name, const std::function<void(NpyArray&)>& change) {
  auto arrays = *parse_npz(to_bytes(some_shard()));
  change(arrays.at(name));
  return npz_to_bytes({arrays.begin(), arrays.end()});
}

template <class T>
auto set_value(std::size_t index, T value) {
  return [=](NpyArray& array) { std::memcpy(&array.data[index * sizeof(T)], &value, sizeof(T)); };
}

}  // namespace

TEST_CASE("a shard written and read back is the same") {
  const Shard shard = some_shard(300);
  const auto back = parse_shard(to_bytes(shard));
  REQUIRE(back);
  CHECK(back->network_step == 1234);
  CHECK(back->samples == shard.samples);

  const auto empty = parse_shard(to_bytes(Shard{}));
  REQUIRE(empty);
  CHECK(empty->samples.empty());
}

TEST_CASE("a damaged value in a shard is found") {
  struct Row {
    std::string array, message;
    std::function<void(NpyArray&)> change;
  };
  const float nan = std::nanf("");
  const Row rows[] = {
      {"version", "version 1, expected 2", set_value<std::int32_t>(0, 1)},
      {"board", "row 0: the board holds no such stack as 255", set_value<std::uint8_t>(5, 255)},
      {"board", "row 0: the board holds no such stack as 16", set_value<std::uint8_t>(20, 16)},
      {"board", "row 0: White has 88 pieces", [](NpyArray& a) { a.data.replace(16, 24, 24, 3); }},
      {"side", "row 3: the side is neither 0 nor 1", set_value<std::uint8_t>(3, 2)},
      {"policy", "row 0: a probability of the policy is not one", set_value<float>(0, nan)},
      {"policy", "row 0: the policy does not sum to 1", set_value<float>(0, 0.9f)},
      {"policy_index", "row 0: a policy index is past 2047", set_value<std::uint16_t>(0, 2048)},
      {"policy_index", "row 0: the policy's moves are not", set_value<std::uint16_t>(0, 2047)},
      {"played", "row 1: the move that was played is past 2047", set_value<std::uint16_t>(1, 2048)},
      {"played", "row 1: the move that was played is not legal", set_value<std::uint16_t>(1, 2047)},
      {"reply", "row 2: the reply is past 2047", set_value<std::uint16_t>(2, 65534)},
      {"reply", "row 2: the reply is not legal", set_value<std::uint16_t>(2, 2047)},
      {"exact", "row 2: exact is neither 0 nor 1", set_value<std::uint8_t>(2, 2)},
      {"policy_offsets", "policy_offsets fall", set_value<std::int64_t>(1, 1 << 20)},
      {"policy_offsets", "policy_offsets do not span", set_value<std::int64_t>(0, -1)},
      {"root_value", "row 2: the root value", set_value<float>(2, nan)},
      {"weight", "row 2: the weight", set_value<float>(2, -1.0f)},
      {"result", "row 2: the result", set_value<std::int8_t>(2, 3)},
      {"capped", "row 2: capped is neither", set_value<std::uint8_t>(2, 9)},
      {"game", "array \"board\" has another shape",
       [](NpyArray& a) { a = make_array<std::int64_t>(std::vector<std::int64_t>(7), {7}); }},
      {"game", "array \"game\" is <i4, expected <i8",
       [](NpyArray& a) { a = make_array<std::int32_t>(std::vector<std::int32_t>(40), {40}); }},
      {"game", "array \"game\" has another shape", [](NpyArray& a) { a.shape = {8, 5}; }},
  };
  for (const Row& row : rows) {
    INFO(row.array << ": " << row.message);
    const auto result = parse_shard(with_array(row.array, row.change));
    REQUIRE_FALSE(result);
    CHECK_THAT(result.error().message, Contains(row.message));
  }
  const auto missing = parse_shard(npz_to_bytes({{"version", NpyArray{"<i4", {0}, ""}}}));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message == "array \"network_step\" is missing");
}

TEST_CASE("a shard that is cut off anywhere gives an error") {
  const std::string bytes = to_bytes(some_shard(3));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(parse_shard(std::string_view(bytes).substr(0, size)));
}

TEST_CASE("the shard reader survives any change of bytes") {
  const std::string bytes = to_bytes(some_shard(10));
  Rng rng(23);
  for (int i = 0; i < 2000; ++i) {
    std::string bad = bytes;
    const auto changes = 1 + rng.below(4);
    for (std::uint64_t k = 0; k < changes; ++k)
      bad[rng.below(bad.size())] = static_cast<char>(rng.below(256));
    if (const auto shard = parse_shard(bad))
      for (const Sample& sample : shard->samples) CHECK(validate(sample));
  }
}

TEST_CASE("errors of shard files name the file") {
  const support::TemporaryFolder folder;
  const auto path = folder / "00000000.npz";
  CHECK_THAT(load_shard(path).error().message, Contains(path.string()));
  write_file_atomically(path, "no zip");
  CHECK(load_shard(path).error().message == path.string() + ": not a whole zip file");
  CHECK(load_shard_games(path).error().message == path.string() + ": not a whole zip file");
  write_file_atomically(path, to_bytes(some_shard(12)));
  CHECK(*load_shard_games(path) == std::vector<std::int64_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1});
  CHECK(load_shard(path)->samples.size() == 12);
}

TEST_CASE("NumPy alone reads a shard") {
  if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0) {
    WARN("python3 with NumPy is not installed; this test is left out");
    return;
  }
  const support::TemporaryFolder folder;
  const Shard shard = some_shard(25);
  write_file_atomically(folder / "shard.npz", to_bytes(shard));
  // Prints sums of every array, which depend on their dtypes and shapes too.
  std::ofstream(folder / "read.py") << R"(
import numpy, sys
a = numpy.load(sys.argv[1])
n = a['game'].shape[0]
assert a['version'] == 2 and a['network_step'] == 1234, 'single values'
assert a['board'].shape == (n, 64) and a['board'].dtype == numpy.uint8, 'board'
assert a['policy_offsets'].shape == (n + 1,) and a['policy_offsets'][-1] == len(a['policy'])
assert a['policy_index'].dtype == numpy.uint16 and a['policy'].dtype == numpy.float32
assert a['result'].dtype == numpy.int8 and a['plies_left'].dtype == numpy.uint16
for name in 'side quiet ply repetitions result root_value plies_left game weight capped'.split():
    assert a[name].shape == (n,), name
first = slice(a['policy_offsets'][3], a['policy_offsets'][4])
assert abs(a['policy'][first].sum() - 1) < 1e-3, 'policy'
index = a['policy_index'].astype(numpy.int64)
print(n, int(a['board'].sum()), int(index.sum()), int(a['result'].sum()))
)";
  const std::string out = (folder / "out.txt").string();
  REQUIRE(std::system(("/usr/bin/python3 " + (folder / "read.py").string() + " " +
                       (folder / "shard.npz").string() + " > " + out)
                          .c_str()) == 0);
  int n = 0, board = 0, index = 0, result = 0;
  std::ifstream(out) >> n >> board >> index >> result;

  int board_sum = 0, index_sum = 0, result_sum = 0;
  for (const Sample& sample : shard.samples) {
    for (int i = 0; i < 64; ++i)
      board_sum += sample.position.stack_on(Square(i)).code() +
                   16 * sample.position.enemy().contains(Square(i));
    for (const PolicyEntry& entry : sample.policy) index_sum += entry.move.index();
    result_sum += sample.result;
  }
  CHECK(n == 25);
  CHECK(board == board_sum);
  CHECK(index == index_sum);
  CHECK(result == result_sum);
}
