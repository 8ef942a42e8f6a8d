#include "selfplay/shard.h"

#include <array>
#include <limits>
#include <map>

#include "core/files.h"
#include "core/movegen.h"
#include "selfplay/npz.h"

namespace gounki::selfplay {
namespace {

constexpr int kEnemyBit = 16;
constexpr std::uint16_t kUnknownPliesInFile = 0xFFFF;
constexpr std::uint16_t kNoReplyInFile = 0xFFFF;
constexpr std::int64_t kMostRows = 1 << 24;

// One array for each field, row by row.
struct Columns {
  std::vector<std::uint8_t> board, side, repetitions, exact, capped;
  std::vector<std::uint16_t> quiet, ply, policy_index, played, reply, plies_left;
  std::vector<std::int64_t> policy_offsets{0}, game;
  std::vector<float> policy, root_value, weight;
  std::vector<std::int8_t> result;

  // visit(name, column, length): the length of each array is that of the rows (N), or N + 1, or the
  // number of all policy entries (M).
  enum class Length { Rows, Offsets, Entries };
  template <class Visit>
  static void for_each(Visit&& visit) {
    using C = Columns;
    using enum Length;
    visit("side", &C::side, Rows);
    visit("quiet", &C::quiet, Rows);
    visit("ply", &C::ply, Rows);
    visit("repetitions", &C::repetitions, Rows);
    visit("policy_offsets", &C::policy_offsets, Offsets);
    visit("policy_index", &C::policy_index, Entries);
    visit("policy", &C::policy, Entries);
    visit("played", &C::played, Rows);
    visit("reply", &C::reply, Rows);
    visit("result", &C::result, Rows);
    visit("root_value", &C::root_value, Rows);
    visit("exact", &C::exact, Rows);
    visit("plies_left", &C::plies_left, Rows);
    visit("game", &C::game, Rows);
    visit("weight", &C::weight, Rows);
    visit("capped", &C::capped, Rows);
  }
};

void append_board(const Position& position, std::vector<std::uint8_t>& board) {
  for (int i = 0; i < 64; ++i) {
    const Square square(i);
    const int code = position.stack_on(square).code();
    const int enemy = position.enemy().contains(square) ? kEnemyBit : 0;
    board.push_back(static_cast<std::uint8_t>(code | enemy));
  }
}

void append(const Sample& sample, Columns& columns) {
  append_board(sample.position, columns.board);
  columns.side.push_back(static_cast<std::uint8_t>(sample.position.side_to_move()));
  columns.quiet.push_back(static_cast<std::uint16_t>(sample.position.quiet_plies()));
  columns.ply.push_back(static_cast<std::uint16_t>(sample.position.ply()));
  columns.repetitions.push_back(sample.repetitions);
  for (const PolicyEntry& entry : sample.policy) {
    columns.policy_index.push_back(static_cast<std::uint16_t>(entry.move.index()));
    columns.policy.push_back(entry.probability);
  }
  columns.policy_offsets.push_back(static_cast<std::int64_t>(columns.policy.size()));
  columns.played.push_back(static_cast<std::uint16_t>(sample.played.index()));
  columns.reply.push_back(sample.reply ? static_cast<std::uint16_t>(sample.reply->index())
                                       : kNoReplyInFile);
  columns.result.push_back(sample.result);
  columns.root_value.push_back(sample.root_value);
  columns.exact.push_back(sample.exact);
  columns.plies_left.push_back(sample.plies_left == Sample::kUnknownPlies
                                   ? kUnknownPliesInFile
                                   : static_cast<std::uint16_t>(sample.plies_left));
  columns.game.push_back(sample.game);
  columns.weight.push_back(sample.weight);
  columns.capped.push_back(sample.capped);
}

Expected<Position> read_board(std::span<const std::uint8_t> board, Side side) {
  Position position;
  position.set_side_to_move(side);
  for (int i = 0; i < 64; ++i) {
    const int code = board[static_cast<std::size_t>(i)];
    const Stack stack = Stack::from_code(code & 15);
    if (code == 0) continue;
    if (code >= 2 * kEnemyBit || stack.empty() || stack.size() > 3)
      return fail("the board holds no such stack as " + std::to_string(code));
    position.put(Square(i).seen_by(side), code & kEnemyBit ? ~side : side, stack);
  }
  return position;
}

Expected<Sample> read_row(const Columns& c, std::size_t row) {
  if (c.side[row] > 1) return fail("the side is neither 0 nor 1");
  auto position = read_board(std::span(&c.board[row * 64], 64), static_cast<Side>(c.side[row]));
  if (!position) return tl::make_unexpected(position.error());
  position->set_counters(c.quiet[row], c.ply[row]);

  Sample sample;
  sample.position = *position;
  sample.game = c.game[row];
  const auto begin = static_cast<std::size_t>(c.policy_offsets[row]);
  const auto end = static_cast<std::size_t>(c.policy_offsets[row + 1]);
  sample.policy.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    if (c.policy_index[i] >= Move::kIndices) return fail("a policy index is past 2047");
    sample.policy.push_back({Move::from_index(c.policy_index[i]), c.policy[i]});
  }
  if (c.played[row] >= Move::kIndices) return fail("the move that was played is past 2047");
  sample.played = Move::from_index(c.played[row]);
  if (c.reply[row] != kNoReplyInFile) {
    if (c.reply[row] >= Move::kIndices) return fail("the reply is past 2047");
    sample.reply = Move::from_index(c.reply[row]);
  }
  sample.root_value = c.root_value[row];
  if (c.exact[row] > 1) return fail("exact is neither 0 nor 1");
  sample.exact = c.exact[row] != 0;
  sample.weight = c.weight[row];
  sample.plies_left =
      c.plies_left[row] == kUnknownPliesInFile ? Sample::kUnknownPlies : c.plies_left[row];
  sample.result = c.result[row];
  sample.repetitions = c.repetitions[row];
  if (c.capped[row] > 1) return fail("capped is neither 0 nor 1");
  sample.capped = c.capped[row] != 0;
  if (const auto valid = validate(sample); !valid) return tl::make_unexpected(valid.error());
  return sample;
}

using Arrays = std::map<std::string, NpyArray>;
using Shape = std::vector<std::int64_t>;

template <class T>
Expected<std::vector<T>> take(const Arrays& arrays, const std::string& name, const Shape& shape) {
  const NpyArray& array = arrays.at(name);
  if (array.dtype != npy_dtype<T>())
    return fail("array \"" + name + "\" is " + array.dtype + ", expected " + npy_dtype<T>());
  if (array.shape != shape) return fail("array \"" + name + "\" has another shape than expected");
  return values_of<T>(array);
}

// The number of rows and of policy entries, before any other array is looked at.
Expected<std::int64_t> length_of(const Arrays& arrays, const std::string& name) {
  const Shape& shape = arrays.at(name).shape;
  if (shape.size() != 1 || shape[0] > kMostRows * MoveList::kCapacity)
    return fail("array \"" + name + "\" has another shape than expected");
  return shape[0];
}

Expected<void> check_offsets(const std::vector<std::int64_t>& offsets, std::int64_t entries) {
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row)
    if (offsets[row + 1] < offsets[row]) return fail("policy_offsets fall");
  if (offsets.front() != 0 || offsets.back() != entries)
    return fail("policy_offsets do not span the policy");
  return {};
}

Expected<Columns> read_columns(const Arrays& arrays) {
  const auto rows = length_of(arrays, "game");
  const auto entries = length_of(arrays, "policy");
  if (!rows) return tl::make_unexpected(rows.error());
  if (!entries) return tl::make_unexpected(entries.error());
  if (*rows > kMostRows) return fail("more rows than a shard may have");

  Columns columns;
  Expected<void> outcome;
  const auto read = [&](const char* name, auto& column, const Shape& shape) {
    if (!outcome) return;
    using T = typename std::remove_cvref_t<decltype(column)>::value_type;
    auto values = take<T>(arrays, name, shape);
    if (values) column = std::move(*values);
    else outcome = tl::make_unexpected(values.error());
  };
  read("board", columns.board, {*rows, 64});
  Columns::for_each([&](const char* name, auto member, Columns::Length length) {
    const std::int64_t size = length == Columns::Length::Entries   ? *entries
                              : length == Columns::Length::Offsets ? *rows + 1
                                                                   : *rows;
    read(name, columns.*member, {size});
  });
  if (outcome) outcome = check_offsets(columns.policy_offsets, *entries);
  if (!outcome) return tl::make_unexpected(outcome.error());
  return columns;
}

template <class T>
NpyArray column_array(const std::vector<T>& values) {
  return make_array<T>(values, {static_cast<std::int64_t>(values.size())});
}

}  // namespace

std::string to_bytes(const Shard& shard) {
  Columns columns;
  for (const Sample& sample : shard.samples) append(sample, columns);

  NamedArrays arrays;
  arrays.emplace_back("version", make_array<std::int32_t>(std::array{kShardVersion}, {}));
  arrays.emplace_back("network_step", make_array<std::int64_t>(std::array{shard.network_step}, {}));
  arrays.emplace_back("board",
                      make_array<std::uint8_t>(
                          columns.board, {static_cast<std::int64_t>(shard.samples.size()), 64}));
  Columns::for_each([&](const char* name, auto member, Columns::Length) {
    arrays.emplace_back(name, column_array(columns.*member));
  });
  return npz_to_bytes(arrays);
}

Expected<Shard> parse_shard(std::string_view bytes) {
  std::vector<std::string> names{"version", "network_step", "board"};
  Columns::for_each([&](const char* name, auto, Columns::Length) { names.push_back(name); });
  const auto arrays = parse_npz(bytes, names);
  if (!arrays) return tl::make_unexpected(arrays.error());
  const auto version = take<std::int32_t>(*arrays, "version", {});
  if (!version) return tl::make_unexpected(version.error());
  if (version->front() != kShardVersion)
    return fail("version " + std::to_string(version->front()) + ", expected " +
                std::to_string(kShardVersion));
  const auto step = take<std::int64_t>(*arrays, "network_step", {});
  if (!step) return tl::make_unexpected(step.error());
  const auto columns = read_columns(*arrays);
  if (!columns) return tl::make_unexpected(columns.error());

  Shard shard;
  shard.network_step = step->front();
  shard.samples.reserve(columns->game.size());
  for (std::size_t row = 0; row < columns->game.size(); ++row) {
    auto sample = read_row(*columns, row);
    if (!sample) return fail("row " + std::to_string(row) + ": " + sample.error().message);
    shard.samples.push_back(std::move(*sample));
  }
  return shard;
}

namespace {

// Reads a file and does `parse` with its bytes; any error names the file.
template <class Parse>
auto with_file(const std::filesystem::path& path, Parse&& parse)
    -> decltype(parse(std::string_view())) {
  std::string bytes;
  try {
    bytes = read_file(path);
  } catch (const Failure& failure) {
    return fail(failure.what());
  }
  auto result = parse(std::string_view(bytes));
  if (!result) return fail(path.string() + ": " + result.error().message);
  return result;
}

}  // namespace

Expected<Shard> load_shard(const std::filesystem::path& path) {
  return with_file(path, parse_shard);
}

Expected<std::vector<std::int64_t>> load_shard_games(const std::filesystem::path& path) {
  return with_file(path, [](std::string_view bytes) -> Expected<std::vector<std::int64_t>> {
    const auto arrays = parse_npz(bytes, {"game"});
    if (!arrays) return tl::make_unexpected(arrays.error());
    const auto rows = length_of(*arrays, "game");
    if (!rows) return tl::make_unexpected(rows.error());
    return take<std::int64_t>(*arrays, "game", {*rows});
  });
}

}  // namespace gounki::selfplay
