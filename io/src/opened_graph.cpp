#include "opened_graph.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "crc32c.hpp"
#include "fields.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {
namespace {

constexpr auto last_kind = static_cast<std::uint32_t>(SectionKind::checksums);

std::size_t blocks_of(std::uint64_t bytes) {
  return static_cast<std::size_t>((bytes + checksum_block - 1) / checksum_block);
}

template <class Element>
std::span<const Element> elements(std::string_view bytes) {
  return {reinterpret_cast<const Element*>(bytes.data()), bytes.size() / sizeof(Element)};
}

// Without branches, so that the compiler takes many at a time.
template <class Element>
bool all_positive(std::span<const Element> weights) {
  bool right = true;
  for (const Element w : weights) right &= w > 0 && w <= std::numeric_limits<Element>::max();
  return right;
}

bool all_below(std::span<const std::uint32_t> values, std::uint64_t limit) {
  std::uint32_t largest = 0;
  for (const std::uint32_t value : values) largest = std::max(largest, value);
  return values.empty() || largest < limit;
}

}  // namespace

OpenedGraph::OpenedGraph(MappedFile mapping, std::string name)
    : name_(std::move(name)), mapping_(std::move(mapping)), bytes_(mapping_.bytes()) {
  read_whole([&] {
    read_header();
    return true;
  });
}

OpenedGraph::OpenedGraph(ByteBuffer bytes, std::string name)
    : name_(std::move(name)), buffer_(std::move(bytes)), bytes_(buffer_.view()) {
  read_header();
}

void OpenedGraph::release_pages() const {
  if (mapping_.mapped()) ::madvise(const_cast<char*>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
}

void OpenedGraph::refuse(const std::string& what) const {
  const std::string place = name_ + ": ";
  throw Error(ErrorCode::bad_data, what.starts_with(place) ? what : place + what);
}

void OpenedGraph::refuse_damaged(const std::string& what) const {
  if (what.starts_with(name_ + ": ")) refuse(what);
  refuse("is damaged: " + what + "; take an undamaged copy, or convert the graph again");
}

void OpenedGraph::check_whole() const {
  if (mapping_.lost_bytes())
    throw Error(ErrorCode::io_failure,
                name_ +
                    ": read failed: the file became shorter while it was read; run again when "
                    "it is written");
}

// Every version keeps the mark, the byte order, the version, the writer, and the checksum in the
// last 4 bytes of 4096.
void OpenedGraph::read_header() {
  const std::string_view magic(binary_magic.data(), binary_magic.size());
  if (!bytes_.starts_with(magic))
    refuse("is no binary graph; make one with 'gssl convert GRAPH OUT.gssl'");
  if (bytes_.size() < sizeof header_)
    refuse_damaged("it ends in its header, after " + std::to_string(bytes_.size()) + " bytes");
  std::memcpy(&header_, bytes_.data(), sizeof header_);
  if (header_.byte_order == __builtin_bswap32(byte_order_mark))
    refuse(
        "was written by a machine of the other byte order; convert it there to text, and here "
        "to binary again");
  if (header_.header_crc != crc32c(0, &header_, header_checked_bytes))
    refuse_damaged("the checksum of its header is another");
  if (header_.byte_order != byte_order_mark) refuse_damaged("it has no mark of the byte order");
  if (header_.major != binary_major)
    refuse("is of format " + std::to_string(header_.major) + ", written by gssl " +
           shown(text_of(header_.writer)) + "; this gssl reads format " +
           std::to_string(binary_major) + "; take that gssl, or newer");
  if (header_.file_bytes != bytes_.size())
    refuse_damaged("it has " + std::to_string(bytes_.size()) + " bytes of " +
                   std::to_string(header_.file_bytes));
  if (header_.vertices > static_cast<std::uint64_t>(std::numeric_limits<VertexId>::max()) ||
      header_.arcs > header_.file_bytes || header_.arcs % 2 != 0 ||
      header_.name_form > static_cast<std::uint32_t>(NameForm::text))
    refuse_damaged("its header holds sizes that cannot be");
  check_sections();
  check_sizes();
  check_ends();
}

void OpenedGraph::check_section(const SectionEntry& entry, std::uint64_t earliest) const {
  if (entry.kind > last_kind && entry.required != 0)
    refuse("holds data of kind " + std::to_string(entry.kind) + ", written by gssl " +
           shown(text_of(header_.writer)) +
           "; this gssl does not know it; take that gssl, or newer");
  if (entry.offset % section_alignment != 0 || entry.offset < earliest ||
      entry.offset > header_.file_bytes || entry.bytes > header_.file_bytes - entry.offset)
    refuse_damaged("a section lies outside of the file, or in another");
}

void OpenedGraph::check_sections() const {
  if (header_.section_count == 0 || header_.section_count > most_sections)
    refuse_damaged("it has no table of sections");
  std::uint64_t earliest = section_alignment;
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < header_.section_count; ++i) {
    const SectionEntry& section = header_.sections[i];
    check_section(section, earliest);
    earliest = section.offset + section.bytes;
    const bool last = i + 1 == header_.section_count;
    if (last != (section.kind == static_cast<std::uint32_t>(SectionKind::checksums)))
      refuse_damaged("its checksums are not its last section");
    if (!last && section.first_block != blocks) refuse_damaged("its checksums are out of order");
    if (section.kind <= last_kind && entry(static_cast<SectionKind>(section.kind)) != &section)
      refuse_damaged("it has two sections of one kind");
    if (last && section.bytes != blocks * sizeof(std::uint32_t))
      refuse_damaged("it has too few checksums, or too many");
    blocks += blocks_of(section.bytes);
  }
  const std::string_view sums = section(SectionKind::checksums);
  if (header_.checksums_crc != crc32c(0, sums.data(), sums.size()))
    refuse_damaged("the checksum of its checksums is another");
}

void OpenedGraph::check_size(SectionKind kind, std::uint64_t bytes) const {
  const SectionEntry* const found = entry(kind);
  if (found == nullptr || found->bytes != bytes)
    refuse_damaged("a section is absent or of the wrong size");
}

void OpenedGraph::check_sizes() const {
  const std::uint64_t n = header_.vertices;
  const std::uint64_t arcs = header_.arcs;
  if (has(SectionKind::rows) == has(SectionKind::neighbors))
    refuse_damaged("it has no rows, or two kinds of them");
  if (has(SectionKind::rows)) {
    check_size(SectionKind::row_near, n * sizeof(std::uint16_t));
    check_size(SectionKind::row_anchors, (n + 63) / 64 * sizeof(RowAnchor));
    if (!has(SectionKind::row_far)) refuse_damaged("a section is absent");
  } else {
    check_size(SectionKind::offsets, (n + 1) * sizeof(EdgeIndex));
    check_size(SectionKind::neighbors, arcs * sizeof(VertexId));
  }
  if (has(SectionKind::weights)) check_size(SectionKind::weights, arcs * sizeof(double));
  if (has(SectionKind::float_weights)) {
    check_size(SectionKind::float_weights, arcs * sizeof(float));
    if (has(SectionKind::weights) || !has(SectionKind::rows))
      refuse_damaged("it has weights of a kind that does not fit");
  }
  const auto form = static_cast<NameForm>(header_.name_form);
  if (form == NameForm::numbered) {
    if (header_.first_number < 0 ||
        header_.first_number > std::numeric_limits<std::int64_t>::max() - (std::int64_t{1} << 31))
      refuse_damaged("its numbers start out of range");
    return;
  }
  check_size(form == NameForm::text ? SectionKind::name_ends : SectionKind::name_numbers,
             n * sizeof(std::uint64_t));
  check_size(SectionKind::name_slots, (n + n / 2 + 1) * sizeof(std::uint32_t));
  if (form == NameForm::text && !has(SectionKind::name_text)) refuse_damaged("a section is absent");
}

// Of the offsets, what an index is computed from without a look at the rest.
void OpenedGraph::check_ends() const {
  const auto offsets = array<EdgeIndex>(SectionKind::offsets);
  if (offsets.empty()) return;
  if (offsets.front() != 0 || static_cast<std::uint64_t>(offsets.back()) != header_.arcs)
    refuse_damaged("its offsets do not go from 0 to the number of arcs");
}

const SectionEntry* OpenedGraph::entry(SectionKind kind) const {
  for (std::size_t i = 0; i < header_.section_count; ++i)
    if (header_.sections[i].kind == static_cast<std::uint32_t>(kind)) return &header_.sections[i];
  return nullptr;
}

std::string_view OpenedGraph::section(SectionKind kind) const {
  const SectionEntry* const found = entry(kind);
  return found == nullptr ? std::string_view() : bytes_.substr(found->offset, found->bytes);
}

CompressedRows OpenedGraph::compressed_rows() const {
  return {static_cast<VertexId>(header_.vertices),     static_cast<EdgeIndex>(header_.arcs),
          array<std::uint8_t>(SectionKind::rows),      array<RowAnchor>(SectionKind::row_anchors),
          array<std::uint16_t>(SectionKind::row_near), array<std::uint64_t>(SectionKind::row_far),
          array<double>(SectionKind::weights),         array<float>(SectionKind::float_weights)};
}

std::shared_ptr<const StoredNames> OpenedGraph::name_table(
    const std::shared_ptr<const OpenedGraph>& opened) {
  const auto form = static_cast<NameForm>(opened->header_.name_form);
  if (form == NameForm::numbered) return nullptr;
  return std::make_shared<StoredNameTable>(
      opened, StoredNameTable::Arrays{form, opened->array<std::uint64_t>(SectionKind::name_numbers),
                                      opened->array<std::uint64_t>(SectionKind::name_ends),
                                      opened->section(SectionKind::name_text),
                                      opened->array<std::uint32_t>(SectionKind::name_slots)});
}

void OpenedGraph::check(const RunContext& run) const {
  const std::lock_guard lock(checking_);
  if (checked_.load()) return;
  read_whole([&] {
    check_blocks(run);
    return true;
  });
  mapping_.keep_in_use();
  check_whole();
  checked_.store(true);
}

void OpenedGraph::check_blocks(const RunContext& run) const {
  std::vector<std::pair<const SectionEntry*, std::size_t>> blocks;
  for (std::size_t i = 0; i + 1 < header_.section_count; ++i)
    for (std::size_t block = 0; block < blocks_of(header_.sections[i].bytes); ++block)
      blocks.emplace_back(&header_.sections[i], block);
  parallel_blocks(
      static_cast<std::int64_t>(blocks.size()), run.thread_count(),
      [&](std::int64_t begin, std::int64_t) {
        if (run.should_stop()) return;
        const auto& [section, block] = blocks[static_cast<std::size_t>(begin)];
        check_block(*section, block);
      },
      1);
  run.throw_if_stopped("reading", "before the file was checked");
}

void OpenedGraph::check_block(const SectionEntry& entry, std::size_t block) const {
  const std::uint64_t begin = block * checksum_block;
  const std::string_view bytes = bytes_.substr(
      entry.offset + begin, std::min<std::uint64_t>(checksum_block, entry.bytes - begin));
  const auto sums = array<std::uint32_t>(SectionKind::checksums);
  if (crc32c(0, bytes.data(), bytes.size()) != sums[entry.first_block + block])
    refuse_damaged("the checksum of the block at byte " + std::to_string(entry.offset + begin) +
                   " is another");
  if (entry.kind <= last_kind) check_values(static_cast<SectionKind>(entry.kind), bytes);
}

// What is wrong here was wrong when the file was made, since the checksum is right.
void OpenedGraph::check_values(SectionKind kind, std::string_view bytes) const {
  const auto ascend = [&](auto values, auto limit) {
    // A block starts behind the last value of the block before.
    const char* const start = section(kind).data();
    auto previous = bytes.data() == start ? 0 : *(values.data() - 1);
    bool right = previous <= limit;
    for (const auto value : values) {
      right &= previous <= value;
      previous = value;
    }
    return right && previous <= limit;
  };
  bool right = true;
  switch (kind) {
    case SectionKind::offsets:
      right = ascend(elements<EdgeIndex>(bytes), static_cast<EdgeIndex>(header_.arcs));
      break;
    case SectionKind::neighbors:
      right = all_below(elements<std::uint32_t>(bytes), header_.vertices);
      break;
    case SectionKind::weights: right = all_positive(elements<double>(bytes)); break;
    case SectionKind::float_weights: right = all_positive(elements<float>(bytes)); break;
    case SectionKind::name_ends:
      right = ascend(elements<std::uint64_t>(bytes), section(SectionKind::name_text).size());
      break;
    default: break;
  }
  if (!right) refuse_damaged("a section holds what is out of range");
}

namespace {

// Of one direction of an edge and its weight.
std::uint64_t arc_hash(VertexId u, VertexId v, double weight) {
  const auto [low, high] = std::minmax(u, v);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &weight, sizeof bits);
  std::uint64_t hash = static_cast<std::uint64_t>(low) << 32U | static_cast<std::uint64_t>(high);
  hash = (hash ^ bits * 0x9e3779b97f4a7c15ULL) * 0xd6e8feb86659fd93ULL;
  hash = (hash ^ (hash >> 32U)) * 0xd6e8feb86659fd93ULL;
  return u < v ? hash ^ (hash >> 32U) : 0 - (hash ^ (hash >> 32U));
}

struct RowSums {
  std::uint64_t hashes = 0;  // 0 if each edge stands in both rows
  std::int64_t wrong = 0;
  RowSums& operator+=(const RowSums& other) {
    hashes += other.hashes;
    wrong += other.wrong;
    return *this;
  }
};

// `visit(v, body)` calls body(neighbor, weight) along row v.
template <class Visit>
RowSums row_sums(VertexId n, const RunContext& run, Visit&& visit) {
  return blocked_sum(n, run.thread_count(), [&](std::int64_t begin, std::int64_t end) {
    RowSums sums;
    if (run.should_stop()) return sums;
    for (auto v = static_cast<VertexId>(begin); v < end; ++v) {
      VertexId last = no_vertex;
      visit(v, [&](VertexId u, double weight) {
        sums.wrong += u <= last || u == v || u >= n ? 1 : 0;
        sums.hashes += arc_hash(v, u, weight);
        last = u;
      });
    }
    return sums;
  });
}

}  // namespace

void OpenedGraph::verify_rows(const RunContext& run) const {
  const auto n = static_cast<VertexId>(header_.vertices);
  RowSums sums;
  read_whole([&] {
    if (has(SectionKind::rows)) {
      const CompressedGraph graph(nullptr, compressed_rows(), run);
      sums = row_sums(n, run, [&](VertexId v, auto&& body) { graph.visit_row(v, body); });
    } else {
      const auto offsets = array<EdgeIndex>(SectionKind::offsets);
      const auto neighbors = array<VertexId>(SectionKind::neighbors);
      const auto weights = array<double>(SectionKind::weights);
      sums = row_sums(n, run, [&](VertexId v, auto&& body) {
        const auto row = static_cast<std::size_t>(v);
        for (auto e = static_cast<std::size_t>(offsets[row]);
             e < static_cast<std::size_t>(offsets[row + 1]); ++e)
          body(neighbors[e], weights.empty() ? 1.0 : weights[e]);
      });
    }
    return true;
  });
  run.throw_if_stopped("reading", "before the file was verified");
  if (sums.wrong > 0)
    refuse_damaged(std::to_string(sums.wrong) + " neighbors are out of order or their own");
  if (sums.hashes != 0) refuse_damaged("its two rows of an edge differ");
}

void OpenedGraph::verify_names() const {
  if (static_cast<NameForm>(header_.name_form) == NameForm::numbered) return;
  const auto self = std::shared_ptr<const OpenedGraph>(std::shared_ptr<void>(), this);
  const auto names = name_table(self);
  std::string name;
  for (VertexId v = 0; v < names->size(); ++v) {
    name.clear();
    names->append_name(v, name);
    if (names->find(name) != v) refuse_damaged("its table of names does not hold all of them");
  }
}

}  // namespace gssl::detail
