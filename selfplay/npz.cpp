#include "selfplay/npz.h"

#include <zip.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>

namespace gounki::selfplay {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
constexpr std::size_t kLargestHeader = 4096;
constexpr std::int64_t kMostValues = std::int64_t{1} << 31;
// Deflate makes at most 1032 bytes of one.
constexpr std::uint64_t kMostInflation = 1032;

std::optional<std::int64_t> value_size(std::string_view dtype) {
  constexpr std::array<std::pair<std::string_view, int>, 12> kSizes{{
      {"|u1", 1}, {"|i1", 1}, {"|b1", 1}, {"<u2", 2}, {"<i2", 2}, {"<u4", 4}, {"<i4", 4},
      {"<u8", 8}, {"<i8", 8}, {"<f2", 2}, {"<f4", 4}, {"<f8", 8}}};
  for (const auto& [name, size] : kSizes)
    if (name == dtype) return size;
  return std::nullopt;
}

// Reads the Python dictionary of a .npy header, such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 64), }
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  bool read(NpyArray& array) {
    bool descr = false, order = false, shape = false;
    if (!take("{")) return false;
    while (!take("}")) {
      if (!descr && take("'descr'") && take(":")) descr = read_text(array.dtype);
      else if (!order && take("'fortran_order'") && take(":")) order = take("False");
      else if (!shape && take("'shape'") && take(":")) shape = read_shape(array.shape);
      else return false;
      if (!take(",") && !next_is('}')) return false;
    }
    skip_spaces();
    return descr && order && shape && text_.empty();
  }

 private:
  void skip_spaces() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) text_.remove_prefix(1);
  }
  bool next_is(char c) {
    skip_spaces();
    return !text_.empty() && text_[0] == c;
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  bool read_text(std::string& out) {
    if (!take("'")) return false;
    const std::size_t end = text_.find('\'');
    if (end == std::string_view::npos) return false;
    out = std::string(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return true;
  }
  bool read_shape(std::vector<std::int64_t>& out) {
    if (!take("(")) return false;
    while (!take(")")) {
      skip_spaces();
      std::int64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc() || size < 0 || out.size() == 8) return false;
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      out.push_back(size);
      if (!take(",") && !next_is(')')) return false;
    }
    return true;
  }

  std::string_view text_;
};

// The number of values of a shape, or nothing when there are absurdly many.
std::optional<std::int64_t> checked_count(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size > 0 && count > kMostValues / size) return std::nullopt;
    count *= size;
  }
  return count;
}

struct FreeSource { void operator()(zip_source_t* s) const { zip_source_free(s); } };
struct DiscardZip { void operator()(zip_t* z) const { zip_discard(z); } };
struct CloseEntry { void operator()(zip_file_t* f) const { zip_fclose(f); } };
using Source = std::unique_ptr<zip_source_t, FreeSource>;
using Zip = std::unique_ptr<zip_t, DiscardZip>;

// A zip in memory; `flags` are zip_open's. The source must outlive it.
Zip open_zip(const Source& source, int flags) {
  Zip zip(zip_open_from_source(source.get(), flags, nullptr));
  if (zip) zip_source_keep(source.get());  // one reference is the zip's, one is ours
  return zip;
}

// Decompresses one entry, growing with what comes out.
Expected<std::string> read_entry(zip_t* zip, std::uint64_t index, std::uint64_t file_size) {
  zip_stat_t info;
  zip_stat_init(&info);
  if (zip_stat_index(zip, index, 0, &info) != 0) return fail(zip_strerror(zip));
  if (info.comp_size > file_size) return fail("an entry is larger than the file");
  if (info.size > kMostInflation * (info.comp_size + 1))
    return fail("an entry claims more bytes than it can hold");
  const std::unique_ptr<zip_file_t, CloseEntry> entry(zip_fopen_index(zip, index, 0));
  if (!entry) return fail(zip_strerror(zip));

  std::string bytes;
  std::string chunk(1 << 16, '\0');
  for (;;) {
    const std::int64_t got = zip_fread(entry.get(), chunk.data(), chunk.size());
    if (got < 0) return fail(zip_error_strerror(zip_file_get_error(entry.get())));
    if (got == 0) break;
    bytes.append(chunk.data(), static_cast<std::size_t>(got));
    if (bytes.size() > info.size) break;
  }
  if (bytes.size() != info.size) return fail("an entry has not the size that it claims");
  return bytes;
}

void add_entry(zip_t* zip, const std::string& name, const std::string& bytes) {
  zip_source_t* data = zip_source_buffer(zip, bytes.data(), bytes.size(), 0);
  const std::int64_t index = data ? zip_file_add(zip, name.c_str(), data, 0) : -1;
  // The date is the format's first, 1980-01-01, so that the bytes depend on the contents alone.
  constexpr std::uint16_t kFirstDate = 1 << 5 | 1;
  const auto at = static_cast<std::uint64_t>(index);
  if (index < 0 || zip_set_file_compression(zip, at, ZIP_CM_DEFLATE, 6) != 0 ||
      zip_file_set_dostime(zip, at, 0, kFirstDate, 0) != 0)
    throw Failure("cannot make a zip entry of " + name + ": " + zip_strerror(zip));
}

std::string bytes_of(zip_source_t* source) {
  zip_stat_t info;
  zip_stat_init(&info);
  if (zip_source_stat(source, &info) != 0 || zip_source_open(source) != 0)
    throw Failure("cannot read back a zip in memory");
  std::string bytes(info.size, '\0');
  const std::int64_t got = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (got != static_cast<std::int64_t>(bytes.size()))
    throw Failure("cannot read back a zip in memory");
  return bytes;
}

}  // namespace

std::int64_t NpyArray::count() const {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

std::string npy_to_bytes(const NpyArray& array) {
  std::string shape;
  for (const std::int64_t size : array.shape) shape += std::to_string(size) + ", ";
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  if (array.shape.size() == 1) shape.pop_back();
  std::string header = "{'descr': '" + array.dtype + "', 'fortran_order': False, 'shape': (" +
                       shape + "), }";
  // The data begin at a multiple of 64 bytes: magic, two bytes of length, the header, a line end.
  header.append(63 - (kMagic.size() + 2 + header.size()) % 64, ' ');
  header += '\n';
  std::string out(kMagic);
  out += static_cast<char>(header.size() & 0xFF);
  out += static_cast<char>(header.size() >> 8);
  return out + header + array.data;
}

Expected<NpyArray> parse_npy(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + 2)
    return fail("not a .npy file of version 1.0");
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const std::size_t length = byte(8) | static_cast<std::size_t>(byte(9)) << 8;
  bytes.remove_prefix(kMagic.size() + 2);
  if (length > kLargestHeader || length > bytes.size()) return fail("the .npy header is cut off");

  NpyArray array;
  if (!HeaderReader(bytes.substr(0, length)).read(array))
    return fail("the .npy header is not one of an array in C order");
  bytes.remove_prefix(length);
  const auto size = value_size(array.dtype);
  if (!size) return fail("dtype \"" + array.dtype + "\" is not one of plain little-endian numbers");
  const auto count = checked_count(array.shape);
  if (!count || static_cast<std::uint64_t>(*count * *size) != bytes.size())
    return fail("the shape does not fit the " + std::to_string(bytes.size()) + " bytes of data");
  array.data = std::string(bytes);
  return array;
}

std::string npz_to_bytes(const NamedArrays& arrays) {
  const Source source(zip_source_buffer_create(nullptr, 0, 0, nullptr));
  if (!source) throw Failure("cannot make a zip in memory");
  Zip zip = open_zip(source, ZIP_TRUNCATE);
  if (!zip) throw Failure("cannot make a zip in memory");
  std::vector<std::string> files;
  files.reserve(arrays.size());
  for (const auto& [name, array] : arrays) {
    files.push_back(npy_to_bytes(array));
    add_entry(zip.get(), name + ".npy", files.back());
  }
  if (zip_close(zip.get()) != 0)
    throw Failure(std::string("cannot make a zip in memory: ") + zip_strerror(zip.get()));
  static_cast<void>(zip.release());  // closing it has freed it
  return bytes_of(source.get());
}

Expected<std::map<std::string, NpyArray>> parse_npz(std::string_view bytes,
                                                    const std::vector<std::string>& wanted) {
  if (bytes.empty()) return fail("the file is empty");  // which libzip takes for an empty zip
  const Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr));
  const Zip zip = source ? open_zip(source, ZIP_RDONLY | ZIP_CHECKCONS) : nullptr;
  if (!zip) return fail("not a whole zip file");

  std::map<std::string, NpyArray> arrays;
  const auto read = [&](std::uint64_t index, const std::string& name) -> Expected<void> {
    const auto entry = read_entry(zip.get(), index, bytes.size());
    if (!entry) return fail(name + ": " + entry.error().message);
    auto array = parse_npy(*entry);
    if (!array) return fail(name + ": " + array.error().message);
    if (!arrays.emplace(name, std::move(*array)).second) return fail(name + " is there twice");
    return {};
  };
  const auto entries = static_cast<std::uint64_t>(zip_get_num_entries(zip.get(), 0));
  for (std::uint64_t i = 0; i < entries; ++i) {
    const char* name = zip_get_name(zip.get(), i, 0);
    std::string stem = name ? name : "";
    if (!stem.ends_with(".npy")) return fail("an entry is not named \"….npy\"");
    stem.resize(stem.size() - 4);
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), stem) == wanted.end()) continue;
    if (const auto done = read(i, stem); !done) return tl::make_unexpected(done.error());
  }
  for (const std::string& name : wanted)
    if (!arrays.contains(name)) return fail("array \"" + name + "\" is missing");
  return arrays;
}

}  // namespace gounki::selfplay
