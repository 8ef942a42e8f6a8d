#include "nn/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace gounki::nn {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::size_t kLengthBytes = 8;
// Far more than any network's header, and little enough to parse.
constexpr std::uint64_t kLongestHeader = 16 << 20;

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 14> kDtypeBytes{{
    {"BOOL", 1}, {"U8", 1}, {"I8", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"U16", 2}, {"I16", 2},
    {"F16", 2}, {"BF16", 2}, {"U32", 4}, {"I32", 4}, {"F32", 4}, {"I64", 8}, {"F64", 8},
}};

std::optional<std::uint64_t> dtype_bytes(std::string_view dtype) {
  for (const auto& [name, bytes] : kDtypeBytes)
    if (name == dtype) return bytes;
  return std::nullopt;
}

// Where a tensor of the header lies in the bytes after it.
struct Extent {
  std::uint64_t begin, end;
  std::string name;
};

// Parses the header and refuses names that occur twice, of which a JSON object would keep the last.
Expected<json> parse_header(std::string_view text) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  std::string twice;
  const auto watch = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
      twice = parsed.get<std::string>();
    return true;
  };
  json header = json::parse(text, watch, /*allow_exceptions=*/false);
  if (!header.is_object()) return fail("the header is not a JSON object");
  if (!twice.empty()) return fail("the header names \"" + twice + "\" twice");
  return header;
}

Expected<std::map<std::string, std::string>> read_metadata(const json& value) {
  std::map<std::string, std::string> metadata;
  if (!value.is_object()) return fail("__metadata__ is not a JSON object");
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) return fail("metadata \"" + key + "\" is not a string");
    metadata[key] = text.get<std::string>();
  }
  return metadata;
}

Expected<std::uint64_t> count_elements(const json& shape) {
  std::uint64_t elements = 1;
  if (!shape.is_array()) return fail("shape is not a list");
  for (const json& size : shape) {
    if (!size.is_number_unsigned()) return fail("shape holds something that is no size");
    const auto n = size.get<std::uint64_t>();
    // A size of nothing makes the product nothing; the others must still fit the type of a shape.
    if (n > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
        __builtin_mul_overflow(elements, n, &elements))
      return fail("shape is too large");
  }
  return elements;
}

// Reads one entry of the header; the tensor's bytes are not taken yet.
Expected<std::pair<Tensor, Extent>> read_entry(const std::string& name, const json& entry,
                                               std::uint64_t data_length) {
  const auto bad = [&](const std::string& what) { return fail("tensor \"" + name + "\": " + what); };
  if (!entry.is_object()) return bad("its entry is not a JSON object");
  const auto dtype = entry.find("dtype"), shape = entry.find("shape"),
             offsets = entry.find("data_offsets");
  if (dtype == entry.end() || shape == entry.end() || offsets == entry.end() || entry.size() != 3)
    return bad("its entry has not just dtype, shape and data_offsets");
  if (!dtype->is_string() || !dtype_bytes(dtype->get<std::string>()))
    return bad("unknown dtype " + dtype->dump(-1, ' ', true, json::error_handler_t::replace));
  if (!offsets->is_array() || offsets->size() != 2 || !(*offsets)[0].is_number_unsigned() ||
      !(*offsets)[1].is_number_unsigned())
    return bad("data_offsets are not two offsets");

  const auto elements = count_elements(*shape);
  if (!elements) return bad(elements.error().message);
  const Extent extent{(*offsets)[0].get<std::uint64_t>(), (*offsets)[1].get<std::uint64_t>(), name};
  if (extent.begin > extent.end || extent.end > data_length)
    return bad("its bytes " + std::to_string(extent.begin) + " to " + std::to_string(extent.end) +
               " are not within the " + std::to_string(data_length) + " of the file");
  Tensor tensor;
  tensor.dtype = dtype->get<std::string>();
  std::uint64_t length = 0;
  if (__builtin_mul_overflow(*elements, *dtype_bytes(tensor.dtype), &length) ||
      length != extent.end - extent.begin)
    return bad("its shape does not need the " + std::to_string(extent.end - extent.begin) +
               " bytes that it has");
  for (const json& size : *shape) tensor.shape.push_back(size.get<std::int64_t>());
  return std::pair{std::move(tensor), extent};
}

// The tensors fill the data without gaps and without sharing a byte.
Expected<void> check_extents(std::vector<Extent> extents, std::uint64_t data_length) {
  std::ranges::sort(extents, {}, [](const Extent& e) { return std::pair(e.begin, e.end); });
  std::uint64_t reached = 0;
  for (const Extent& extent : extents) {
    if (extent.begin != reached)
      return fail("tensor \"" + extent.name + "\" begins at byte " + std::to_string(extent.begin) +
                  ", the one before it ends at " + std::to_string(reached));
    reached = extent.end;
  }
  if (reached != data_length)
    return fail("the tensors end at byte " + std::to_string(reached) + " of " +
                std::to_string(data_length));
  return {};
}

}  // namespace

std::string to_bytes(const TensorFile& file) {
  json header = json::object();
  if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : file.tensors) {
    const std::uint64_t end = offset + tensor.data.size();
    header[name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  // Bytes that are no UTF-8 (a name from a file system, say) become replacement characters.
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the tensors are aligned

  std::string bytes(kLengthBytes, '\0');
  const std::uint64_t length = text.size();
  std::memcpy(bytes.data(), &length, kLengthBytes);
  bytes.reserve(kLengthBytes + length + offset);
  bytes += text;
  for (const auto& [name, tensor] : file.tensors)
    bytes.append(reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size());
  return bytes;
}

Expected<TensorFile> parse_safetensors(std::string_view bytes) {
  if (bytes.size() < kLengthBytes)
    return fail("not a safetensors file: " + std::to_string(bytes.size()) + " bytes");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > bytes.size() - kLengthBytes || length > kLongestHeader)
    return fail("not a safetensors file, or cut short: the header claims " + std::to_string(length) +
                " bytes, the file has " + std::to_string(bytes.size()));
  const auto header = parse_header(bytes.substr(kLengthBytes, length));
  if (!header) return tl::make_unexpected(header.error());
  const std::string_view data = bytes.substr(kLengthBytes + length);

  TensorFile file;
  std::vector<Extent> extents;
  for (const auto& [name, value] : header->items()) {
    if (name == "__metadata__") {
      auto metadata = read_metadata(value);
      if (!metadata) return tl::make_unexpected(metadata.error());
      file.metadata = std::move(*metadata);
      continue;
    }
    auto entry = read_entry(name, value, data.size());
    if (!entry) return tl::make_unexpected(entry.error());
    file.tensors[name] = std::move(entry->first);
    extents.push_back(std::move(entry->second));
  }
  if (const auto checked = check_extents(extents, data.size()); !checked)
    return tl::make_unexpected(checked.error());
  for (const Extent& extent : extents) {
    const auto* first = reinterpret_cast<const std::byte*>(data.data());
    file.tensors[extent.name].data.assign(first + extent.begin, first + extent.end);
  }
  return file;
}

}  // namespace gounki::nn
