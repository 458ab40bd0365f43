// Matrix Market coordinate matrices as graphs (Boisvert, Pozo and Remington, NISTIR 5935, 1996):
// square, real, integer or pattern, symmetric or general. Entry (i, j) is the edge {i, j}.
#include <charconv>
#include <limits>
#include <optional>

#include "fields.hpp"
#include "graph_formats.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 22;

struct Head {
  bool pattern = false;
  VertexId size = 0;
  std::int64_t entries = 0;
  std::int64_t lines = 0;  // up to and with the size line
  std::string_view body;
};

std::int64_t parse_size(std::string_view text, const std::string& file, std::int64_t line) {
  const std::optional<std::int64_t> value = parse_number<std::int64_t>(text);
  if (!value || *value < 0) {
    bad_line(file, line, "size " + shown(text) + "; expected 'rows columns entries' as integers");
  }
  return *value;
}

Head parse_head(std::string_view text, const std::string& file) {
  Head head;
  FieldSplitter fields(Separator::blanks);
  std::string_view line = trimmed(take_line(text));
  head.lines = 1;
  // Only four words after the banner matter, so the banner is taken off first.
  constexpr std::string_view banner = "%%matrixmarket";
  const bool right = equal_ignoring_case(line.substr(0, banner.size()), banner);
  const auto is = [&](std::size_t i, std::string_view word) {
    return equal_ignoring_case(fields[i], word);
  };
  if (!right || fields.split(trimmed(line.substr(banner.size())), file, 1) != 4) {
    bad_line(file, 1,
             std::string("'").append(shown(line)) +
                 "'; expected '%%MatrixMarket matrix coordinate real|integer|pattern "
                 "symmetric|general'");
  }
  if (!is(0, "matrix") || !is(1, "coordinate") ||
      !(is(2, "real") || is(2, "integer") || is(2, "pattern")) ||
      !(is(3, "symmetric") || is(3, "general"))) {
    bad_line(file, 1,
             std::string("'").append(shown(line)) +
                 "' is not a kind of matrix that can be a graph; expected 'matrix "
                 "coordinate real|integer|pattern symmetric|general'; convert it");
  }
  head.pattern = is(2, "pattern");
  do {
    if (text.empty()) bad_line(file, head.lines, "no size line; expected 'rows columns entries'");
    line = trimmed(take_line(text));
    ++head.lines;
  } while (is_skipped(line));
  if (fields.split(line, file, head.lines) != 3) {
    bad_line(file, head.lines, "size line '" + shown(line) + "'; expected 'rows columns entries'");
  }
  const std::int64_t rows = parse_size(fields[0], file, head.lines);
  const std::int64_t columns = parse_size(fields[1], file, head.lines);
  head.entries = parse_size(fields[2], file, head.lines);
  if (rows != columns) {
    bad_line(file, head.lines,
             std::to_string(rows) + " rows and " + std::to_string(columns) +
                 " columns; expected a square matrix");
  }
  if (rows > std::numeric_limits<VertexId>::max()) {
    bad_line(file, head.lines, std::to_string(rows) + " rows; at most 2147483647 are possible");
  }
  head.size = static_cast<VertexId>(rows);
  head.body = text;
  return head;
}

// Calls entry(i, j, weight) with indices from 0, for every entry of the chunk.
template <class Entry>
std::int64_t walk_entries(const Head& head, const std::string& file, const Chunk& chunk,
                          Entry&& entry) {
  FieldSplitter fields(Separator::blanks);
  std::string_view text = chunk.text;
  std::int64_t number = chunk.first_line;
  const auto index = [&](std::string_view field) {
    const std::optional<std::int64_t> value = parse_number<std::int64_t>(field);
    if (!value || *value < 1 || *value > head.size) {
      bad_line(
          file, number,
          "index " + shown(field) + "; expected an integer from 1 to " + std::to_string(head.size));
    }
    return static_cast<VertexId>(*value - 1);
  };
  for (; !text.empty(); ++number) {
    const std::string_view line = trimmed(take_line(text));
    if (is_skipped(line)) continue;
    const std::size_t count = fields.split(line, file, number);
    if (count != (head.pattern ? 2U : 3U)) {
      bad_line(file, number,
               std::to_string(count) + " fields in '" + shown(line) + "'; expected " +
                   (head.pattern ? "'i j'" : "'i j weight'"));
    }
    const VertexId i = index(fields[0]);
    const VertexId j = index(fields[1]);
    entry(i, j, head.pattern ? 1.0 : parse_weight(fields[2], file, number));
  }
  return number;
}

}  // namespace

void read_matrix_market(const TextSource& source, const ReadOptions& options, const RunContext& run,
                        GraphFile& file) {
  const Head head = parse_head(source.text(), source.name());
  std::vector<Chunk> chunks = cut_at_lines(head.body, chunk_bytes);
  std::int64_t line = head.lines + 1;
  std::int64_t entries = 0;
  std::int64_t zeros = 0;
  bool weighted = false;
  GraphBuilder builder(head.size, {.duplicates = options.duplicates});
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    check_progress(run, 0.5 * static_cast<double>(i) / static_cast<double>(chunks.size()));
    chunks[i].first_line = line;
    line = walk_entries(head, source.name(), chunks[i], [&](VertexId u, VertexId v, double weight) {
      ++entries;
      if (weight == 0) {
        ++zeros;
        return;
      }
      weighted = weighted || weight != 1;
      builder.count(u, v);
    });
    source.release(chunks[i].text);
  }
  if (entries != head.entries) {
    bad_line(source.name(), line - 1,
             std::to_string(entries) + " entries; the size line says " +
                 std::to_string(head.entries) +
                 "; the file is cut short or its size line is wrong");
  }
  file.graph = place_edges(builder, weighted, options.duplicates, chunks, source, run,
                           [&](const Chunk& chunk, auto& visit) {
                             walk_entries(head, source.name(), chunk,
                                          [&](VertexId i, VertexId j, double weight) {
                                            if (weight != 0) visit(i, j, weight);
                                          });
                           });
  file.names = VertexNames::numbered(head.size, 1);
  file.stats.lines = line - 1;
  take_counts(builder.counts(), zeros, file.stats);
}

}  // namespace gssl::detail
