#include "entry_points.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "binary_layout.hpp"
#include "crc32c.hpp"
#include "graph_format_table.hpp"
#include "gssl/core/error.hpp"
#include "gssl/io/binary_graph.hpp"
#include "label_format.hpp"
#include "number_array.hpp"
#include "points_formats.hpp"
#include "sniff_table.hpp"

namespace gssl::fuzz {
namespace {

constexpr VertexId most_vertices = 1000000;  // a head line may promise any number of them

template <class Read>
void tolerate_bad_input(Read&& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data && error.code() != ErrorCode::io_failure) throw;
  }
}

// zstd packs zeros 40000 to 1, bzip2 a million to 1. What unpacks to much is left out, however it
// ends.
bool unpacks_too_far(std::string_view bytes) {
  constexpr std::size_t most_bytes = std::size_t{1} << 24;
  std::vector<char> room(std::size_t{1} << 16);
  const auto unpacker = detail::make_unpacker(detail::sniff_compression(bytes), "fuzz");
  if (unpacker == nullptr) return false;
  bool too_far = false;
  tolerate_bad_input([&] {
    for (std::size_t total = 0; !too_far;) {
      const std::size_t written = unpacker->unpack(bytes, room);
      total += written;
      too_far = total > most_bytes;
      if (written == 0 && bytes.empty()) return;
    }
  });
  return too_far;
}

// A head line of a matrix or METIS file allocates by its promise, so big promises are left out.
bool promises_too_much(std::string_view bytes) {
  std::int64_t number = 0;
  for (const char c : bytes) {
    number = c >= '0' && c <= '9' ? number * 10 + (c - '0') : 0;
    if (number > most_vertices) return true;
  }
  return false;
}

}  // namespace

void graph_bytes(std::string_view bytes) {
  if (unpacks_too_far(bytes)) return;
  RunContext run;
  run.threads = 1;
  std::vector<ReadOptions> ways = {{}};
  for (const detail::GraphFormatEntry& entry : detail::graph_format_table()) {
    for (const DuplicatePolicy duplicates : {DuplicatePolicy::sum, DuplicatePolicy::error})
      ways.push_back({entry.format, duplicates});
  }
  ReadOptions layered{.format = GraphFormat::edge_list};
  layered.layers = {{"a", 1.0}, {"b", 0.5}};
  ways.push_back(layered);
  for (const ReadOptions& options : ways) {
    const bool believes_head = options.format == GraphFormat::matrix_market ||
                               options.format == GraphFormat::metis ||
                               options.format == GraphFormat::automatic;
    if (believes_head && promises_too_much(bytes)) continue;
    tolerate_bad_input([&] {
      const auto source = detail::TextSource::from_memory(bytes, "fuzz");
      const GraphFile file = detail::parse_graph(source, options, run);
      GSSL_ASSERT(file.names.size() == file.graph.vertex_count());
      const auto span = [](const auto& s) { return std::vector(s.begin(), s.end()); };
      // The constructor checks every rule of the class.
      const Graph checked(span(file.graph.offset_array()), span(file.graph.neighbor_array()),
                          span(file.graph.weight_array()));
      GSSL_ASSERT(checked == file.graph);
    });
  }
}

namespace {

// So that what lies behind the checksums is met, too.
std::string resealed(std::string bytes) {
  detail::BinaryHeader header;
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.file_bytes = bytes.size();
  const std::size_t sections = std::min<std::size_t>(header.section_count, detail::most_sections);
  const auto inside = [&](const detail::SectionEntry& s) {
    return s.offset <= bytes.size() && s.bytes <= bytes.size() - s.offset;
  };
  if (sections == 0 || !inside(header.sections[sections - 1])) return bytes;
  const detail::SectionEntry& sums = header.sections[sections - 1];
  for (std::size_t i = 0; i + 1 < sections; ++i) {
    const detail::SectionEntry& section = header.sections[i];
    if (!inside(section)) return bytes;
    for (std::uint64_t at = 0; at < section.bytes; at += detail::checksum_block) {
      const std::uint64_t block = section.first_block + at / detail::checksum_block;
      if (block >= sums.bytes / sizeof(std::uint32_t)) return bytes;
      const std::uint32_t sum =
          detail::crc32c(0, bytes.data() + section.offset + at,
                         std::min<std::uint64_t>(detail::checksum_block, section.bytes - at));
      std::memcpy(bytes.data() + sums.offset + block * sizeof sum, &sum, sizeof sum);
    }
  }
  header.checksums_crc = detail::crc32c(0, bytes.data() + sums.offset, sums.bytes);
  header.header_crc = detail::crc32c(0, &header, detail::header_checked_bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace

void binary_graph_bytes(std::string_view bytes) {
  RunContext run;
  run.threads = 1;
  for (const std::string& one : {std::string(bytes), resealed(std::string(bytes))}) {
    tolerate_bad_input([&] {
      const BinaryGraph file = BinaryGraph::from_memory(one, "fuzz");
      std::string name;
      for (VertexId v = 0; v < file.facts().vertices; ++v) {
        name.clear();
        file.names().append_name(v, name);
        GSSL_ASSERT(file.names().find(name) < file.facts().vertices);
      }
      const Graph graph = file.graph(run);
      for (EdgeIndex e = 0; e < 2 * graph.edge_count(); ++e)
        GSSL_ASSERT(graph.neighbor_at(e) >= 0 && graph.neighbor_at(e) < graph.vertex_count());
      file.verify(run);
      const auto span = [](const auto& s) { return std::vector(s.begin(), s.end()); };
      // What was verified keeps every rule of the class.
      bool valid = true;
      try {
        const Graph checked(span(graph.offset_array()), span(graph.neighbor_array()),
                            span(graph.weight_array()));
      } catch (const Error&) {
        valid = false;
      }
      GSSL_ASSERT(valid);
    });
  }
}

void label_bytes(std::string_view bytes) {
  if (unpacks_too_far(bytes)) return;
  tolerate_bad_input([&] {
    detail::parse_vertex_list(detail::TextSource::from_memory(bytes, "fuzz"),
                              VertexNames::numbered(10));
  });
  for (const UnknownLabels unknown :
       {UnknownLabels::error, UnknownLabels::ignore, UnknownLabels::add}) {
    for (const std::int64_t point_rows : {-1, 10}) {
      tolerate_bad_input([&] {
        const auto source = detail::TextSource::from_memory(bytes, "fuzz");
        VertexNames names = VertexNames::numbered(10);
        const LabelFile file =
            detail::parse_labels(source, "", names, {.unknown = unknown, .point_rows = point_rows});
        GSSL_ASSERT(file.vertices.size() == file.labels.size());
        GSSL_ASSERT(file.vertices.size() == file.line_of.size());
        for (const std::string& label : file.labels) GSSL_ASSERT(!label.empty());
        tolerate_bad_input([&] { to_labeled_set(file, true, &names); });
        to_labeled_set(file, false);
      });
    }
    tolerate_bad_input([&] {
      detail::parse_class_priors(detail::TextSource::from_memory(bytes, "fuzz"), {"a", "b"});
    });
  }
}

void table_bytes(std::string_view bytes) {
  if (unpacks_too_far(bytes)) return;
  const bool has_bytes = !bytes.empty();
  const auto character = has_bytes ? bytes.front() : '\0';
  for (const detail::TableUse use : {detail::TableUse::edges, detail::TableUse::points}) {
    for (const char delimiter : {'\0', ' ', '\t', ',', ';', '|'}) {
      for (const char decimal : {'\0', '.', ','}) {
        const TableOptions given{
            .delimiter = delimiter,
            .decimal = decimal,
            .skip_lines = character & 1,
            .columns = character % 3 == 0 ? std::vector<int>{2, 1} : std::vector<int>{}};
        tolerate_bad_input([&] {
          const auto found = detail::sniff_table(bytes, 1, "fuzz", use, given);
          GSSL_ASSERT(delimiter == '\0' || static_cast<char>(found.separator) == delimiter);
          GSSL_ASSERT(decimal == '\0' || found.decimal == decimal);
        });
        RunContext run;
        run.threads = 1;
        tolerate_bad_input([&] {
          const auto source = detail::TextSource::from_memory(bytes, "fuzz");
          if (use == detail::TableUse::edges) {
            detail::parse_graph(source, {.format = GraphFormat::edge_list, .table = given}, run);
          } else {
            detail::parse_points(source, "", {.format = PointsFormat::table, .table = given}, run);
          }
        });
      }
    }
  }
}

namespace {

void check_points(const PointsFile& file) {
  GSSL_ASSERT(file.names.size() == file.points.rows());
  GSSL_ASSERT(file.labels.empty() || std::int64_t(file.labels.size()) == file.points.rows());
}

}  // namespace

void points_bytes(std::string_view bytes) {
  if (unpacks_too_far(bytes)) return;
  RunContext run;
  run.threads = 1;
  for (const PointsFormat format : {PointsFormat::automatic, PointsFormat::table, PointsFormat::npy,
                                    PointsFormat::npz, PointsFormat::libsvm, PointsFormat::idx}) {
    tolerate_bad_input([&] {
      const auto source = detail::TextSource::from_memory(bytes, "fuzz");
      check_points(detail::parse_points(source, "", {.format = format}, run));
    });
  }
  for (const PointsReadOptions& options :
       {PointsReadOptions{.format = PointsFormat::table, .label_column = "1"},
        PointsReadOptions{.format = PointsFormat::table, .label_column = "2", .id_column = "1"}}) {
    tolerate_bad_input([&] {
      const auto source = detail::TextSource::from_memory(bytes, "fuzz");
      check_points(detail::parse_points(source, "", options, run));
    });
  }
}

void npz_bytes(std::string_view bytes) {
  if (unpacks_too_far(bytes)) return;
  RunContext run;
  run.threads = 1;
  for (const char* member : {"", "a"}) {
    for (const char* labels : {"", "y"}) {
      tolerate_bad_input([&] {
        const auto source = detail::TextSource::from_memory(bytes, "fuzz");
        check_points(detail::parse_points(
            source, member, {.format = PointsFormat::npz, .label_column = labels}, run));
      });
    }
    tolerate_bad_input([&] {
      for (const std::string& label : detail::npz_labels(bytes, "fuzz", member))
        GSSL_ASSERT(label.size() < (std::size_t{1} << 24));
    });
  }
}

void stream_bytes(std::string_view bytes) {
  if (unpacks_too_far(bytes)) return;
  for (const auto kind : {detail::Compression::gzip, detail::Compression::zstd,
                          detail::Compression::xz, detail::Compression::bzip2}) {
    tolerate_bad_input([&] {
      const detail::ByteBuffer plain = detail::decompress(kind, bytes, "fuzz");
      const auto again = detail::TextSource::from_memory(plain.view(), "fuzz");
      GSSL_ASSERT(again.stored_bytes() == static_cast<std::int64_t>(plain.size()));
    });
  }
  if (detail::sniff_compression(bytes) == detail::Compression::none) return;
  tolerate_bad_input([&] {
    const auto source = detail::TextSource::from_memory(bytes, "fuzz");
    VertexNames names = VertexNames::numbered(10);
    detail::parse_labels(source, "", names, {.unknown = UnknownLabels::ignore});
  });
}

}  // namespace gssl::fuzz
