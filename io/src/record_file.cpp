#include "gssl/io/record_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <type_traits>

#include "byte_stream.hpp"
#include "crc32.hpp"
#include "fields.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "hex_digits.hpp"
#include "mapped_file.hpp"
#include "record_parser.hpp"
#include "text_source.hpp"

namespace gssl {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view record_mark = "#gssl-record ";
constexpr std::int64_t format_version = 1;
constexpr std::size_t alignment = 8;
constexpr std::size_t body_alignment = 64;
constexpr std::size_t piece_bytes = std::size_t{1} << 20;  // a multiple of the alignment
constexpr std::string_view checksum_word = "crc32 ";
constexpr std::size_t checksum_bytes = checksum_word.size() + 8 + 1;  // "crc32 0123abcd\n"

// In the order of Record::Value.
constexpr std::array<const char*, 5> type_names = {"text", "float64", "float32", "int32", "int64"};
constexpr std::size_t type_of_doubles = 1;

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw Error(ErrorCode::bad_data, file + ": " + what);
}

[[noreturn]] void refuse_damaged(const std::string& file, const std::string& what) {
  refuse(file, "is damaged: " + what + "; take an undamaged copy, or make it again");
}

// Turns the bytes of each element round where the machine is big-endian.
void swap_elements(char* bytes, std::size_t count, std::size_t width) {
  if constexpr (std::endian::native == std::endian::big)
    for (std::size_t i = 0; i < count; ++i)
      std::reverse(bytes + i * width, bytes + (i + 1) * width);
}

// Calls take(bytes) with those of a list in pieces, little-endian.
template <class List, class Take>
void with_bytes(const List& list, Take&& take) {
  constexpr std::size_t width = sizeof(typename List::value_type);
  const std::string_view all(reinterpret_cast<const char*>(list.data()), list.size() * width);
  for (std::size_t at = 0; at < all.size(); at += piece_bytes) {
    std::string_view piece = all.substr(at, piece_bytes);
    std::string turned;
    if constexpr (std::endian::native == std::endian::big) {
      turned = piece;
      swap_elements(turned.data(), turned.size() / width, width);
      piece = turned;
    }
    take(piece);
  }
}

template <class Take>
void with_bytes_of(const Record::Value& value, Take&& take) {
  std::visit([&](const auto& list) { with_bytes(list, take); }, value);
}

std::size_t byte_count(const Record::Value& value) {
  return std::visit([](const auto& list) { return list.size() * sizeof(*list.data()); }, value);
}

template <class List>
List list_of(std::string_view bytes) {
  using Element = typename List::value_type;
  List list(bytes.size() / sizeof(Element), Element{});
  if (!bytes.empty()) std::memcpy(list.data(), bytes.data(), bytes.size());
  swap_elements(reinterpret_cast<char*>(list.data()), list.size(), sizeof(Element));
  return list;
}

std::size_t width_of(std::size_t type) {
  constexpr std::array<std::size_t, 5> widths = {1, 8, 4, 4, 8};
  return widths[type];
}

Record::Value value_of(std::size_t type, std::string_view bytes) {
  switch (type) {
    case 0: return std::string(bytes);
    case 1: return list_of<std::vector<double>>(bytes);
    case 2: return list_of<std::vector<float>>(bytes);
    case 3: return list_of<std::vector<std::int32_t>>(bytes);
    default: return list_of<std::vector<std::int64_t>>(bytes);
  }
}

// The first two lines, what follows them, and the checksum, taken apart but not yet believed.
class RecordParser {
 public:
  RecordParser(std::string_view text, const std::string& file, int threads = 1)
      : text_(text), file_(file), threads_(threads) {}

  // Takes of other names what is `wanted`, and of list `name` where it lies.
  void leave(std::string name, std::function<bool(std::string_view)> wanted) {
    left_name_ = std::move(name);
    wanted_ = std::move(wanted);
  }
  // Of the list that was left: doubles; empty where there is none.
  std::string_view left() const { return left_; }

  RecordFile parse(const std::string& kind) {
    check_mark();
    check_checksum();
    const Json header = parse_header();
    RecordFile found;
    try {
      found.header = {header.at("kind").get<std::string>(), header.at("gssl").get<std::string>()};
      if (!kind.empty() && found.header.kind != kind)
        refuse(file_, "holds a " + detail::shown(found.header.kind) + "; expected a " + kind);
      for (const Json& entry : header.at("entries")) put_entry(entry, found.record);
    } catch (const Json::exception&) {
      refuse_damaged(file_, "its header lacks a field");
    }
    return found;
  }

 private:
  void check_mark() {
    if (!text_.starts_with(record_mark))
      refuse(file_, "is no file of gssl fit, online or label; expected one that begins with '" +
                        std::string(record_mark) + std::to_string(format_version) + "'");
    rest_ = text_;
    const std::string_view line = detail::take_line(rest_);
    const auto version =
        parse_number<std::int64_t>(detail::trimmed(line.substr(record_mark.size())));
    if (!version || *version < 1) refuse_damaged(file_, "its first line has no version");
    if (*version > format_version)
      refuse(file_, "is of format " + std::to_string(*version) + "; this gssl reads up to " +
                        std::to_string(format_version) + "; take the gssl that wrote it, or newer");
  }

  void check_checksum() {
    const bool whole = text_.size() >= checksum_bytes && text_.back() == '\n' &&
                       text_.substr(text_.size() - checksum_bytes).starts_with(checksum_word);
    if (!whole) refuse_damaged(file_, "it is cut off: it does not end with its checksum");
    const std::size_t end = text_.size() - checksum_bytes;
    const std::string given(text_.substr(end + checksum_word.size(), 8));
    const std::string found =
        detail::hex_digits(detail::sum_of_pieces(text_.substr(0, end), threads_).crc);
    if (given != found)
      refuse_damaged(file_,
                     "its checksum is " + found + " where " + detail::shown(given) + " is written");
    rest_.remove_suffix(checksum_bytes);
  }

  Json parse_header() {
    Json header = Json::parse(detail::take_line(rest_), nullptr, false);
    if (header.is_discarded() || !header.is_object())
      refuse_damaged(file_, "its header is no JSON");
    return header;
  }

  // rest_ is the body.
  void put_entry(const Json& entry, Record& record) {
    const auto name = entry.at("name").get<std::string>();
    const auto type_name = entry.at("type").get<std::string>();
    const auto length = entry.at("length").get<std::uint64_t>();
    const auto offset = entry.at("offset").get<std::uint64_t>();
    const auto type =
        static_cast<std::size_t>(std::ranges::find(type_names, type_name) - type_names.begin());
    if (type == type_names.size()) refuse_damaged(file_, name + " is of no known type");
    if (offset > rest_.size() || length > (rest_.size() - offset) / width_of(type))
      refuse_damaged(file_, name + " lies outside of the file");
    if (name.empty() || record.has(name)) refuse_damaged(file_, "a name stands twice or is empty");
    const std::string_view bytes = rest_.substr(offset, length * width_of(type));
    if (name == left_name_ && type == type_of_doubles) {  // the sum of the whole file is right
      left_ = bytes;
      return;
    }
    if (wanted_ && !wanted_(name)) return;
    if (entry.at("crc32").get<std::string>() != detail::hex_digits(detail::crc32_of(bytes)))
      refuse_damaged(file_, "the checksum of " + name + " is another");
    record.put_value(name, value_of(type, bytes));
  }

  std::string_view text_;
  std::string_view rest_;
  const std::string& file_;
  int threads_;
  std::string left_name_;
  std::function<bool(std::string_view)> wanted_;
  std::string_view left_;
};

}  // namespace

namespace {

std::vector<RecordEntry> entries_of(const Record& record) {
  std::vector<RecordEntry> entries;
  for (const auto& [name, value] : record.entries()) entries.push_back({name, &value});
  return entries;
}

// Hands all bytes of the file to write(piece), in order; nothing is copied but the header.
template <class Write>
void write_all(const std::string& kind, const std::vector<RecordEntry>& entries, Write&& write) {
  Json list = Json::array();
  std::size_t body = 0;
  for (const auto& [name, value] : entries) {
    std::uint32_t crc = 0;
    with_bytes_of(*value, [&](std::string_view piece) { crc = detail::crc32_of(piece, crc); });
    list.push_back({{"name", name},
                    {"type", type_names[value->index()]},
                    {"length", byte_count(*value) / width_of(value->index())},
                    {"offset", body},
                    {"crc32", detail::hex_digits(crc)}});
    body += (byte_count(*value) + alignment - 1) / alignment * alignment;
  }
  const Json header = {{"format", format_version},
                       {"kind", kind},
                       {"gssl", GSSL_VERSION},
                       {"body", body},
                       {"entries", std::move(list)}};
  std::uint32_t crc = 0;
  const auto put = [&](std::string_view piece) {
    crc = detail::crc32_of(piece, crc);
    write(piece);
  };
  std::string head =
      std::string(record_mark) + std::to_string(format_version) + "\n" + header.dump();
  head.append(body_alignment - 1 - head.size() % body_alignment, ' ');
  put(head + '\n');
  for (const auto& [name, value] : entries) {
    with_bytes_of(*value, put);
    put(std::string((alignment - byte_count(*value) % alignment) % alignment, '\0'));
  }
  write(std::string(checksum_word) + detail::hex_digits(crc) + "\n");
}

}  // namespace

std::string record_bytes(const std::string& kind, const Record& record) {
  std::string all;
  write_all(kind, entries_of(record), [&](std::string_view piece) { all += piece; });
  return all;
}

void write_record(OutputFile& out, const std::string& kind,
                  const std::vector<RecordEntry>& entries) {
  write_all(kind, entries, [&](std::string_view piece) { out.write(piece); });
  out.commit();
}

void write_record(OutputFile& out, const std::string& kind, const Record& record) {
  write_record(out, kind, entries_of(record));
}

void write_record(const std::string& path, const std::string& kind, const Record& record) {
  OutputFile out(path);
  write_record(out, kind, record);
}

RecordFile read_record(const std::string& path, const std::string& kind, std::size_t most_held) {
  const detail::TextSource source = detail::TextSource::open(path, most_held);
  return source.read_whole([&] { return detail::parse_record(source, kind); });
}

namespace {

// The file in two maps that may be written to; not mapped where it cannot be, and where it is packed.
std::array<detail::MappedFile, 2> two_maps(const std::string& path) {
  std::array<detail::MappedFile, 2> maps;
  std::error_code ignored;
  // A named pipe must not be opened twice.
  const bool is_file = path != "-" && std::filesystem::is_regular_file(path, ignored);
  const int descriptor = is_file ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  struct stat status {};
  if (descriptor >= 0 && ::fstat(descriptor, &status) == 0 && status.st_size > 0)
    for (detail::MappedFile& map : maps)
      map = detail::MappedFile::writable(descriptor, static_cast<std::size_t>(status.st_size));
  if (descriptor >= 0) ::close(descriptor);
  return maps;
}

// The numbers of `bytes`, a part of the first map, in that map.
Block block_in(detail::MappedFile map, std::string_view all, std::string_view bytes,
               const std::vector<std::int64_t>& shape) {
  const auto owner = std::make_shared<detail::MappedFile>(std::move(map));
  owner->keep_in_use();
  char* const begin = const_cast<char*>(owner->bytes().data()) + (bytes.data() - all.data());
  return Block::view(shape[0], shape[1],
                     {reinterpret_cast<double*>(begin), bytes.size() / sizeof(double)}, owner);
}

}  // namespace

BlockInFile read_block_in_file(const std::string& path, const std::string& kind,
                               const std::string& block,
                               const std::function<bool(std::string_view)>& wanted,
                               std::size_t most_held, int threads) {
  std::array<detail::MappedFile, 2> maps = two_maps(path);
  const std::string_view all = maps[0].bytes();
  if (maps[1].mapped() && detail::is_record(all) && std::endian::native == std::endian::little) {
    const auto any = [&](std::string_view name) {
      return name == block + "/shape" || wanted(name);
    };
    RecordParser parser(all, path, threads);
    parser.leave(block + "/values", any);
    const auto check_whole = [&] {
      if (maps[0].lost_bytes())
        throw Error(ErrorCode::io_failure,
                    path +
                        ": read failed: the file became shorter while it was read; run again "
                        "when it is written");
    };
    BlockInFile found;
    try {
      found.file = parser.parse(kind);
    } catch (const Error&) {
      check_whole();
      throw;
    }
    check_whole();
    if (!found.file.record.has(block + "/shape")) return found;
    const auto place = reinterpret_cast<std::uintptr_t>(parser.left().data());
    if (parser.left().data() != nullptr && place % alignof(double) == 0) {
      const std::vector<std::int64_t> shape = found.file.record.long_integers(block + "/shape");
      if (shape.size() != 2) refuse_damaged(path, block + " has no shape");
      found.again = block_in(std::move(maps[1]), all, parser.left(), shape);
      found.block = block_in(std::move(maps[0]), all, parser.left(), shape);
      return found;
    }
  }
  BlockInFile found{.file = read_record(path, kind, most_held), .block = {}, .again = {}};
  if (!found.file.record.has(block + "/shape")) return found;
  found.block = found.file.record.take_block(block);
  found.again = found.block;
  return found;
}

namespace detail {

bool is_record(std::string_view text) { return text.starts_with(record_mark); }

RecordFile parse_record(const TextSource& source, const std::string& kind) {
  return RecordParser(source.text(), source.name()).parse(kind);
}

}  // namespace detail

bool is_record_file(const std::string& path) {
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_regular_file(path, ignored)) return false;
  try {
    // The start is enough: a packed graph is not to be unpacked twice.
    const RunContext run;
    detail::ByteStream stream(path, run, detail::Checksum::none);
    std::string start(64, '\0');
    std::size_t held = 0;
    while (held < start.size()) {
      const std::size_t got = stream.read(std::span(start).subspan(held));
      if (got == 0) break;
      held += got;
    }
    start.resize(held);
    return detail::is_record(detail::without_text_mark(start, path));
  } catch (const Error&) {
    return false;
  }
}

std::string record_kind(const std::string& path) {
  if (!is_record_file(path)) return {};
  const detail::TextSource source = detail::TextSource::open(path);
  std::string_view rest = source.text();
  detail::take_line(rest);
  const Json header = Json::parse(detail::take_line(rest), nullptr, false);
  return header.is_object() && header.contains("kind") && header["kind"].is_string()
             ? header["kind"].get<std::string>()
             : std::string();
}

}  // namespace gssl
